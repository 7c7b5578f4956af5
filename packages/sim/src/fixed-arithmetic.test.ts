/**
 * ACCurate with the arithmetic of the circuit in hdl/, on the fabrics of document A's Figs. 3 and
 * 4: what each flow has delivered, beside floating point.
 */
import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { scenarios } from './scenarios/index.ts'
import { loadSpec } from './spec/load.ts'

function deliveredOf(scenario: string, params: readonly string[]): readonly number[] {
  const text = scenarios.find(({ name }) => name === scenario)?.text ?? ''
  const scheme = ['scheme.name=accurate', ...params.map((one) => `scheme.params.${one}`)]
  const settings = [...scheme, 'run.until=2ms']
  const spec = loadSpec({ text, sourceName: scenario, files: () => undefined, settings })
  return simulate(spec).flows.deliveredBytes
}

/** Largest difference of a flow's delivered bytes from floating point's. */
function mostOff(scenario: string, rateBits: number): number {
  const float = deliveredOf(scenario, [])
  const fixed = deliveredOf(scenario, ['arithmetic=fixed', `rateBits=${rateBits}`])
  expect(Math.min(...float)).toBeGreaterThan(0)
  return Math.max(...fixed.map((bytes, f) => Math.abs(bytes / (float[f] ?? NaN) - 1)))
}

describe('ACCurate in fixed point', () => {
  it.each(['parking-lot', 'victim'])('of 12 bits is within 1% of floating point on %s', (name) => {
    expect(mostOff(name, 12)).toBeLessThan(0.01)
  })

  it('of 8 bits is nearly 1% off, for a third of the link is 80.7 steps and counts as 80', () => {
    const off = mostOff('parking-lot', 8)
    expect(off).toBeGreaterThan(0.005)
    expect(off).toBeLessThan(0.02)
  })
})
