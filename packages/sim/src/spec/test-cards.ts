/** Schemes for tests of the spec alone: small cards with every unit and every need. */
import type { SchemeCard } from '@weir/schemes'
import { schemes } from '@weir/schemes'

const about = 'For tests.'
const source = 'tests'

const dcqcn: SchemeCard = {
  name: 'dcqcn',
  title: 'DCQCN',
  cite: source,
  needs: ['ecn', 'acks'],
  params: {
    g: { unit: 'fraction', default: 1 / 256, about, source },
    timer: { unit: 'time', default: 55e6, min: 1e6, max: 1e12, about, source },
    byteCounter: { unit: 'size', default: 10e6, about, source },
    rateAi: { unit: 'rate', default: 40e6, min: 1e6, max: 100e9, about, source },
    fastRecoveryTimes: { unit: 'count', default: 5, min: 1, about, source },
    clamp: { unit: 'boolean', default: false, about, source },
    variant: { unit: 'choice', default: 'paper', choices: ['paper', 'mellanox'], about, source },
  },
  presets: { paper: { about, source, values: { timer: 55e6 } } },
}

const card = (name: string, needs: SchemeCard['needs']): SchemeCard => ({
  ...dcqcn,
  name,
  needs,
  params: {},
  presets: {},
})

export const testCards: readonly SchemeCard[] = [
  dcqcn,
  card('none', []),
  card('accurate', ['lossless']),
  card('ib-cc', ['credits', 'input-buffered']),
  card('hpcc', ['telemetry', 'acks', 'lossless']),
]

/** The catalogue, and the test cards for what it does not have. */
export const allCards: readonly SchemeCard[] = [
  ...schemes,
  ...testCards.filter(({ name }) => !schemes.some((known) => known.name === name)),
]
