import { describe, expect, it } from 'vitest'
import { cellsOf } from './cells.ts'
import type { Cells } from './cells.ts'
import { buildNetwork } from './network.ts'
import { graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

function of(topology: Tree): Cells {
  const flows = [{ from: 'h0', to: 'h1', size: '1KB' }]
  const spec = specOf({ topology, workload: [{ flows }] })
  return cellsOf(buildNetwork(spec, { onFlowEnd: () => undefined }).graph)
}
const links = (delays: readonly [string, string, string][]): Tree =>
  graphOf(delays.map(([a, b, delay]) => ({ a, b, rate: '10Gbps', delay })))

describe('cells', () => {
  it('are single nodes where links are alike, and windows are as long as the links', () => {
    const { cellOf, cells, windowPs } = of({ kind: 'star', hosts: 3, delay: '1us' })
    expect(Array.from(cellOf)).toEqual([0, 1, 2, 3])
    expect([cells, windowPs]).toEqual([4, 1e6])
  })

  it('are servers in a torus: a host and the switch beside it', () => {
    const torus = { kind: 'torus', dimensions: [3, 3], delay: '100ns', injectionDelay: '10ns' }
    const { cellOf, cells, windowPs } = of(torus)
    expect([cells, windowPs]).toEqual([9, 100e3])
    expect(new Set(cellOf).size).toBe(9)
  })

  it('are not servers where switches are no further apart than hosts from them', () => {
    const torus = { kind: 'torus', dimensions: [3, 3], delay: '100ns', injectionDelay: '60ns' }
    expect(of(torus)).toMatchObject({ cells: 18, windowPs: 60e3 })
  })

  it('hold together what is joined without delay, however far it reaches', () => {
    const { cellOf, cells, windowPs } = of(
      links([
        ['h0', 's0', '1us'],
        ['s0', 's1', '0us'],
        ['s1', 's2', '0us'],
        ['s2', 'h1', '2us'],
      ]),
    )
    expect([cells, windowPs]).toEqual([3, 1e6])
    const [, , s0, s1, s2] = cellOf
    expect([s1, s2]).toEqual([s0, s0])
  })
})
