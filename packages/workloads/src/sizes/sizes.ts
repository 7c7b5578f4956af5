/** The distribution of sizes that a spec describes. */
import type { Sizes, SizesInput } from '../contract.ts'
import { cdf } from './cdf.ts'
import { fixed } from './fixed.ts'
import { mixture } from './mixture.ts'
import { pareto } from './pareto.ts'

export function makeSizes(input: SizesInput): Sizes {
  switch (input.kind) {
    case 'fixed':
      return fixed(input.bytes)
    case 'mixture':
      return mixture(input.parts)
    case 'pareto':
      return pareto(input.shape, input.meanBytes, input.maxBytes)
    case 'cdf':
      return cdf(input.source, input.rows)
  }
}
