/** Tanks in switches: where their words are, without a browser. */
import { createRun, loadSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { Recording } from '../model/recording.ts'
import { Recorder } from '../worker/recorder.ts'
import { layoutOf } from './layout.ts'
import { boxesOf } from './tanks.ts'

const SPEC = `topology: {kind: torus, dimensions: [4, 4]}
workload:
  - flows:
      - {name: up, from: h1.0, to: h1.1}
scheme: none
run: {until: 10us}
`
/** Of the name above a switch. */
const NAME_PX = 13

describe('tanks', () => {
  it('say where they lead only where that is not on the name of the switch below', () => {
    const scene = new Recorder(createRun(loadSpec({ text: SPEC }))).scene('', '')
    const said = [280, 300, 330, 360, 420, 600].map((height) => {
      const layout = layoutOf(scene, { width: 900, height, yaw: 0, pitch: 0 })
      const { boxes, tanks } = boxesOf(new Recording(scene), layout)
      for (const upper of boxes) {
        const below = boxes.filter(({ x, y, w }) => y > upper.y && x + w > upper.x)
        const next = below.filter(({ x }) => x < upper.x + upper.w).sort((a, b) => a.y - b.y)[0]
        const hasFoot = tanks.some(
          ({ port, hasFoot: has }) => has && scene.from[port] === upper.node,
        )
        if (next === undefined || !hasFoot) continue
        expect(upper.y + upper.h, `${height} px`).toBeLessThanOrEqual(next.y - NAME_PX)
      }
      return tanks.some(({ hasFoot }) => hasFoot)
    })
    expect(said[0]).toBe(false)
    expect(said.at(-1)).toBe(true)
  })
})
