/** Every flow has the same size. Draws nothing from its random stream. */
import type { Sizes } from '../contract.ts'
import { WorkloadError } from '../contract.ts'

export function fixed(bytes: number): Sizes {
  if (!(bytes >= 1) || !Number.isFinite(bytes)) {
    throw new WorkloadError(`A fixed size of ${bytes} bytes is no size; give at least 1 byte.`)
  }
  return { mean: () => bytes, sample: () => Math.round(bytes) }
}
