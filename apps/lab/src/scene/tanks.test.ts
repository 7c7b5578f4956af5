/** Tanks in switches: where their words are, without a browser. */
import { createRun, loadSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { Recording } from '../model/recording.ts'
import { parkingLot } from '../stories/parking-lot.ts'
import { closePicture } from '../testing/close-picture.ts'
import { recordedLanes } from '../testing/recorded.ts'
import { Recorder } from '../worker/recorder.ts'
import { stoppedParts } from './input-parts.ts'
import { layoutOf } from './layout.ts'
import { PAUSE_COLOUR } from './palette.ts'
import { boxesOf, drawTanks } from './tanks.ts'

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

  it('show what a stopped input has of its room, though the tank is far from full', () => {
    const [lane] = recordedLanes(parkingLot.steps[0]!, ['run.until=320us'])
    const { recording } = lane!
    const size = { width: 920, height: 312, atPs: 300e6 }
    const { picture, drawn } = closePicture(recording, size)
    const named = (name: string): number =>
      picture.tanks.find(({ port }) => recording.portName(port) === name)!.port
    const [one, ...others] = stoppedParts(picture, named('spine1->leaf2'))
    expect(others).toEqual([])
    expect(recording.portName(one!.port)).toBe('leaf1->spine1')
    // The rest of the room is for what is on its way.
    expect(one!.bytes / one!.room).toBeGreaterThan(0.75)
    expect(one!.room / picture.tankTop).toBeLessThan(0.6)
    // Two inputs stand on each other, and together they are what waits.
    const both = stoppedParts(picture, named('leaf2->H4'))
    expect(both.map(({ port }) => recording.portName(port)).sort()).toEqual([
      'H3->leaf2',
      'spine1->leaf2',
    ])
    expect(both[1]!.from).toBeCloseTo(both[0]!.bytes, 3)
    const waits = recording.queueBytes[picture.frame * recording.ports + named('leaf2->H4')]!
    expect(both[0]!.bytes + both[1]!.bytes).toBeCloseTo(waits, 3)
    drawTanks(picture)
    const lines = drawn.filter(
      ({ call, set }) => call === 'stroke' && set['strokeStyle'] === PAUSE_COLOUR,
    )
    expect(lines.length).toBeGreaterThanOrEqual(9)
  })
})
