/** Racks as strips, and the lens: where things are, without a browser. */
import { createRun, loadSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { Recorder } from '../worker/recorder.ts'
import { layoutOf } from './layout.ts'
import { Lens } from './lens.ts'
import { cellAt, racksOf } from './racks.ts'

/** Eight racks of sixteen hosts under four switches: 320 ports. */
const SPEC = `topology: {kind: leaf-spine, leaves: 8, spines: 4, hostsPerLeaf: 16}
workload:
  - flows:
      - {name: one, from: h0, to: h127}
scheme: none
run: {until: 10us}
`
const view = { width: 900, height: 360, yaw: 0, pitch: 0 }

describe('racks', () => {
  const scene = new Recorder(createRun(loadSpec({ text: SPEC }))).scene('', '')

  it('are strips with a cell per host, sent above and received below', () => {
    expect(scene.isSmall).toBe(false)
    const layout = layoutOf(scene, view)
    const racks = racksOf(scene, -1)
    expect(racks.closed.map(({ hosts }) => hosts.length)).toEqual(new Array(8).fill(16))
    const host = racks.closed[0]!.hosts[2]!
    const [x, y] = [layout.x[host]!, layout.y[host]!]
    const [up, down] = [cellAt(racks, layout, x, y - 5)!, cellAt(racks, layout, x, y + 5)!]
    expect([scene.from[up.port], scene.to[down.port]]).toEqual([host, host])
    expect(cellAt(racks, layout, x, y - 60)).toBeUndefined()
  })

  it('open: half of the width for one, and the others stay in order', () => {
    const open = racksOf(scene, -1).closed[3]!
    const layout = layoutOf(scene, { ...view, open: open.node })
    expect(racksOf(scene, open.node).closed).toHaveLength(7)
    const xs = open.hosts.map((node) => layout.x[node]!)
    expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(0.42 * view.width)
    const all = scene.nodes.flatMap(({ kind }, i) => (kind === 'host' ? [layout.x[i]!] : []))
    expect([...all].sort((a, b) => a - b)).toEqual(all)
    expect(Math.max(...layout.x)).toBeLessThan(view.width)
  })
})

describe('the lens', () => {
  it('keeps the point between the fingers, and never leaves the picture', () => {
    const lens = new Lens()
    lens.zoom(3, 300, 100, 900, 360)
    expect(lens.inside(300, 100)).toEqual({ x: 300, y: 100 })
    lens.move(5000, 5000, 900, 360)
    expect(lens.inside(0, 0)).toEqual({ x: 0, y: 0 })
    lens.zoom(0.01, 0, 0, 900, 360)
    expect(lens.isWhole).toBe(true)
  })
})
