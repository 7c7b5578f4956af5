/**
 * Pareto sizes, by inverse transform: many mice and a few elephants that carry most of the bytes.
 * R2C2 §5.2 draws shape 1.05 and mean 100 KB, so that 95% of the flows are below 100 KB.
 *
 * `meanBytes` is the mean of the distribution without a bound, which fixes its smallest value, mean
 * (shape - 1) / shape. `maxBytes` then cuts the tail off (a bounded Pareto distribution, not an
 * atom at the bound); 0 leaves it. With shape 1.05 most of the mean lies in that tail, so `mean()`
 * is the mean of what is really drawn, and a load comes out as asked.
 */
import { is, otherwise, ratio, section, size } from '@weir/engine/codec'
import type { Sizes, SizesKind } from '../contract.ts'
import { WorkloadError } from '../contract.ts'
import type { Random } from '@weir/engine'
import { pow } from '@weir/engine'

export function pareto(shape: number, meanBytes: number, maxBytes: number): Sizes {
  if (!(shape > 1) || !Number.isFinite(shape)) {
    throw new WorkloadError(
      `A Pareto distribution of shape ${shape} has no mean; give a shape above 1.`,
    )
  }
  if (!(meanBytes > 0) || !Number.isFinite(meanBytes)) {
    throw new WorkloadError(
      `A Pareto distribution has a mean of ${meanBytes} bytes; give one above 0.`,
    )
  }
  const minBytes = (meanBytes * (shape - 1)) / shape
  if (maxBytes !== 0 && !(maxBytes > minBytes)) {
    throw new WorkloadError(
      `A Pareto distribution of shape ${shape} and mean ${meanBytes} bytes starts at ` +
        `${Math.ceil(minBytes)} bytes; give a maximum above that, or 0 for none.`,
    )
  }
  // The part of the unbounded distribution that lies beyond the bound.
  const beyond = maxBytes === 0 ? 0 : pow(minBytes / maxBytes, shape)
  const largest = maxBytes === 0 ? Number.MAX_SAFE_INTEGER : maxBytes
  const mean =
    maxBytes === 0
      ? meanBytes
      : (meanBytes * (1 - pow(minBytes / maxBytes, shape - 1))) / (1 - beyond)
  return {
    mean: () => mean,
    sample: (random: Random) => {
      const survival = 1 - random.uniform() * (1 - beyond)
      const bytes = minBytes * pow(survival, -1 / shape)
      return Math.max(1, Math.round(Math.min(bytes, largest)))
    },
  }
}

export interface Pareto {
  readonly kind: 'pareto'
  readonly shape: number
  readonly meanBytes: number
  /** 0: no bound. */
  readonly maxBytes: number
}

export const paretoSizes: SizesKind<Pareto> = {
  summary: 'heavy-tailed, by shape and mean, cut off at a largest size',
  codec: section('Pareto sizes', {
    kind: is('pareto'),
    shape: ratio(0, 1000, '1.05'),
    meanBytes: size(),
    maxBytes: otherwise(size({ none: true }), 'none'),
  }),
  make: ({ shape, meanBytes, maxBytes }) => pareto(shape, meanBytes, maxBytes),
}
