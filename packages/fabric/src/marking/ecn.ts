/**
 * `fabric.ecn`: how switches mark, as scenarios write it. `auto` is the marking that the scheme
 * recommends for each link rate; the others say it themselves, for all schemes alike.
 */
import { formatSize, parseRate, parseSize } from '@weir/engine'
import {
  is,
  kinds,
  optional,
  otherwise,
  rate,
  ratio,
  section,
  size,
  word,
  WRONG,
} from '@weir/engine/codec'
import type { Codec, Place, Section, Wrong } from '@weir/engine/codec'
import type { Marking } from '../contract/control.ts'

export type EcnSpec = 'auto' | NoMarking | ThresholdMarking | RedMarking

export interface NoMarking {
  readonly kind: 'none'
}

/** DCTCP, SIGCOMM 2010, section 3.1: a packet is marked if the queue is above K when it arrives. */
export interface ThresholdMarking {
  readonly kind: 'threshold'
  readonly kBytes: number
  readonly at: Marking['at']
  /** K is for this link rate and scales with a port's own; 0 does not scale. */
  readonly referenceRateBps: number
}

export interface RedMarking {
  readonly kind: 'red'
  readonly kminBytes: number
  readonly kmaxBytes: number
  readonly pmax: number
  readonly at: Marking['at']
  /** Thresholds are for this link rate and scale with a port's own; 0 does not scale. */
  readonly referenceRateBps: number
}

const at = word('a moment to mark', ['enqueue', 'dequeue'])

const autoKeys = section('automatic ECN marking', { kind: is('auto') })
const auto: Section<'auto'> = {
  ...autoKeys,
  read: (input, place) => (autoKeys.read(input, place) === WRONG ? WRONG : 'auto'),
  write: () => ({ kind: 'auto' }),
}

const none = section<NoMarking>('no ECN marking', { kind: is('none') })

const threshold = section<ThresholdMarking>('threshold marking', {
  kind: is('threshold'),
  kBytes: size({ example: '100KB' }),
  at: otherwise(at, 'enqueue'),
  referenceRateBps: otherwise(rate({ none: true }), 'none'),
})

/** HPCC's run.py for DCQCN: 100 KB to 400 KB at 25 Gb/s, scaled by link rate; Pmax 20%. */
const RED = { kmin: '100KB', kmax: '400KB', pmax: 0.2, referenceRate: '25Gbps' }

interface RedKeys {
  readonly kind: 'red'
  readonly kminBytes: number | undefined
  readonly kmaxBytes: number | undefined
  readonly pmax: number
  readonly at: Marking['at']
  readonly referenceRateBps: number | undefined
}

// HPCC's simulator marks a packet as it leaves, by what it leaves behind.
const redKeys = section<RedKeys>('RED marking', {
  kind: is('red'),
  kminBytes: optional(size({ zero: true })),
  kmaxBytes: optional(size()),
  pmax: otherwise(ratio(0, 1, '0.2'), RED.pmax),
  at: otherwise(at, 'dequeue'),
  referenceRateBps: optional(rate({ none: true })),
})

const red: Section<RedMarking> = {
  ...redKeys,
  read(input, place) {
    const keys = redKeys.read(input, place)
    return keys === WRONG ? WRONG : completeRed(keys, place)
  },
}

/** Thresholds that a user writes mean what they say; only the default ones scale with the rate. */
function completeRed(keys: RedKeys, place: Place): RedMarking | Wrong {
  const isWritten = keys.kminBytes !== undefined || keys.kmaxBytes !== undefined
  const kminBytes = keys.kminBytes ?? parseSize(RED.kmin)
  const kmaxBytes = keys.kmaxBytes ?? parseSize(RED.kmax)
  if (kminBytes > kmaxBytes) {
    return place
      .at(keys.kminBytes === undefined ? 'kmax' : 'kmin')
      .refuse(
        `kmin (${formatSize(kminBytes)}) is above kmax (${formatSize(kmaxBytes)}); ` +
          'write kmin below or at kmax',
      )
  }
  const { pmax, at: when } = keys
  const scaled = isWritten ? 0 : parseRate(RED.referenceRate)
  const referenceRateBps = keys.referenceRateBps ?? scaled
  return { kind: 'red', kminBytes, kmaxBytes, pmax, at: when, referenceRateBps }
}

export const ecnCodec: Codec<EcnSpec> = kinds<EcnSpec>({
  what: 'a kind of ECN marking',
  members: [auto, none, threshold, red],
  words: ['auto', 'none', 'red'],
  kindOf: (value) => (value === 'auto' ? 'auto' : value.kind),
})
