/** The sixteen of a switch: each as if it were alone. */
import { describe, expect, it } from 'vitest'
import { runBench, simulatorHere } from './simulators.ts'

const simulator = simulatorHere('icarus')

describe.skipIf(simulator === undefined)('sixteen contention points in Verilog', () => {
  it('do each what a single one does', () => {
    expect(runBench(simulator ?? 'icarus', 'contention_points_tb')).toContain('2000 cycles equal')
  }, 600_000)
})
