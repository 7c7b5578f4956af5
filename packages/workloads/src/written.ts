/**
 * `workload:` as scenarios write it: a list whose items are flows one by one (`flows`), flows from
 * a file (`flowsFile`), flows drawn at random (`generate`), or messages of a program (`messages`).
 * Names may still be open, and files unread: whoever has the topology and the files completes it.
 */
import {
  bound,
  count,
  either,
  forms,
  list,
  mapped,
  name,
  optional,
  otherwise,
  rate,
  ratio,
  section,
  size,
  text,
  time,
  unless,
  WRONG,
  wrong,
} from '@weir/engine/codec'
import type { Codec, Place, Wrong } from '@weir/engine/codec'
import { arrivalsCodec } from './arrivals/arrivals.ts'
import { CLASS_MAX } from './contract.ts'
import type { FlowInput, GenerateInput } from './contract.ts'
import { programCodec } from './messages/benchmark.ts'
import type { MessagesInput } from './messages/driver.ts'
import { patternCodec } from './patterns/patterns.ts'
import { sizesCodec } from './sizes/sizes.ts'
import type { SizesDraft } from './sizes/sizes.ts'

/** An item that may still be called by its number. */
type Unnamed<T> = Omit<T, 'name'> & { readonly name: string | undefined }

export type FlowDraft = Unnamed<FlowInput>
export type MessagesDraft = Unnamed<MessagesInput>
export type GenerateDraft = Omit<Unnamed<GenerateInput>, 'sizes'> & { readonly sizes: SizesDraft }

export type WorkloadDraft =
  | { readonly kind: 'flows'; readonly flows: readonly FlowDraft[] }
  | { readonly kind: 'flows-file'; readonly file: string }
  | GenerateDraft
  | MessagesDraft

const host = name('a host', 'h0')
/** -1: that of the hosts. */
const trafficClass = unless(-1, count(0, CLASS_MAX, 3))
const start = otherwise(time({ zero: true }), '0us')

/** A list that is left out where it is empty. */
function listOrNone<T>(codec: Codec<readonly T[]>): Codec<readonly T[]> {
  return mapped(
    optional(codec),
    (given) => given ?? [],
    (given) => (given.length === 0 ? undefined : given),
  )
}

/** What a flow does not have is left out when it is written: lists of flows are long. */
const flow = section<FlowDraft>('a flow', {
  name: optional(name('a name', 'f1')),
  from: host,
  to: host,
  sizeBytes: unless(0, size({ none: true })),
  startPs: start,
  stopPs: unless(0, time({ none: true })),
  path: listOrNone(
    list(name('a switch', 'leaf0'), 'the switches to pass, such as [leaf0, spine1, leaf2]'),
  ),
  class: trafficClass,
  weight: unless(1, ratio(0.000_001, 1_000_000, '2')),
})

const range = name('hosts', 'h0..h15')
const ranges = list(range, 'names or ranges, such as [h0..h15, h20]')
const hostRanges = forms<readonly string[]>({
  text: mapped(
    range,
    (one) => [one],
    ([one]) => one!,
  ),
  list: ranges,
  error: (input) => wrong(input, 'hosts', 'write names or ranges, such as [h0..h15, h20]'),
  write: (value) => value,
})

type Generator = Omit<GenerateDraft, 'kind'>

const generator = section<Generator>('a generator', {
  name: optional(name('a name', 'g1')),
  arrivals: arrivalsCodec,
  sizes: sizesCodec,
  pattern: patternCodec,
  hosts: listOrNone(hostRanges),
  startPs: start,
  stopPs: otherwise(time({ none: true }), 'none'),
  flowsMax: otherwise(bound(Number.MAX_SAFE_INTEGER, 1000), 'none'),
  class: trafficClass,
})

/**
 * Half of the 1.5 us or so that MPI takes over a cable (Gran et al. 2010, Table III), per end;
 * between processes of one host 1.1 us and 880 MB/s.
 */
const overhead = otherwise(time({ zero: true }), '0.75us')

const messages = section<Omit<MessagesDraft, 'kind'>>('messages', {
  name: optional(name('a name', 'm1')),
  processes: list(host, 'the host of each process, such as [h0, h1, h0, h1]'),
  program: programCodec,
  startPs: start,
  sendOverheadPs: overhead,
  receiveOverheadPs: overhead,
  localDelayPs: otherwise(time({ zero: true }), '1.1us'),
  localRateBps: otherwise(rate(), '7Gbps'),
  class: trafficClass,
})

/** One of these, by its key. */
interface Item {
  readonly flows: readonly FlowDraft[] | undefined
  readonly flowsFile: string | undefined
  readonly generate: Generator | undefined
  readonly messages: Omit<MessagesDraft, 'kind'> | undefined
}

const NOTHING: Item = {
  flows: undefined,
  flowsFile: undefined,
  generate: undefined,
  messages: undefined,
}

const item = mapped(
  section<Item>('an item of the workload', {
    flows: optional(list(flow, 'flows such as {from: h0, to: h1, size: 1MB}')),
    flowsFile: optional(text('a file', 'flows.csv')),
    generate: optional(generator),
    messages: optional(messages),
  }),
  oneOf,
  (draft): Item => {
    switch (draft.kind) {
      case 'flows':
        return { ...NOTHING, flows: draft.flows }
      case 'flows-file':
        return { ...NOTHING, flowsFile: draft.file }
      case 'generate':
        return { ...NOTHING, generate: draft }
      case 'messages':
        return { ...NOTHING, messages: draft }
    }
  },
)

function oneOf(keys: Item, at: Place): WorkloadDraft | Wrong {
  const given = Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [] : [key]))
  if (given.length !== 1) {
    const how = given.length === 0 ? 'is empty' : `has ${either(given, 'and')}`
    const remedy =
      given.length === 0 ? 'write flows, flowsFile, generate or messages' : 'make an item of each'
    at.refuse(`this item of the workload ${how}; ${remedy}`)
    return WRONG
  }
  if (keys.flowsFile !== undefined) return { kind: 'flows-file', file: keys.flowsFile }
  if (keys.generate !== undefined) return { kind: 'generate', ...keys.generate }
  if (keys.messages !== undefined) return { kind: 'messages', ...keys.messages }
  return { kind: 'flows', flows: keys.flows ?? [] }
}

export const workloadCodec: Codec<readonly WorkloadDraft[]> = list(
  item,
  'items, each with flows, flowsFile, generate or messages',
)
