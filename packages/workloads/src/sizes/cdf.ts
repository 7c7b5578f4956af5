/**
 * Sizes from a table of their cumulative distribution, by inverse transform with linear
 * interpolation between rows, as the generators of HPCC and its followers do. A first row above 0
 * is an atom at its size; two rows of one size are an atom too; two rows of one cumulative are a
 * gap, in which nothing is drawn. Binary search, one draw a sample.
 */
import {
  didYouMean,
  either,
  is,
  list,
  optional,
  ratio,
  section,
  show,
  text,
  WRONG,
} from '@weir/engine/codec'
import type { Codec, Place, Section, Wrong } from '@weir/engine/codec'
import type { Sizes, SizesKind } from '../contract.ts'
import { WorkloadError } from '../contract.ts'
import { sizeTables, tableNamed } from './tables.ts'
import type { Random } from '@weir/engine'

/** `source` names the table in messages; `rows` are [bytes, cumulative fraction]. */
export function cdf(source: string, rows: readonly CdfRow[]): Sizes {
  checkRows(source, rows)
  const bytes = Float64Array.from(rows, (row) => row[0])
  const fractions = Float64Array.from(rows, (row) => row[1])
  const mean = meanOf(rows)
  if (mean === 0) {
    throw new WorkloadError(`The sizes of '${source}' are all 0; give a row with a size above 0.`)
  }
  return {
    mean: () => mean,
    sample: (random: Random) =>
      Math.max(1, Math.round(inverse(bytes, fractions, random.uniform()))),
  }
}

/** Throws unless sizes and cumulatives rise, from 0 or more, and the last cumulative is 1. */
function checkRows(source: string, rows: readonly CdfRow[]): void {
  let bytesBefore = 0
  let fractionBefore = 0
  rows.forEach(([bytes, fraction], i) => {
    if (bytes > Number.MAX_SAFE_INTEGER) {
      throw new WorkloadError(
        `Row ${i + 1} of the size distribution '${source}' has a size of ${bytes} bytes; ` +
          'sizes are exact up to 2^53 bytes, so write a smaller one.',
      )
    }
    if (!(bytes >= bytesBefore && fraction >= fractionBefore)) {
      throw new WorkloadError(
        `Row ${i + 1} of the size distribution '${source}' (${bytes}, ${fraction}) falls below ` +
          'the row before it; sizes and cumulatives must rise from 0.',
      )
    }
    bytesBefore = bytes
    fractionBefore = fraction
  })
  if (fractionBefore !== 1) {
    throw new WorkloadError(
      rows.length === 0
        ? `The size distribution '${source}' has no rows; give at least one.`
        : `The size distribution '${source}' ends at ${fractionBefore}; add the row for 1.`,
    )
  }
}

function meanOf(rows: readonly CdfRow[]): number {
  let mean = 0
  let bytesBefore = rows[0]?.[0] ?? 0
  let fractionBefore = 0
  for (const [bytes, fraction] of rows) {
    mean += ((fraction - fractionBefore) * (bytes + bytesBefore)) / 2
    bytesBefore = bytes
    fractionBefore = fraction
  }
  return mean
}

/** The size below which a fraction u, in [0, 1), of all sizes lies. */
function inverse(bytes: Float64Array, fractions: Float64Array, u: number): number {
  // The first row above u; there is one, since the last is 1. A gap is never such a segment's end.
  let low = 0
  let high = fractions.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (fractions[middle]! > u) high = middle
    else low = middle + 1
  }
  if (low === 0) return bytes[0]!
  const from = bytes[low - 1]!
  const below = fractions[low - 1]!
  return from + ((u - below) / (fractions[low]! - below)) * (bytes[low]! - from)
}

export interface Cdf {
  readonly kind: 'cdf'
  /** Whose distribution it is. */
  readonly source: string
  readonly rows: readonly CdfRow[]
}

export type CdfRow = readonly [bytes: number, fraction: number]

/** A distribution whose rows are still in a file: whoever has files reads it (parse-cdf.ts). */
export interface CdfFile {
  readonly kind: 'cdf-file'
  readonly file: string
  readonly source: string | undefined
}

interface CdfKeys {
  readonly kind: 'cdf'
  readonly table: string | undefined
  readonly file: string | undefined
  readonly source: string | undefined
  readonly rows: readonly CdfRow[] | undefined
}

const numbers = list(ratio(0, Infinity, '0.5'), 'a size in bytes and a cumulative fraction')
const row: Codec<CdfRow> = {
  ...numbers,
  read(input, at) {
    const [bytes, fraction, ...rest] = numbersOr(numbers.read(input, at), at)
    return bytes === undefined || fraction === undefined || rest.length > 0
      ? WRONG
      : [bytes, fraction]
  },
}

function numbersOr(read: readonly number[] | Wrong, at: Place): readonly number[] {
  if (read === WRONG) return []
  if (read.length !== 2) {
    at.refuse('a row has two numbers; write a size in bytes and a cumulative fraction')
  }
  return read
}

const cdfKeys = section<CdfKeys>('sizes by a CDF', {
  kind: is('cdf'),
  table: optional(text('a table', 'WebSearch')),
  file: optional(text('a file', 'sizes.txt')),
  source: optional(text('a source', 'a citation')),
  rows: optional(list(row, 'rows such as [[1000, 0.5], [2000, 1]]')),
})

const writtenCdf: Section<Cdf | CdfFile> = {
  ...cdfKeys,
  read(input, at) {
    const keys = cdfKeys.read(input, at)
    return keys === WRONG ? WRONG : completeCdf(keys, at)
  },
  write: ({ kind, ...rest }) => ({ kind: 'cdf', ...rest }),
}

function completeCdf(keys: CdfKeys, at: Place): Cdf | CdfFile | Wrong {
  const given = (['table', 'file', 'rows'] as const).filter((key) => keys[key] !== undefined)
  const table = keys.table === undefined ? undefined : tableNamed(keys.table)
  if (keys.table !== undefined && table === undefined) {
    const remedy = didYouMean(
      keys.table,
      sizeTables.map(({ name }) => name),
    )
    return at.at('table').refuse(`${show(keys.table)} is not a table of sizes; ${remedy}`)
  }
  if (given.length !== 1) {
    const are = given.length === 0 ? 'is none' : `are ${either(given, 'and')}`
    return at.refuse(`a CDF comes from one of table, file and rows, but there ${are}; keep one`)
  }
  const { file, source, rows } = keys
  if (file !== undefined) return { kind: 'cdf-file', file, source }
  if (rows !== undefined) return { kind: 'cdf', source: source ?? 'rows of the spec', rows }
  return { kind: 'cdf', source: table!.name, rows: table!.rows }
}

export const cdfSizes: SizesKind<Cdf, Cdf | CdfFile> = {
  summary: 'a measured distribution: a built-in table or a file',
  codec: writtenCdf,
  make: ({ source, rows }) => cdf(source, rows),
}
