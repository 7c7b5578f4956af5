/**
 * `fabric:` of a scenario. What depends on the kind of switch (buffer, flow control, where to drop)
 * is left open where it is not written, and filled in by `completeFabric`.
 */
import {
  as,
  count,
  forms,
  is,
  kinds,
  list,
  optional,
  otherwise,
  ratio,
  section,
  size,
  time,
  word,
  WRONG,
  wrong,
} from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import { CLASSES, ecnCodec } from '@weir/fabric'
import type { EcnSpec } from '@weir/fabric'
import { flowControlCodec } from './flow-control.ts'
import type { FlowControlDraft, FlowControlSpec } from './flow-control.ts'
import { lanesCodec } from './lanes.ts'
import type { LanesSpec } from './lanes.ts'
import { limit } from './limit.ts'
import type { LimitSpec } from './limit.ts'

export interface FabricSpec {
  /**
   * Shared memory with output queues (RoCE), buffers at inputs (InfiniBand, ACCurate), or a queue
   * for each flow at each output (R2C2's PFQ).
   */
  readonly switch: 'shared-memory' | 'input-buffered' | 'per-flow-queues'
  readonly forwarding: 'store-and-forward' | 'cut-through'
  /** Time from a packet's arrival at a switch until it may leave: look-up and crossbar. */
  readonly switchDelayPs: number
  /**
   * Traffic classes (Ethernet) or virtual lanes (InfiniBand) in use, 1 to 8. Class 0 is the lowest.
   */
  readonly classes: number
  readonly scheduler: SchedulerSpec
  /** In which class a switch sends a packet on. */
  readonly lanes: LanesSpec
  readonly buffer: BufferSpec
  readonly flowControl: FlowControlSpec
  /** `auto` takes the marking that the scheme's preset recommends for each link rate. */
  readonly ecn: EcnSpec
}

export interface SchedulerSpec {
  readonly kind: 'strict' | 'round-robin' | 'weighted-round-robin'
  /** A weight for each class; used by weighted-round-robin. */
  readonly weights: readonly number[]
}

export interface BufferSpec {
  /** Of a switch; input-buffered: of an input port and class; per-flow queues: all that counts. */
  readonly bytes: number
  /** How much of a shared memory one output queue may take. */
  readonly threshold: LimitSpec
  /** Input-buffered: one FIFO an input and class, or one queue an output (VOQ). */
  readonly inputQueue: 'fifo' | 'voq'
  /** Input-buffered: bytes of each output's FIFO, by class; 0: none. */
  readonly outputQueueBytes: number
  /** Where a lossy fabric drops: the arriving packet at a full output queue, or at a full input. */
  readonly dropAt: 'outputs' | 'inputs'
}

/** A fabric with what the switch decides still open. */
export type FabricDraft = Omit<FabricSpec, 'buffer' | 'classes' | 'flowControl' | 'scheduler'> & {
  readonly classes: number | undefined
  readonly scheduler: Pick<SchedulerSpec, 'kind'> & Partial<SchedulerSpec>
  readonly buffer: BufferDraft
  readonly flowControl: FlowControlDraft | undefined
}

type BufferDraft = Omit<BufferSpec, 'bytes' | 'inputQueue' | 'dropAt'> & {
  readonly bytes: number | undefined
  readonly inputQueue: BufferSpec['inputQueue'] | undefined
  readonly dropAt: BufferSpec['dropAt'] | undefined
}

const scheduler = kinds<FabricDraft['scheduler']>({
  what: 'a scheduler',
  members: [
    section('a strict scheduler', { kind: is('strict') }),
    section('a round-robin scheduler', { kind: is('round-robin') }),
    section('a weighted-round-robin scheduler', {
      kind: is('weighted-round-robin'),
      weights: list(ratio(0.001, 1000, '4'), 'a weight for each class, such as [1, 1, 1, 4]'),
    }),
  ],
})

const bufferMapping = section<BufferDraft>('a buffer', {
  bytes: as('size', optional(size())),
  /** One queue may take as much as is left free (Choudhury and Hahne, 1998). */
  threshold: otherwise(limit('a threshold', 1, '1MB'), 'dynamic'),
  inputQueue: optional(word('an input queue', ['fifo', 'voq'])),
  outputQueueBytes: otherwise(size({ none: true, example: '4KB' }), 'none'),
  dropAt: optional(word('a place to drop', ['outputs', 'inputs'])),
})

/** A size alone is the buffer's. */
const bufferSize: Codec<BufferDraft> = {
  ...bufferMapping,
  read(input, at) {
    const bytes = size().read(input, at)
    const rest = bufferMapping.read({}, at)
    return bytes === WRONG || rest === WRONG ? WRONG : { ...rest, bytes }
  },
  json: size().json,
}

const buffer = forms<BufferDraft>({
  text: bufferSize,
  mapping: bufferMapping,
  error: (input) => wrong(input, 'a buffer', 'write a size such as 32MB, or a mapping'),
  write: (value) => bufferMapping.write(value),
})

export const fabricCodec: Codec<FabricDraft> = section<FabricDraft>('the fabric', {
  /** RoCE runs on shared-memory Ethernet switches. */
  switch: otherwise(
    word('a kind of switch', ['shared-memory', 'input-buffered', 'per-flow-queues']),
    'shared-memory',
  ),
  /** What the published simulators do; cut-through is the exception that one asks for. */
  forwarding: otherwise(
    word('a way of forwarding', ['store-and-forward', 'cut-through']),
    'store-and-forward',
  ),
  /** The link's delay is taken to hold the switch's pipeline too, as in HPCC's simulator. */
  switchDelayPs: otherwise(time({ zero: true }), '0ns'),
  classes: optional(count(1, CLASSES, 8)),
  /** Control in a higher class must not wait for data. */
  scheduler: otherwise(scheduler, 'strict'),
  /** A packet keeps its class, as in Ethernet and, but for tori, in InfiniBand. */
  lanes: otherwise(lanesCodec, 'none'),
  buffer: otherwise(buffer, {}),
  flowControl: optional(flowControlCodec),
  ecn: otherwise(ecnCodec, 'auto'),
})

/** As a draft that reads to the same: what a switch does not have is not written. */
export function fabricDraft(fabric: FabricSpec): FabricDraft {
  const { buffer: held, flowControl, classes } = fabric
  const isAll = 'losslessClasses' in flowControl && flowControl.losslessClasses.length === classes
  return {
    ...fabric,
    buffer: bufferDraft(fabric.switch, held),
    flowControl: isAll ? { ...flowControl, losslessClasses: 'all' } : flowControl,
  }
}

function bufferDraft(kind: FabricSpec['switch'], buffer: BufferSpec): BufferDraft {
  if (kind === 'input-buffered') return buffer
  const bytes = kind === 'per-flow-queues' ? undefined : buffer.bytes
  return { ...buffer, bytes, inputQueue: undefined }
}
