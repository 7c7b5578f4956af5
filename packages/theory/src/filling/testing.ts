/** Flows by chance for tests of water-filling. */
import fc from 'fast-check'
import type { PrioritizedFlow } from './incremental.ts'

/** One that crosses so many of the first links at most. */
export const someFlow = (links: number, most: number = links): fc.Arbitrary<PrioritizedFlow> =>
  fc
    .record({
      used: fc.uniqueArray(fc.nat(links - 1), {
        minLength: 1,
        ...(most < links ? { maxLength: most } : {}),
      }),
      parts: fc.array(fc.constantFrom(1 / 3, 0.25, 0.5, 1), { minLength: 8, maxLength: 8 }),
      weight: fc.constantFrom(1, 1, 2, 0.5, 3.7),
      demandBps: fc.constantFrom(Infinity, Infinity, 0, 3e9, 20e9),
      priority: fc.constantFrom(0, 0, 1, 2),
    })
    .map(({ used, parts, weight, demandBps, priority }) => ({
      links: Int32Array.from(used),
      fractions: Float64Array.from(used, (_, k) => parts[k]!),
      weight,
      demandBps,
      priority,
    }))
