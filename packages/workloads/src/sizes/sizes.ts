/** Every distribution of sizes by kind: the index is the catalogue. */
import { formatSize, parseSize } from '@weir/engine'
import { kinds } from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import type { Sizes, SizesKind } from '../contract.ts'
import { cdfSizes } from './cdf.ts'
import type { Cdf, CdfFile } from './cdf.ts'
import { fixedSizes } from './fixed.ts'
import type { Fixed } from './fixed.ts'
import { mixtureSizes } from './mixture.ts'
import type { Mixture } from './mixture.ts'
import { paretoSizes } from './pareto.ts'
import type { Pareto } from './pareto.ts'
import { sizeTables, tableNamed } from './tables.ts'

export type SizesInput = Fixed | Mixture | Pareto | Cdf

/** A distribution may still be in a file. */
export type SizesDraft = SizesInput | CdfFile

export const sizesKinds: readonly SizesKind<unknown>[] = [
  fixedSizes,
  mixtureSizes,
  paretoSizes,
  cdfSizes,
]

const tableNames = sizeTables.map(({ name }) => name)

/** `sizes:` of a generator. */
export const sizesCodec: Codec<SizesDraft> = kinds<SizesDraft>({
  what: 'a kind of sizes',
  members: sizesKinds.map(({ codec }) => codec),
  words: [],
  reads: `a size such as 64KB, or a table (${tableNames.join(', ')})`,
  readNames: tableNames,
  read: (given) => {
    const table = tableNamed(given)
    if (table !== undefined) return { kind: 'cdf', table: table.name }
    if (/^\d/u.test(given)) return { kind: 'fixed', size: (parseSize(given), given) }
    return undefined
  },
  short: (sizes) => {
    if (sizes.kind === 'fixed') return formatSize(sizes.bytes)
    if (sizes.kind !== 'cdf') return undefined
    const table = sizeTables.find(({ name }) => name === sizes.source)
    return JSON.stringify(table?.rows) === JSON.stringify(sizes.rows) ? sizes.source : undefined
  },
})

export function makeSizes(input: SizesInput): Sizes {
  const kind = sizesKinds.find(({ codec }) => codec.kind === input.kind)
  return (kind as SizesKind<SizesInput>).make(input)
}
