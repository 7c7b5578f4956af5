/**
 * Several fields in the one number that a packet takes along (`ReactionPoint.header`): whole
 * numbers of a given number of bits each, 53 in all, the first field lowest.
 *
 *     const { round, window } = headerFields({ round: 8, window: 16 })
 *     this.header = window.set(this.header, 10)   // at the sender
 *     round.get(ack.header)                       // where it is read
 *
 * Pure functions over numbers: nothing is allocated once the fields are named.
 */
export interface HeaderField {
  /** The most that it holds. */
  readonly max: number
  get(header: number): number
  /** The same header with another value of this field; throws if it does not fit. */
  set(header: number, value: number): number
}

/** All whole numbers up to 2^53 are exact. */
const BITS_MAX = 53

export function headerFields<K extends string>(
  bits: Readonly<Record<K, number>>,
): Readonly<Record<K, HeaderField>> {
  const fields = {} as Record<K, HeaderField>
  let offset = 0
  for (const name of Object.keys(bits) as K[]) {
    const width = bits[name]
    if (!Number.isInteger(width) || width < 1 || offset + width > BITS_MAX) {
      throw new Error(
        `the header field '${name}' has ${width} bits; fields have 1 or more, ${BITS_MAX} in all`,
      )
    }
    fields[name] = fieldAt(name, 2 ** offset, 2 ** width)
    offset += width
  }
  return fields
}

function fieldAt(name: string, unit: number, values: number): HeaderField {
  const get = (header: number): number => Math.floor(header / unit) % values
  return {
    max: values - 1,
    get,
    set: (header, value) => {
      if (!Number.isInteger(value) || value < 0 || value >= values) {
        throw new Error(`the header field '${name}' holds 0 to ${values - 1}, not ${value}`)
      }
      return header + (value - get(header)) * unit
    },
  }
}
