/** Slopes of fluid models at states of one's own: what tests compare with papers' equations. */
import { expect } from 'vitest'
import type { FluidModel, FluidNetwork, FluidSystem, FluidValues } from '../fluid/model.ts'

/** Ten flows of 40 Gb/s that share 20 Gb/s. */
export const NETWORK: FluidNetwork = {
  rateBps: 20e9,
  lineRateBps: 40e9,
  flows: 10,
  delayPs: 20e6,
  nearDelayPs: 8e6,
  packetBytes: 1000,
}
/** Rates of the bottleneck and of a line, in bytes per second. */
export const C: number = 2.5e9
export const LINE: number = 5e9

/** In two groups. */
export function systemOf(model: FluidModel, values: FluidValues = {}): FluidSystem {
  const groups = [{ flows: 3 }, { flows: 7, startPs: 1e6 }]
  return model.create(NETWORK, { ...model.defaults, ...values }, groups)
}

/** Slopes with the second group under way or not yet. */
export function slopesOf(
  system: FluidSystem,
  state: readonly number[],
  lagged: readonly (readonly number[])[],
  since: readonly number[] = [1, 1],
): number[] {
  const slope = new Float64Array(state.length)
  const then = lagged.map((row) => Float64Array.from(row))
  system.derivative(Float64Array.from(state), then, Float64Array.from(since), slope)
  return Array.from(slope)
}

export function expectClose(found: readonly number[], expected: readonly number[]): void {
  expected.forEach((value, i) => {
    expect(Math.abs(found[i]! - value) / (Math.abs(value) || 1), `number ${i}`).toBeLessThan(1e-9)
  })
}
