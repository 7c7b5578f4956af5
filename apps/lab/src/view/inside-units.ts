/**
 * What the numbers inside a scheme are: their unit, for the axis, and how they are written. By the
 * name that a scheme gives them; where two schemes mean different things, by both names.
 */
import { shortSize, shortTime } from '@weir/engine'
import { compact, plain } from '../model/compare.ts'
import { rateText } from '../model/rate-text.ts'

export interface InsideUnit {
  /** For the axis: of what these are so many, if their text does not say it. */
  readonly label: string
  readonly show: (value: number) => string
  /** A number of things, or of one among them: it is held until it jumps to another. */
  readonly isWhole?: boolean
}

const rate: InsideUnit = { label: 'rate', show: rateText }
const bytes: InsideUnit = { label: 'bytes', show: shortSize }
const span: InsideUnit = { label: 'time', show: shortTime }
const count = (label: string): InsideUnit => ({ label, show: compact })
const whole = (label: string): InsideUnit => ({ ...count(label), isWhole: true })
const ratio = (label: string): InsideUnit => ({ label, show: plain })

const UNITS: Readonly<Record<string, InsideUnit>> = {
  ...{ rate, current: rate, desired: rate, target: rate, fair: rate },
  ...{ fsr: rate, oldFsr: rate, b: rate, oldB: rate, bMax: rate },
  ...{ m: whole('flows'), oldM: whole('flows'), flows: whole('flows'), entries: whole('flows') },
  ...{ window: bytes, threshold: bytes, average: bytes, delay: span, rtt: span },
  ...{ quota: count('packets'), class: whole('class'), routing: whole('number') },
  ...{ alpha: ratio('0 to 1'), utilisation: ratio('of the link'), gradient: ratio('per RTT') },
  ...{ ccti: whole('index'), congested: whole('0 or 1'), fecns: count('marks') },
  ...{ cnps: count('per period'), feedback: count('0 to 63') },
  'swift window': count('packets'),
  'swift target': span,
}

/** Of a scheme of one's own nothing is known but the name. */
export function insideUnit(scheme: string, variable: string): InsideUnit {
  return UNITS[`${scheme} ${variable}`] ?? UNITS[variable] ?? { label: variable, show: compact }
}
