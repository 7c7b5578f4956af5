/** When flows come, as scenarios write it: at random by load or interval, in periods, at once. */
import {
  bound,
  is,
  kinds,
  optional,
  otherwise,
  ratio,
  section,
  show,
  time,
  WRONG,
} from '@weir/engine/codec'
import type { Codec, Place, Section, Wrong } from '@weir/engine/codec'

export type ArrivalsInput =
  /** Fraction of the hosts' link capacity that is asked for, all hosts alike. */
  | { readonly kind: 'poisson'; readonly load: number }
  | { readonly kind: 'poisson-rate'; readonly meanIntervalPs: number }
  | Periodic

/** All flows of the pattern at once, `count` times (0: to the end), `periodPs` apart. */
export interface Periodic {
  readonly kind: 'periodic'
  readonly periodPs: number
  readonly count: number
}

type Poisson = Exclude<ArrivalsInput, Periodic>

interface PoissonKeys {
  readonly kind: 'poisson'
  readonly load: unknown
  readonly intervalPs: number | undefined
}

/** Bounds of a load are said by `completePoisson`, with their reason. */
const load: Codec<unknown> = {
  read: (input) => input,
  write: (value) => value,
  json: ratio(0, 1, '0.5').json,
}
const loadNumber = ratio(0, Infinity, '0.5')

const poissonKeys = section<PoissonKeys>('Poisson arrivals', {
  kind: is('poisson'),
  load: optional(load),
  intervalPs: optional(time()),
})

const poisson: Section<Poisson> = {
  ...poissonKeys,
  read(input, at) {
    const keys = poissonKeys.read(input, at)
    return keys === WRONG ? WRONG : completePoisson(keys, at)
  },
  write: (value) =>
    poissonKeys.write(
      value.kind === 'poisson'
        ? { ...value, intervalPs: undefined }
        : { kind: 'poisson', load: undefined, intervalPs: value.meanIntervalPs },
    ),
}

/** A load, or a mean interval between the flows of the whole item: one of the two. */
function completePoisson({ load: given, intervalPs }: PoissonKeys, at: Place): Poisson | Wrong {
  const say = (key: string, sentence: string): Wrong => at.at(key).refuse(sentence)
  if (given === undefined) {
    return intervalPs === undefined
      ? say('load', 'missing; write a load such as 0.5, or a mean interval such as 10us')
      : { kind: 'poisson-rate', meanIntervalPs: intervalPs }
  }
  if (intervalPs !== undefined) {
    return say('interval', 'there is a load already; keep load or interval, not both')
  }
  const number = loadNumber.read(given, at.at('load'))
  if (number === WRONG) return WRONG
  if (number > 0 && number <= 1) return { kind: 'poisson', load: number }
  return say(
    'load',
    number > 1
      ? `${show(given)} asks for more than the hosts' links carry, so queues would only grow; ` +
          'write a load above 0 and at most 1'
      : `${show(given)} asks for no traffic; write a load above 0 and at most 1`,
  )
}

const periodic = section<Periodic>('periodic arrivals', {
  kind: is('periodic'),
  periodPs: time(),
  count: otherwise(bound(1_000_000_000, 10), 'none'),
})

/** One period of no length. */
const ONCE: Periodic = { kind: 'periodic', periodPs: 0, count: 1 }
const onceKeys = section<{ readonly kind: 'once' }>('arrivals at once', { kind: is('once') })
const once: Section<Periodic> = {
  ...onceKeys,
  read: (input, at) => (onceKeys.read(input, at) === WRONG ? WRONG : ONCE),
  write: () => ({ kind: 'once' }),
}

const isOnce = (value: ArrivalsInput): boolean =>
  value.kind === 'periodic' && value.periodPs === ONCE.periodPs && value.count === ONCE.count

/** `arrivals:` of a generator. */
export const arrivalsCodec: Codec<ArrivalsInput> = kinds<ArrivalsInput>({
  what: 'a kind of arrivals',
  members: [poisson, periodic, once],
  kindOf: (value) =>
    isOnce(value) ? 'once' : value.kind === 'poisson-rate' ? 'poisson' : value.kind,
})
