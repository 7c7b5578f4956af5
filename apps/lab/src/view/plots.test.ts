// @vitest-environment jsdom
/** What the rows of plots are made of. */
import { describe, expect, it } from 'vitest'
import type { ChartData } from './chart.ts'
import type { ShownLane } from './plots.ts'

// uPlot asks for it when it is loaded.
globalThis.matchMedia = () => new EventTarget() as MediaQueryList
const { insideRow } = await import('./plots.ts')

/** A lane whose scheme has one variable of one flow. */
function laneWith(scheme: string, variable: string, values: readonly number[]): ShownLane {
  const flow = { name: 'f1', row: 0 }
  const recording = {
    scene: { flowInternals: [variable], portInternals: [], innerPorts: [] },
    flows: [flow],
    rowOf: new Map([[flow.name, flow.row]]),
    timesPs: () => values.map((_, i) => i + 1),
    internalOfFlow: () => values,
  }
  return { recording, title: scheme, lane: { scheme } } as unknown as ShownLane
}

describe('the inside of a scheme', () => {
  const chartOf = (scheme: string, variable: string): ChartData =>
    insideRow([laneWith(scheme, variable, [1, 1, 3])], variable, ['f1']).charts[0]!

  it('jumps where it is one of several, and has no tick between two of them', () => {
    expect(chartOf('r2c2', 'routing')).toMatchObject({ isStepped: true, isWhole: true })
    expect(chartOf('infiniband', 'ccti')).toMatchObject({ isStepped: true, isWhole: true })
    const rate = chartOf('dcqcn', 'rate')
    expect([rate.isStepped, rate.isWhole]).toEqual([undefined, undefined])
  })
})
