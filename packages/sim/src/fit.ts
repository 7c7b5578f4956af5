/**
 * What a spec's parts must be to each other once the scheme's own headers are known: every buffer
 * holds the longest packet, every threshold lets one in, headroom fits into the memory that it is
 * set aside in, and no count of bytes outgrows the columns that hold it. A fabric that fails one of
 * these would run, and never move, lose what it calls lossless, or count wrongly.
 */
import { formatSize } from '@weir/engine'
import { PortEnds } from '@weir/fabric'
import type { Control, Graph } from '@weir/fabric'
import { lanesOf } from './lanes-of.ts'
import { classesOf, longestPacketBytes } from './network.ts'
import { headroomOf, inputXoffBytes, losslessOf } from './pfc-params.ts'
import { Refusal } from './spec/spec-error.ts'
import type { FabricSpec, ValidSpec } from './spec/valid-spec.ts'

/** Queues are counted in whole numbers of 32 bits; a packet more must still fit. */
const SHARED_MAX = 2_000_000_000
/** Credits share such a number with their class (credits.ts). */
const INPUT_MAX = 250_000_000

type Pauses = Extract<FabricSpec['flowControl'], { kind: 'pfc' | 'pause' }>

/** Throws a `Refusal` for the first thing that does not fit. */
export function checkFit(spec: ValidSpec, graph: Graph, control: Control): void {
  const { fabric } = spec
  const longest = longestPacketBytes(spec, control)
  const classesUsed = classesOf(spec, control, lanesOf(spec, graph))
  checkCounts(fabric, graph, classesUsed.length)
  const { bytes } = fabric.buffer
  if (bytes < longest) {
    throw new Refusal(
      ['fabric', 'buffer'],
      `a buffer of ${formatSize(bytes)} cannot hold the longest packet, ${formatSize(longest)} ` +
        `with what ${spec.scheme.name} adds; make the buffer larger or the packets smaller`,
    )
  }
  switch (fabric.flowControl.kind) {
    case 'none':
      if (fabric.switch === 'shared-memory') checkThreshold(fabric, longest)
      return
    case 'credits':
      checkCredits(spec, fabric.flowControl.creditBytes, longest)
      return
    case 'per-flow':
      return
    case 'pause':
    case 'pfc':
      if (fabric.flowControl.losslessClasses.length < fabric.classes) {
        checkThreshold(fabric, longest)
      }
      checkHeadroom(spec, graph, fabric.flowControl, longest, classesUsed)
  }
}

function checkCounts({ switch: kind, buffer }: FabricSpec, graph: Graph, classes: number): void {
  let inputs = 0
  if (kind === 'input-buffered') {
    const count = new Map<number, number>()
    for (const { a, b } of graph.links) {
      for (const node of [a, b]) count.set(node, (count.get(node) ?? 0) + 1)
    }
    inputs = Math.max(...count.values())
  }
  const most =
    inputs === 0
      ? SHARED_MAX
      : Math.min(INPUT_MAX, Math.floor(SHARED_MAX / (inputs * Math.max(1, classes))))
  if (buffer.bytes <= most) return
  const whose =
    inputs === 0
      ? 'a switch'
      : `each of ${inputs} inputs and ${classes} classes that may meet at one output`
  throw new Refusal(
    ['fabric', 'buffer'],
    `a buffer of ${formatSize(buffer.bytes)} is more than Weir counts for ${whose}; ` +
      `write at most ${formatSize(most)}`,
  )
}

function checkThreshold({ buffer }: FabricSpec, longest: number): void {
  const { threshold, bytes } = buffer
  const most = threshold.kind === 'static' ? threshold.bytes : threshold.alpha * bytes
  if (most >= longest) return
  throw new Refusal(
    ['fabric', 'buffer', 'threshold'],
    `a threshold of ${formatSize(Math.floor(most))} in an empty switch lets no packet of ` +
      `${formatSize(longest)} in, so all would be lost; write a larger one`,
  )
}

function checkCredits({ fabric, scheme }: ValidSpec, creditBytes: number, longest: number): void {
  const { bytes } = fabric.buffer
  if (bytes - (creditBytes - 1) >= longest) return
  throw new Refusal(
    ['fabric', 'flowControl', 'credit'],
    `a credit of ${formatSize(creditBytes)} can leave less than the longest packet, ` +
      `${formatSize(longest)} with what ${scheme.name} adds, in a buffer of ` +
      `${formatSize(bytes)}, for ever; write a smaller credit, or a larger buffer`,
  )
}

function checkHeadroom(
  spec: ValidSpec,
  graph: Graph,
  pfc: Pauses,
  longest: number,
  classesUsed: readonly number[],
): void {
  const { fabric } = spec
  const ports = new PortEnds(graph, fabric.switchDelayPs)
  const classes = losslessOf(pfc, classesUsed).length
  const headroom = headroomOf(ports, pfc, longest, classes)
  const isInput = fabric.switch === 'input-buffered'
  const { bytes } = fabric.buffer
  const path = pfc.headroomBytes === 'auto' ? ['fabric', 'buffer'] : [...FLOW_CONTROL, 'headroom']
  const taken = new Map<number, number>()
  for (let link = 0; link < ports.count; link++) {
    if (ports.toHost[link] === 1) continue
    const node = ports.to[link]!
    const here = headroom[link]!
    const whole = isInput ? here : (taken.get(node) ?? 0) + (here + pfc.reserveBytes) * classes
    taken.set(node, whole)
    const xoff = isInput ? inputXoffBytes(pfc.xoff, bytes, here) : 0
    const isShort = isInput ? whole + Math.max(1, xoff) > bytes : whole >= bytes
    if (!isShort) continue
    const name = graph.nodes[node]!.name
    const sum = isInput ? '' : totalText(ports, headroom, node, pfc.reserveBytes, classes)
    throw new Refusal(
      path,
      isInput
        ? `the headroom of ${formatSize(here)} that an input of ${name} needs after XOFF` +
            `${pfc.xoff.kind === 'static' ? ` at ${formatSize(xoff)}` : ''} does not fit into a ` +
            `buffer of ${formatSize(bytes)}; ${remedy(pfc)}`
        : `the headroom of ${name}'s ports takes ${sum}, and its buffer has ` +
            `${formatSize(bytes)}; ${remedy(pfc)}`,
    )
  }
  checkMoves(fabric, pfc, longest, taken)
}

const FLOW_CONTROL = ['fabric', 'flowControl']

function remedy(pfc: Pauses): string {
  return pfc.headroomBytes === 'auto'
    ? 'write a larger buffer, or flowControl.headroom'
    : 'write a smaller headroom, or a larger buffer'
}

function totalText(
  ports: PortEnds,
  headroom: Float64Array,
  node: number,
  reserveBytes: number,
  classes: number,
): string {
  let bytes = 0
  for (let link = 0; link < ports.count; link++) {
    if (ports.to[link] === node) bytes += (headroom[link]! + reserveBytes) * classes
  }
  return formatSize(bytes)
}

/** With headroom set by hand, the longest packet must fit under XOFF or into the headroom. */
function checkMoves(
  { switch: kind, buffer }: FabricSpec,
  pfc: Pauses,
  longest: number,
  taken: ReadonlyMap<number, number>,
): void {
  if (pfc.headroomBytes === 'auto' || kind === 'input-buffered') return
  if (pfc.headroomBytes >= longest) return
  for (const reserved of taken.values()) {
    const pool = buffer.bytes - reserved
    const level = pfc.xoff.kind === 'static' ? pfc.xoff.bytes : pfc.xoff.alpha * pool
    if (Math.min(pool, level) >= longest) continue
    throw new Refusal(
      [...FLOW_CONTROL, 'headroom'],
      `neither XOFF at ${formatSize(Math.floor(Math.min(pool, level)))} nor a headroom of ` +
        `${formatSize(pfc.headroomBytes)} lets a packet of ${formatSize(longest)} in, so all ` +
        'would be lost; write a larger xoff or headroom',
    )
  }
}
