/**
 * The Congestion Control Table (CCT): injection rate delays (IRD) by index, "at least 128 entries"
 * (E. G. Gran et al., IPDPS 2010, sections II-B and VII-B; InfiniBand Architecture 1.2.1, A10).
 *
 * By formula, cct[i] = i^2 * 7 / d^2 us, with d = 106 for the test bed, d = 95 for the vendor's
 * default, or the user's d; or as a table that the user writes: delays with units, separated by
 * blanks or commas.
 */
import { parseTime } from '@weir/engine'

const US = 1e6
export type TableForm = 'testbed' | 'vendor' | 'formula' | 'table'

/** The steepness d of the two published formulas. */
const DIVISORS: Readonly<Partial<Record<TableForm, number>>> = { testbed: 106, vendor: 95 }

/** Delays in whole ps, entries 0 to `limit`. A shorter table repeats its last entry. */
export function congestionControlTable(
  form: TableForm,
  ownDivisor: number,
  text: string,
  limit: number,
): Float64Array {
  const entries = new Float64Array(limit + 1)
  const divisor = form === 'formula' ? ownDivisor : DIVISORS[form]
  if (divisor !== undefined) {
    for (let i = 0; i <= limit; i++) entries[i] = Math.round((i * i * 7 * US) / (divisor * divisor))
    return entries
  }
  const written = text.split(/[\s,]+/u).filter((word) => word !== '')
  if (written.length === 0) {
    throw new Error('scheme.params.cctTable is empty; write delays such as "0us 0.1us 0.4us"')
  }
  const delays = written.map((word) => parseTime(word))
  for (let i = 0; i <= limit; i++) entries[i] = delays[Math.min(i, delays.length - 1)] as number
  return entries
}
