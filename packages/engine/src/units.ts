/**
 * Quantities as people write them: '1.5us', '25Gbps', '64KB'. Inside Weir a time is whole
 * picoseconds, a size whole bytes and a rate bits per second, each a plain number; text is read and
 * written only here.
 *
 * Two facts make picoseconds in a float64 enough. Whole numbers are exact up to 2^53, and 2^53 ps
 * are 9,007 s of simulated time. And one byte lasts a whole number of picoseconds at any rate that
 * divides 8 Tb/s (80 ps at 100G, 20 at 400G, 10 at 800G, 5 at 1.6T), so that the times of packets
 * add up without rounding. Hence no BigInt in the simulator; the parser uses it so that a decimal
 * fraction is rounded once, from its digits, and not by way of a binary fraction.
 *
 * Prefixes of sizes are decimal (KB is 1,000 bytes), binary ones are written KiB, MiB, GiB. Letters
 * have one case, because 'Gb' and 'GB' differ by eight.
 */

/** A quantity that cannot be read; the message is one sentence with the remedy. */
export class UnitError extends Error {
  override readonly name = 'UnitError'
}

/** Picoseconds of a time such as '1.5us', '200 ns' or '0'; rounded to a whole picosecond. */
export function parseTime(text: string): number {
  return parse(text, TIME)
}

/** Bits per second of a rate such as '25Gbps', '400 Gb/s' or '0'; rounded to a whole number. */
export function parseRate(text: string): number {
  return parse(text, RATE)
}

/** Bytes of a size such as '64KB', '9 MiB' or '0'; rounded to a whole byte. */
export function parseSize(text: string): number {
  return parse(text, SIZE)
}

/** A time that `parseTime` reads back to the same whole picosecond: 1500000 is '1.5us'. */
export function formatTime(ps: number): string {
  return exactly(ps, TIME_SHOWN)
}

/** A rate that `parseRate` reads back to the same whole bit/s: 25e9 is '25Gbps'. */
export function formatRate(bps: number): string {
  return exactly(bps, RATE_SHOWN)
}

/** A size that `parseSize` reads back to the same byte: 64000 is '64KB' and 65536 is '64KiB'. */
export function formatSize(bytes: number): string {
  const decimal = exactly(bytes, SIZE_SHOWN)
  let binary = decimal
  for (const [unit, scale] of BINARY_SHOWN) {
    if (bytes !== 0 && bytes % scale === 0) binary = `${bytes / scale}${unit}`
  }
  return binary.length < decimal.length ? binary : decimal
}

/** For tables, to three significant digits: '12.3 us'. No value (NaN, Infinity) is '-'. */
export function shortTime(ps: number): string {
  return shortly(ps, TIME_SHOWN)
}

/** For tables, to three significant digits: '9.41 Gbps'. No value (NaN, Infinity) is '-'. */
export function shortRate(bps: number): string {
  return shortly(bps, RATE_SHOWN)
}

/** For tables, to three significant digits: '65.5 KB'. No value (NaN, Infinity) is '-'. */
export function shortSize(bytes: number): string {
  return shortly(bytes, SIZE_SHOWN)
}

/** How long a link of this rate is busy with so many bytes, to the nearest picosecond. */
export function txTimePs(bytes: number, rateBps: number): number {
  return Math.round((bytes * 8e12) / rateBps)
}

/** A kind of quantity: its unit names with their scale, and what to say when a text is not one. */
interface Quantity {
  readonly article: string
  readonly units: ReadonlyMap<string, number>
  readonly example: string
  readonly choices: string
  readonly base: string
  readonly one: string
}

type Shown = readonly (readonly [unit: string, scale: number])[]

const TIME_SHOWN: Shown = [
  ['ps', 1],
  ['ns', 1e3],
  ['us', 1e6],
  ['ms', 1e9],
  ['s', 1e12],
]

const RATE_SHOWN: Shown = [
  ['bps', 1],
  ['kbps', 1e3],
  ['Mbps', 1e6],
  ['Gbps', 1e9],
  ['Tbps', 1e12],
]

const SIZE_SHOWN: Shown = [
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
]

const BINARY_SHOWN: Shown = [
  ['KiB', 1024],
  ['MiB', 1024 ** 2],
  ['GiB', 1024 ** 3],
]

const TIME: Quantity = {
  article: 'a time',
  // The micro sign and the Greek letter look alike and both are typed.
  units: new Map([...TIME_SHOWN, ['\u00b5s', 1e6], ['\u03bcs', 1e6]]),
  example: '1.5us',
  choices: 'ps, ns, us, ms or s',
  base: 'ps',
  one: 'picosecond',
}

const RATE: Quantity = {
  article: 'a rate',
  units: new Map(
    [...RATE_SHOWN, ['Kbps', 1e3] as const].flatMap(([unit, scale]) =>
      ['bps', 'b/s', 'bit/s'].map((ending) => [unit.slice(0, -3) + ending, scale] as const),
    ),
  ),
  example: '25Gbps',
  choices: 'bps, kbps, Mbps, Gbps or Tbps',
  base: 'bit/s',
  one: 'bit/s',
}

const SIZE: Quantity = {
  article: 'a size',
  units: new Map([...SIZE_SHOWN, ...BINARY_SHOWN, ['kB', 1e3]]),
  example: '64KB',
  choices: 'B, KB, MB, GB, KiB, MiB or GiB',
  base: 'bytes',
  one: 'byte',
}

/** Digits, point and exponent apart, so that no binary fraction is met on the way. */
const WRITTEN = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?\s*([^\d\s.,_].*)?$/u

function parse(text: string, kind: Quantity): number {
  const trimmed = text.trim()
  const match = WRITTEN.exec(trimmed)
  const whole = match?.[1] ?? ''
  const fraction = match?.[2] ?? ''
  if (match === null || whole + fraction === '') {
    throw new UnitError(
      trimmed.startsWith('-')
        ? `'${trimmed}' is negative; write ${kind.article} of 0 or more, such as '${kind.example}'.`
        : `'${trimmed}' is not ${kind.article}; write a number and a unit, ` +
            `such as '${kind.example}'.`,
    )
  }
  const digits = BigInt(whole + fraction)
  const unit = match[4]
  if (unit === undefined) {
    if (digits === 0n) return 0
    throw new UnitError(`'${trimmed}' has no unit; write one of ${kind.choices} after the number.`)
  }
  const scale = kind.units.get(unit)
  if (scale === undefined) throw new UnitError(unknownUnit(trimmed, unit, kind))
  const value = scaled(digits * BigInt(scale), Number(match[3] ?? 0) - fraction.length)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new UnitError(
      `'${trimmed}' is too large: ${kind.article} is exact up to 2^53 ${kind.base} ` +
        `(${exactly(2 ** 53, shownFor(kind))}); write a smaller one.`,
    )
  }
  if (value === 0n && digits !== 0n) {
    throw new UnitError(
      `'${trimmed}' is less than half a ${kind.one}, so it would be none at all; ` +
        'write a larger one.',
    )
  }
  return Number(value)
}

/** digits * 10^power to the nearest whole number, halves upwards. */
function scaled(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  return (digits + divisor / 2n) / divisor
}

function shownFor(kind: Quantity): Shown {
  return kind === TIME ? TIME_SHOWN : kind === RATE ? RATE_SHOWN : SIZE_SHOWN
}

function unknownUnit(text: string, unit: string, kind: Quantity): string {
  if (kind === RATE && /^([kKMGT]i?)?B(ps|\/s)?$/u.test(unit)) {
    const prefix = /^[kKMGT]?/u.exec(unit)?.[0] ?? ''
    return (
      `'${text}' counts bytes, and a rate is in bits per second; ` +
      `multiply by 8 and write '${prefix}bps' instead of '${unit}'.`
    )
  }
  if (kind === SIZE && /^([kKMGT]i?)?(b|bit)$/u.test(unit)) {
    const prefix = /^([KMG]i|[KMGT])?/u.exec(unit.replace(/^k/u, 'K'))?.[0] ?? ''
    return `'${text}' counts bits, and a size is in bytes; write '${prefix}B' instead of '${unit}'.`
  }
  const lower = unit.toLowerCase()
  const meant = [...kind.units.keys()].find((known) => known.toLowerCase() === lower)
  if (meant !== undefined) {
    return `'${text}' has the unit '${unit}', whose letters have one case; write '${meant}'.`
  }
  return `'${text}' has the unit '${unit}', not one of ${kind.article}; write ${kind.choices}.`
}

/** The whole number's own digits with a point put among them: nothing is rounded. */
function exactly(value: number, shown: Shown): string {
  if (!Number.isFinite(value)) return '-'
  const sign = value < 0 ? '-' : ''
  const magnitude = Math.round(Math.abs(value))
  const [unit, scale] = unitFor(magnitude, shown)
  const places = String(scale).length - 1
  const digits = String(magnitude).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/u, '')
  return `${magnitude === 0 ? '' : sign}${whole}${fraction === '' ? '' : `.${fraction}`}${unit}`
}

function shortly(value: number, shown: Shown): string {
  if (!Number.isFinite(value)) return '-'
  // Rounded before the unit is chosen: 999.6 ns is 1 us, not 1000 ns.
  const rounded = Number(value.toPrecision(3))
  const [unit, scale] = unitFor(Math.abs(rounded), shown)
  return `${Number((rounded / scale).toPrecision(3))} ${unit}`
}

/** The largest unit of which there is at least one. */
function unitFor(magnitude: number, shown: Shown): Shown[number] {
  let best = shown[0]!
  for (const entry of shown) if (magnitude >= entry[1]) best = entry
  return best
}
