/** `fabric.flowControl`: how a switch keeps its neighbours from overrunning it. */
import {
  as,
  count,
  forms,
  is,
  kinds,
  list,
  orAuto,
  otherwise,
  rate,
  ratio,
  section,
  size,
  wrong,
} from '@weir/engine/codec'
import type { Codec, Section } from '@weir/engine/codec'
import { CLASSES } from '@weir/fabric'
import { limit } from './limit.ts'
import type { LimitSpec } from './limit.ts'

export type FlowControlSpec = NoFlowControl | PauseSpec | CreditsSpec | PerFlowSpec

/** Which classes are lossless is open until it is known how many there are. */
export type FlowControlDraft =
  | NoFlowControl
  | (Omit<PauseSpec, 'losslessClasses'> & { readonly losslessClasses: readonly number[] | 'all' })
  | CreditsSpec
  | PerFlowSpec

export interface NoFlowControl {
  readonly kind: 'none'
}

/** `pause` is PFC with a single class: 802.3x. */
export interface PauseSpec {
  readonly kind: 'pause' | 'pfc'
  /** Bytes of an ingress port and class at which XOFF is sent; or a share of the free buffer. */
  readonly xoff: LimitSpec
  /** XON is sent when the ingress has fallen this many bytes below the XOFF threshold. */
  readonly xonGapBytes: number
  /** Bytes reserved above XOFF for each ingress port and class; `auto` is worst case of link. */
  readonly headroomBytes: number | 'auto'
  /** Headroom as a multiple of what a link's delay holds at its rate; 0: as above. */
  readonly headroomDelays: number
  /** Bytes of an ingress port and class that are its own, and not counted against XOFF. */
  readonly reserveBytes: number
  /** Alpha is for links of this rate, and grows with a faster one's; 0: the same for all. */
  readonly referenceRateBps: number
  /** Classes that are never dropped but stopped; others are as without flow control. */
  readonly losslessClasses: readonly number[]
  readonly frameBytes: number
}

export interface CreditsSpec {
  readonly kind: 'credits'
  /** A credit is returned once this many bytes are free; 1 returns each packet's at once. */
  readonly creditBytes: number
}

/** Back-pressure that stops single flows: of switches that have a queue for each. */
export interface PerFlowSpec {
  readonly kind: 'per-flow'
  /** Bytes of a flow that may wait at an output; one more stops it upstream. */
  readonly xoffBytes: number | 'auto'
}

const LOSSLESS = 'write all, or a list of classes such as [3]'
const notClasses = (input: unknown): string =>
  wrong(input, 'a choice of lossless classes', LOSSLESS)

const lossless = forms<readonly number[] | 'all'>({
  text: {
    read: (input, at) => (input === 'all' ? 'all' : at.refuse(notClasses(input))),
    write: () => 'all',
    json: { const: 'all' },
  },
  list: list(count(0, CLASSES - 1, 3), LOSSLESS) as Codec<readonly number[] | 'all'>,
  error: notClasses,
  write: (value) => value,
})

const pauses = (kind: 'pause' | 'pfc'): Section<unknown> =>
  section(`${kind} flow control`, {
    kind: is(kind),
    /** HPCC's simulator: XOFF at an eighth of the free buffer ... */
    xoff: otherwise(limit('an XOFF threshold', '1/8', '64KB'), 'dynamic'),
    /** ... and XON three packets below. */
    xonGapBytes: otherwise(size({ zero: true }), '3072B'),
    headroomBytes: otherwise(orAuto(size({ zero: true })), 'auto'),
    headroomDelays: otherwise(ratio(0, 1000, '3'), 0),
    reserveBytes: otherwise(size({ zero: true }), '0B'),
    referenceRateBps: otherwise(rate({ none: true }), 'none'),
    losslessClasses: as('lossless', otherwise(lossless, 'all')),
    /** A PFC frame is the shortest Ethernet frame. */
    frameBytes: otherwise(size(), '64B'),
  })

export const flowControlCodec: Codec<FlowControlDraft> = kinds<FlowControlDraft>({
  what: 'a kind of flow control',
  members: [
    section('no flow control', { kind: is('none') }),
    pauses('pause'),
    pauses('pfc'),
    section('credit flow control', {
      kind: is('credits'),
      /** 1 byte: a packet's credit is returned as soon as the packet has left. */
      creditBytes: otherwise(size(), '1B'),
    }),
    section('per-flow flow control', {
      kind: is('per-flow'),
      /** What the output sends in the time that its neighbours need to answer, and two packets. */
      xoffBytes: otherwise(orAuto(size()), 'auto'),
    }),
  ],
})
