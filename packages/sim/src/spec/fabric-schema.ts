/**
 * `fabric:` as users write it. What depends on the kind of switch (buffer, flow control, where to
 * drop) is left open here and filled in by `completeFabric`.
 */
import { z } from 'zod'
import { formatSize, parseSize } from '@weir/engine'
import { defaults } from './defaults.ts'
import { count, list, orAuto, rate, ratio, size, time, word, wrong } from './quantities.ts'
import { kinds, section } from './sections.ts'
import type { FabricSpec } from './valid-spec.ts'

type Buffer = FabricSpec['buffer']

/** A fabric with what the switch decides still open. */
export type FabricDraft = Omit<FabricSpec, 'buffer' | 'classes' | 'flowControl' | 'scheduler'> & {
  readonly classes: number | undefined
  readonly scheduler: {
    readonly kind: FabricSpec['scheduler']['kind']
    readonly weights?: number[]
  }
  readonly buffer: {
    readonly bytes: number | undefined
    readonly threshold: Buffer['threshold']
    readonly inputQueue: Buffer['inputQueue'] | undefined
    readonly outputQueueBytes: number
    readonly dropAt: Buffer['dropAt'] | undefined
  }
  readonly flowControl: FlowControlDraft | undefined
}

type Pauses = Extract<FabricSpec['flowControl'], { kind: 'pfc' | 'pause' }>

/** Which classes are lossless is open until it is known how many there are. */
export type FlowControlDraft =
  | Exclude<FabricSpec['flowControl'], Pauses>
  | (Omit<Pauses, 'losslessClasses'> & { readonly losslessClasses: readonly number[] | 'all' })

type Limit =
  | { readonly kind: 'static'; readonly bytes: number }
  | { readonly kind: 'dynamic'; readonly alpha: number }

/** A limit on a queue: a size, or a share (alpha) of what is free. */
function limit(what: string, alpha: number | string, example: string): z.ZodType<Limit> {
  return kinds<Limit>({
    what,
    names: ['dynamic', 'static'],
    words: ['dynamic'],
    reads: `a size such as ${example}`,
    read: (text) => ({ kind: 'static', size: (parseSize(text), text) }),
    members: [
      section(what, {
        kind: z.literal('dynamic'),
        alpha: ratio(0.001, 1000, '1/8').prefault(alpha),
      }),
      section(what, { kind: z.literal('static'), size: size() }).transform((t) => ({
        kind: 'static',
        bytes: t.size,
      })),
    ],
  })
}

const scheduler = kinds<FabricDraft['scheduler']>({
  what: 'a scheduler',
  names: ['strict', 'round-robin', 'weighted-round-robin'],
  members: [
    section('a strict scheduler', { kind: z.literal('strict') }),
    section('a round-robin scheduler', { kind: z.literal('round-robin') }),
    section('a weighted-round-robin scheduler', {
      kind: z.literal('weighted-round-robin'),
      weights: list(ratio(0.001, 1000, '4'), 'a weight for each class, such as [1, 1, 1, 4]'),
    }),
  ],
})

const DRAFT_BUFFER = {
  bytes: undefined,
  threshold: { kind: 'dynamic', alpha: defaults.thresholdAlpha },
  inputQueue: undefined,
  outputQueueBytes: 0,
  dropAt: undefined,
} as const

const bufferMapping = section('a buffer', {
  size: size().optional(),
  threshold: limit('a threshold', defaults.thresholdAlpha, '1MB').prefault('dynamic'),
  inputQueue: word('an input queue', ['fifo', 'voq']).optional(),
  outputQueue: size({ none: true, example: '4KB' }).prefault('none'),
  dropAt: word('a place to drop', ['outputs', 'inputs']).optional(),
}).transform(({ size: bytes, outputQueue, ...rest }) => ({
  bytes,
  outputQueueBytes: outputQueue,
  ...rest,
}))

const buffer = z.union(
  [size().transform((bytes): FabricDraft['buffer'] => ({ ...DRAFT_BUFFER, bytes })), bufferMapping],
  { error: (issue) => wrong(issue.input, 'a buffer', 'write a size such as 32MB, or a mapping') },
) as z.ZodType<FabricDraft['buffer']>

const LOSSLESS = 'write all, or a list of classes such as [3]'
const lossless = z.union([z.literal('all'), list(count(0, 7, 3), LOSSLESS)], {
  error: (issue) => wrong(issue.input, 'a choice of lossless classes', LOSSLESS),
})

const pauses = (which: 'pause' | 'pfc'): z.ZodType =>
  section(`${which} flow control`, {
    kind: z.literal(which),
    xoff: limit('an XOFF threshold', defaults.xoffAlpha, '64KB').prefault('dynamic'),
    xonGap: size({ zero: true }).prefault(defaults.xonGap),
    headroom: orAuto(size({ zero: true })).prefault('auto'),
    headroomDelays: ratio(0, 1000, '3').prefault(0),
    reserve: size({ zero: true }).prefault('0B'),
    referenceRate: rate({ none: true }).prefault('none'),
    lossless: lossless.optional(),
    frame: size().prefault(defaults.pauseFrame),
  }).transform((t) => ({
    kind: which,
    xoff: t.xoff,
    xonGapBytes: t.xonGap,
    headroomBytes: t.headroom,
    headroomDelays: t.headroomDelays,
    reserveBytes: t.reserve,
    referenceRateBps: t.referenceRate,
    losslessClasses: t.lossless ?? 'all',
    frameBytes: t.frame,
  }))

const flowControl = kinds<FlowControlDraft>({
  what: 'a kind of flow control',
  names: ['none', 'pause', 'pfc', 'credits'],
  members: [
    section('no flow control', { kind: z.literal('none') }),
    pauses('pause'),
    pauses('pfc'),
    section('credit flow control', {
      kind: z.literal('credits'),
      credit: size().prefault(defaults.credit),
    }).transform((t) => ({ kind: 'credits', creditBytes: t.credit })),
  ],
})

const at = word('a moment to mark', ['enqueue', 'dequeue'])

const ecn = kinds<FabricSpec['ecn'] | { readonly kind: 'auto' }>({
  what: 'a kind of ECN marking',
  names: ['auto', 'none', 'threshold', 'red'],
  words: ['auto', 'none', 'red'],
  members: [
    section('automatic ECN marking', { kind: z.literal('auto') }),
    section('no ECN marking', { kind: z.literal('none') }),
    // DCTCP section 3.1: a packet is marked if the queue is above K when it arrives.
    section('threshold marking', {
      kind: z.literal('threshold'),
      k: size({ example: '100KB' }),
      at: at.prefault('enqueue'),
      referenceRate: rate({ none: true }).prefault('none'),
    }).transform((t) => ({
      kind: 'threshold',
      kBytes: t.k,
      at: t.at,
      referenceRateBps: t.referenceRate,
    })),
    // HPCC's simulator marks a packet as it leaves, by what it leaves behind.
    section('RED marking', {
      kind: z.literal('red'),
      kmin: size({ zero: true }).optional(),
      kmax: size().optional(),
      pmax: ratio(0, 1, '0.2').prefault(defaults.red.pmax),
      at: at.prefault('dequeue'),
      referenceRate: rate({ none: true }).optional(),
    }).transform(completeRed),
  ],
})

interface RedDraft {
  readonly kmin?: number | undefined
  readonly kmax?: number | undefined
  readonly pmax: number
  readonly at: 'enqueue' | 'dequeue'
  readonly referenceRate?: number | undefined
}

/** Thresholds that a user writes mean what they say; only the default ones scale with the rate. */
function completeRed(t: RedDraft, context: z.RefinementCtx): unknown {
  const written = t.kmin !== undefined || t.kmax !== undefined
  const kminBytes = t.kmin ?? parseSize(defaults.red.kmin)
  const kmaxBytes = t.kmax ?? parseSize(defaults.red.kmax)
  if (kminBytes > kmaxBytes) {
    context.addIssue({
      code: 'custom',
      path: [t.kmin === undefined ? 'kmax' : 'kmin'],
      message:
        `kmin (${formatSize(kminBytes)}) is above kmax (${formatSize(kmaxBytes)}); ` +
        'write kmin below or at kmax',
    })
  }
  return {
    kind: 'red',
    kminBytes,
    kmaxBytes,
    pmax: t.pmax,
    at: t.at,
    referenceRateBps: t.referenceRate ?? (written ? 0 : 25e9),
  }
}

export const fabricSchema: z.ZodType<FabricDraft> = section('the fabric', {
  switch: word('a kind of switch', ['shared-memory', 'input-buffered']).prefault(defaults.switch),
  forwarding: word('a way of forwarding', ['store-and-forward', 'cut-through']).prefault(
    defaults.forwarding,
  ),
  switchDelay: time({ zero: true }).prefault(defaults.switchDelay),
  classes: count(1, 8, 8).optional(),
  scheduler: scheduler.prefault(defaults.scheduler),
  buffer: buffer.optional(),
  flowControl: flowControl.optional(),
  ecn: ecn.prefault('auto'),
}).transform((t) => ({
  switch: t.switch,
  forwarding: t.forwarding,
  switchDelayPs: t.switchDelay,
  classes: t.classes,
  scheduler: t.scheduler,
  buffer: t.buffer ?? DRAFT_BUFFER,
  flowControl: t.flowControl,
  ecn: typeof t.ecn === 'object' && t.ecn.kind === 'auto' ? 'auto' : t.ecn,
})) as unknown as z.ZodType<FabricDraft>
