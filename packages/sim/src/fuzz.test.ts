/**
 * Specs at the edges of everything: refused with one sentence, or run to a sane end. A hundred or
 * two here; `WEIR_FUZZ=5000 npx vitest run packages/sim/src/fuzz.test.ts` looks for new ones.
 */
import fc from 'fast-check'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Result } from './result.ts'
import { loadSpec, printSpec, SpecError, validateSpec } from './spec/index.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { audit, extremeTree } from './testing/index.ts'

const EVENTS = 3000
const LONG = Number(process.env['WEIR_FUZZ'] ?? 0)
/** Fixed here, so that the suite does not change by itself; free where something new is wanted. */
const settings = LONG > 0 ? { numRuns: LONG } : { numRuns: 250, seed: 4 }

/** The spec, or undefined if it is refused as it should be. */
function accepted(tree: unknown): ValidSpec | undefined {
  try {
    return validateSpec(tree)
  } catch (error) {
    expect(error).toBeInstanceOf(SpecError)
    expect((error as Error).message).not.toMatch(/\n|undefined|NaN|\[object|invalid_|call stack/u)
    expect((error as Error).message.length).toBeLessThan(500)
    return undefined
  }
}

function expectSane(result: Result): void {
  const { counters, summary, flows, series, simulatedPs } = result
  for (const [name, value] of Object.entries(counters)) {
    expect(value, name).toBeGreaterThanOrEqual(0)
    expect(value, name).toBeLessThan(Infinity)
  }
  expect(simulatedPs).toBeGreaterThanOrEqual(0)
  expect(summary.flowsEnded).toBeLessThanOrEqual(summary.flows)
  flows.name.forEach((name, i) => {
    expect(flows.sizeBytes[i], name).toBeGreaterThanOrEqual(1)
    expect(flows.deliveredBytes[i], name).toBeGreaterThanOrEqual(0)
    expect(flows.deliveredBytes[i], name).toBeLessThanOrEqual(flows.sizeBytes[i]!)
    // A slowdown below 1 is a time on the empty fabric that is none; chance of rounding aside.
    if (flows.slowdown[i]! < 1 - 1e-9) expect(flows.slowdown[i], `slowdown of ${name}`).toBe(1)
  })
  for (const { name, values } of series) {
    if (!name.startsWith('queue.') && !name.startsWith('rate.')) continue
    for (const value of values) expect(value, name).toBeGreaterThanOrEqual(0)
  }
}

/** A flow that could have ended a hundred times has moved at least a byte. */
function expectMoved({ ended, flows, simulatedPs, counters }: Result): void {
  if (ended.why !== 'time' || counters.packetsSent > 0) return
  flows.name.forEach((name, i) => {
    const hadPs = simulatedPs - flows.startPs[i]!
    if (hadPs > 100 * flows.idealFctPs[i]!) expect(flows.deliveredBytes[i], name).toBeGreaterThan(0)
  })
}

describe('a spec at the edges', () => {
  it('is refused in one sentence, or runs to a sane end', { timeout: 1e7 }, () => {
    let run = 0
    fc.assert(
      fc.property(extremeTree(EVENTS), (tree) => {
        const spec = accepted(tree)
        if (spec === undefined) return
        run++
        const it = createRun(spec)
        while (it.advance(1000)) audit(it)
        audit(it)
        const result = it.result()
        expectSane(result)
        expectMoved(result)
        expect(loadSpec({ text: printSpec(spec) })).toEqual(spec)
      }),
      settings,
    )
    // A fuzzer whose every spec is refused looks at nothing.
    expect(run).toBeGreaterThan(settings.numRuns / 20)
  })
})
