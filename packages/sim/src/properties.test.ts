import fc from 'fast-check'
import { CLASSES } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
import type { Result } from './result.ts'
import type { Run } from './run.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import {
  anySpec,
  audit,
  eventDriven,
  kindestFuture,
  runAudited,
  watchArrivals,
} from './testing/index.ts'

/** Seeds are fixed: a failure repeats. SEED and CASES of the environment look further. */
const cases = (numRuns: number, seed: number): fc.Parameters<unknown> => ({
  numRuns: Number(process.env.CASES ?? 0) || numRuns,
  seed: Number(process.env.SEED ?? 0) || seed,
  endOnFailure: true,
})
const MINUTES = 300_000

/**
 * Every flow has ended, with all its bytes; or the ports wait for each other, and it says so: then
 * the oracle finds the same ports stuck, and each port of the cycle among them.
 */
function expectEnded(run: Run): void {
  const { ended, flows } = run.result()
  if (ended.why !== 'deadlock') {
    expect(ended).toEqual({ why: 'completed' })
    expect(flows.deliveredBytes).toEqual(flows.sizeBytes)
    return
  }
  expect(flows.unfinished.some((why) => why.endsWith(ended.sentence))).toBe(true)
  const stuck = kindestFuture(run)
  const { fabric, graph } = run.network
  const names = new Set(
    [...stuck].map((output) => {
      const { from, to } = fabric.ports
      const port = Math.floor(output / CLASSES)
      return `${graph.nodes[from[port]!]!.name}->${graph.nodes[to[port]!]!.name}`
    }),
  )
  expect(ended.cycle.length).toBeGreaterThan(1)
  expect(ended.cycle.filter((port) => !names.has(port))).toEqual([])
}

function finish(spec: ValidSpec): Run {
  const run = createRun(spec)
  runAudited(run, 97)
  return run
}

describe('any fabric', () => {
  it(
    'loses nothing and ends every flow under PFC and PAUSE, or says that it is deadlocked',
    () => {
      const specs = anySpec({ flowControl: ['pfc', 'pause'] })
      fc.assert(
        fc.property(specs, (spec) => expectEnded(finish(spec))),
        cases(400, 11),
      )
    },
    MINUTES,
  )

  it(
    'loses nothing and ends every flow under credits, or says that it is deadlocked',
    () => {
      const specs = anySpec({ flowControl: ['credits'] })
      fc.assert(
        fc.property(specs, (spec) => expectEnded(finish(spec))),
        cases(400, 12),
      )
    },
    MINUTES,
  )

  it(
    'loses nothing and ends every flow with a queue for each, where others might lock up',
    () => {
      const specs = anySpec({ flowControl: ['per-flow'] })
      fc.assert(
        fc.property(specs, (spec) => {
          const run = finish(spec)
          expect(run.result().ended).toEqual({ why: 'completed' })
          expectEnded(run)
        }),
        cases(120, 16),
      )
    },
    MINUTES,
  )

  it(
    'ends every flow where no path closes a cycle of waiting, whatever the flow control',
    () => {
      const specs = anySpec({ flowControl: ['pfc', 'pause', 'credits'], treesOnly: true })
      fc.assert(
        fc.property(specs, (spec) => {
          const run = finish(spec)
          expect(run.result().ended).toEqual({ why: 'completed' })
          expectEnded(run)
        }),
        cases(400, 13),
      )
    },
    MINUTES,
  )

  it(
    'recovers every byte that a lossy fabric drops',
    () => {
      const specs = anySpec({ flowControl: ['none'] })
      fc.assert(
        fc.property(specs, (spec) => expectEnded(finish(spec))),
        cases(400, 14),
      )
    },
    MINUTES,
  )

  it(
    'gives the same trajectory by fast ports and by an event a departure, ties included',
    () => {
      fc.assert(
        fc.property(anySpec(), (spec) => {
          const run = (isDriven: boolean): [Result, string[]] => {
            const created = createRun(spec)
            const arrivals = watchArrivals(isDriven ? eventDriven(created) : created)
            while (created.advance(1e6)) continue
            return [created.result(), arrivals()]
          }
          const [fast, byFast] = run(false)
          const [slow, bySlow] = run(true)
          expect(bySlow).toEqual(byFast)
          expect(slow.flows.endPs).toEqual(fast.flows.endPs)
          const { events: _fast, ...fastCounters } = fast.counters
          const { events: _slow, ...slowCounters } = slow.counters
          expect(slowCounters).toEqual(fastCounters)
        }),
        cases(400, 15),
      )
    },
    MINUTES,
  )

  it(
    'gives the same trajectory twice, in steps of any size, sampled or not, and beside another run',
    () => {
      fc.assert(
        fc.property(anySpec(), anySpec(), fc.integer({ min: 1, max: 40 }), (spec, other, size) => {
          const { fingerprint } = simulate(spec)
          const otherPrint = simulate(other).fingerprint
          expect(simulate(spec).fingerprint).toBe(fingerprint)

          const a = createRun(spec)
          const b = createRun(other)
          let isMore = true
          while (isMore) {
            isMore = a.advance(size)
            if (b.advance(7)) isMore = true
          }
          expect(a.result().fingerprint).toBe(fingerprint)
          expect(b.result().fingerprint).toBe(otherPrint)

          const stepped = createRun(spec)
          for (let t = 0; stepped.step(t); t += 1_234_567) audit(stepped)
          expect(stepped.result().fingerprint).toBe(fingerprint)

          const metrics = { ...spec.metrics, intervalPs: 1_000_003, series: ['*'] }
          expect(simulate({ ...spec, metrics }).fingerprint).toBe(fingerprint)
        }),
        cases(200, 16),
      )
    },
    MINUTES,
  )
})
