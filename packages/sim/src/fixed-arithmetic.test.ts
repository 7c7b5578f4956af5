/**
 * ACCurate with the arithmetic of the circuit in hdl/, on the fabrics of ACCurate's Figs. 3 and
 * 4: what each flow has delivered, beside floating point.
 */
import { circuitOf, ContentionCircuit } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
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

describe('a circuit that is listened to', () => {
  const text = scenarios.find(({ name }) => name === 'victim')?.text ?? ''
  const settings = ['scheme.name=accurate', 'scheme.params.arithmetic=fixed']
  const spec = loadSpec({ text, sourceName: 'victim', files: () => undefined, settings })

  it('tells every cycle in order, and the run is the same', () => {
    const run = createRun(spec)
    let cycles = 0
    run.network.fabric.contention.forEach((point) => {
      let again: ContentionCircuit | undefined = undefined
      const circuit = circuitOf(point, () => {
        if (circuit === undefined || again === undefined) return
        // The same inputs again, in a circuit of its own: a cycle left out would show.
        const { isTick, type, current, desired } = circuit.input
        again.cycle(isTick, type, current, desired)
        const { fsr, oldFsr, now, old, output } = circuit
        const { fsr: fsr2, oldFsr: oldFsr2, now: now2, old: old2, output: output2 } = again
        expect({ fsr, oldFsr, now, old, output }).toEqual({
          fsr: fsr2,
          oldFsr: oldFsr2,
          now: now2,
          old: old2,
          output: output2,
        })
        cycles++
      })
      if (circuit !== undefined) again = new ContentionCircuit(circuit.settings)
    })
    run.step(spec.run.untilPs)
    expect(cycles).toBeGreaterThan(500)
    expect(run.result().fingerprint).toBe(simulate(spec).fingerprint)
  })
})
