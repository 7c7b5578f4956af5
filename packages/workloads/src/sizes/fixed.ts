/** Every flow has the same size. Draws nothing from its random stream. */
import { as, is, section, size } from '@weir/engine/codec'
import type { Sizes, SizesKind } from '../contract.ts'
import { WorkloadError } from '../contract.ts'

export function fixed(bytes: number): Sizes {
  if (!(bytes >= 1) || !Number.isFinite(bytes)) {
    throw new WorkloadError(`A fixed size of ${bytes} bytes is no size; give at least 1 byte.`)
  }
  return { mean: () => bytes, sample: () => Math.round(bytes) }
}

export interface Fixed {
  readonly kind: 'fixed'
  readonly bytes: number
}

export const fixedSizes: SizesKind<Fixed> = {
  summary: 'every flow has the same size',
  codec: section('fixed sizes', { kind: is('fixed'), bytes: as('size', size()) }),
  make: ({ bytes }) => fixed(bytes),
}
