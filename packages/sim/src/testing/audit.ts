/**
 * Conservation, looked at from outside: every packet that exists is in exactly one place, every
 * counter says what the places hold, and what must not be negative or over is not. Can be called
 * between any two events; changes nothing, settles nothing. Cost: every packet and every port once.
 */
import { CLASSES, CLASS_BITS, CLASS_MASK, InputBuffered } from '@weir/fabric'
import { PerFlowQueues, SharedMemory } from '@weir/fabric'
import type { Committed } from '@weir/fabric'
import type { Run } from '../run.ts'
import { auditFlowQueues } from './audit-flow-queues.ts'
import { auditMaxima } from './audit-maxima.ts'

/** Where a packet is: in flight, in service or committed behind it, waiting, ... */
type Place =
  | 'in flight'
  | 'committed'
  | 'waiting'
  | 'at an input'
  | "in its flow's queue"
  | 'in a FIFO'
  | 'to be taken in'

const HELD_AT_OUTPUTS: ReadonlySet<Place> = new Set([
  'waiting',
  'at an input',
  "in its flow's queue",
])

export interface Held {
  readonly packet: number
  readonly place: Place
  /** The port that it is to leave by, or has left by. */
  readonly port: number
}

/** Throws, with a sentence, if anything is not conserved at this moment of the run. */
export function audit(run: Run): void {
  const held = whereabouts(run)
  auditPackets(run, held)
  auditFlows(run, held)
  auditOutputs(run, held)
  const [tooSmall] = auditMaxima(run, held)
  check(tooSmall === undefined, () => tooSmall as string)
  const { switches } = run.network
  if (switches instanceof SharedMemory) auditSharedMemory(run, held)
  else if (switches instanceof InputBuffered) auditInputs(run, held)
  else auditPerFlow(run, switches, held)
  auditCredits(run, held)
  auditLoss(run)
}

/** Advances a run to its end, looking every so many events; time must not go back. */
export function runAudited(run: Run, everyEvents: number): void {
  let beforePs = run.nowPs
  audit(run)
  while (run.advance(everyEvents)) {
    check(run.nowPs >= beforePs, () => `time went back from ${beforePs} to ${run.nowPs}`)
    beforePs = run.nowPs
    audit(run)
  }
  audit(run)
}

function check(isRight: boolean, sentence: () => string): void {
  if (!isRight) throw new Error(sentence())
}

function whereabouts({ network }: Run): Held[] {
  const { fabric, hosts, switches } = network
  const { inventory, ports } = fabric
  const held: Held[] = []
  for (let port = 0; port < ports.count; port++) {
    for (const packet of inventory.inFlight(port)) held.push({ packet, place: 'in flight', port })
    for (const { packet } of inventory.committed(port)) {
      if (packet >= 0) held.push({ packet, place: 'committed', port })
    }
    for (let queue = 0; queue <= CLASSES; queue++) {
      const waiting = inventory.waiting(port, queue)
      const isWaiting = ((ports.waiting[port] >> queue) & 1) === 1
      check(isWaiting === waiting.length > 0, () => `port ${port} misjudges wait queue ${queue}`)
      for (const packet of waiting) held.push({ packet, place: 'waiting', port })
    }
  }
  if (switches instanceof InputBuffered) {
    switches.eachQueued((packet, out) => held.push({ packet, place: 'at an input', port: out }))
  } else if (switches instanceof PerFlowQueues) {
    const place = "in its flow's queue"
    switches.eachQueued((packet, port) => held.push({ packet, place, port }))
  }
  hosts.eachHeld((packet, host, isOutgoing) => {
    const place = isOutgoing ? 'in a FIFO' : 'to be taken in'
    held.push({ packet, place, port: hosts.hostPort[host] })
  })
  return held
}

function auditPackets({ network }: Run, held: readonly Held[]): void {
  const { packets } = network.fabric
  const seen = new Map<number, Held>()
  const free = packets.freeList()
  for (const one of held) {
    const other = seen.get(one.packet)
    check(other === undefined, () => {
      return `packet ${one.packet} is ${one.place} and ${other?.place}: ${one.port}, ${other?.port}`
    })
    check(!free.has(one.packet), () => `packet ${one.packet} is free and ${one.place}`)
    seen.set(one.packet, one)
  }
  check(seen.size === packets.held, () => `${packets.held} packets exist, ${seen.size} are found`)
}

function auditFlows({ network, rows }: Run, held: readonly Held[]): void {
  const { fabric, hosts } = network
  const { inventory } = fabric
  for (const { packet } of held) {
    // A frame, or a packet from one node's agent to another's, is of no flow.
    if (inventory.isFrame(packet) || inventory.flow(packet) === -1) continue
    const flow = inventory.flow(packet)
    check(flow in hosts.flows, () => `packet ${packet} is of flow ${flow}, which never was`)
  }
  let delivered = 0
  hosts.flows.forEach((flow, slot) => {
    if (flow === undefined) return
    const { fresh, unacked, next, sizeBytes } = flow
    const { expected, deliveredBytes } = flow.receiver
    const order = `unacked ${unacked}, expected ${expected}, fresh ${fresh}, next ${next}`
    check(unacked <= expected && expected <= fresh && next <= fresh, () => `flow ${slot}: ${order}`)
    const sentBytes = Math.min(fresh * flow.mtuBytes, sizeBytes)
    check(deliveredBytes <= sentBytes, () => `flow ${slot} got ${deliveredBytes} of ${sentBytes}`)
    check(flow.inflightBytes >= 0, () => `flow ${slot} has ${flow.inflightBytes} bytes in flight`)
    // A flow that the run has not heard of has no row yet.
    if (flow.row < 0 || Number.isNaN(rows.endPs[flow.row])) delivered += deliveredBytes
  })
  rows.endPs.subarray(0, rows.count).forEach((endPs, row) => {
    if (Number.isNaN(endPs)) return
    delivered += rows.deliveredBytes[row]
    check(endPs >= rows.startPs[row], () => `flow ${row} ended before it began`)
  })
  check(delivered === hosts.deliveredBytes, () => 'delivered bytes do not add up over flows')
}

/** Bytes that outputs hold: committed and not accounted for as gone, or waiting for an output. */
export function* heldAtOutputs(
  { fabric }: Run['network'],
  held: readonly Held[],
): Iterable<Omit<Committed, 'packet' | 'isFrame'> & { readonly port: number }> {
  const { inventory, ports } = fabric
  for (let port = 0; port < ports.count; port++) {
    for (const one of inventory.committed(port)) if (!one.isFrame) yield { ...one, port }
  }
  for (const { packet, place, port } of held) {
    if (!HELD_AT_OUTPUTS.has(place) || inventory.isFrame(packet)) continue
    const bytes = inventory.bytes(packet)
    const trafficClass = inventory.trafficClass(packet)
    yield { bytes, trafficClass, ingress: inventory.ingress(packet), departPs: Infinity, port }
  }
}

function auditOutputs({ network }: Run, held: readonly Held[]): void {
  const { inventory, ports } = network.fabric
  const found = new Float64Array(ports.count * CLASSES)
  const all = new Float64Array(ports.count)
  for (const { port, trafficClass, bytes } of heldAtOutputs(network, held)) {
    found[port * CLASSES + trafficClass] += bytes
    all[port] += bytes
  }
  for (let port = 0; port < ports.count; port++) {
    const held = inventory.heldBytes(port)
    check(held === all[port], () => `port ${port} says ${held} bytes and holds ${all[port]}`)
    // Of a port that is FAST bytes of another class may be late, which have left.
    if (inventory.isFast(port)) continue
    for (let c = 0; c < CLASSES; c++) {
      const said = inventory.queuedBytes(port, c)
      const there = found[port * CLASSES + c]
      check(said === there, () => `class ${c} of port ${port} says ${said}, and holds ${there}`)
    }
  }
}

/** Bytes that each link and class has brought to the switch at its end, and that have not left. */
function bytesByIngress({ network }: Run, held: readonly Held[]): Map<number, number> {
  const bytes = new Map<number, number>()
  for (const { ingress, bytes: more } of heldAtOutputs(network, held)) {
    if (ingress >= 0) bytes.set(ingress, (bytes.get(ingress) ?? 0) + more)
  }
  return bytes
}

/** The same of what is still at its input: a packet in an output's FIFO has left it. */
function bytesAtInputs({ network }: Run, held: readonly Held[]): Map<number, number> {
  const { inventory } = network.fabric
  const bytes = new Map<number, number>()
  for (const { packet, place } of held) {
    const i = inventory.ingress(packet)
    if (place === 'at an input') bytes.set(i, (bytes.get(i) ?? 0) + inventory.bytes(packet))
  }
  return bytes
}

function auditSharedMemory(run: Run, held: readonly Held[]): void {
  const { fabric } = run.network
  const memory = run.network.switches as SharedMemory
  const bytes = bytesByIngress(run, held)
  const used = new Map<number, number>()
  for (let i = 0; i < fabric.ports.count * CLASSES; i++) {
    const shared = memory.sharedBytes[i]
    const headroom = memory.headroomBytes[i]
    const found = bytes.get(i) ?? 0
    const place = `class ${i & CLASS_MASK} of ingress ${i >> CLASS_BITS}`
    check(shared >= 0 && headroom >= 0, () => `${place} counts ${shared} and ${headroom}`)
    check(shared + headroom === found, () => `${place} says ${shared} + ${headroom}, not ${found}`)
    check(
      headroom <= memory.headroomOf(i >> CLASS_BITS),
      () => `${place} overruns its headroom: ${headroom}`,
    )
    const isOff = memory.pauses.isOff[i] === 1
    check(headroom === 0 || isOff, () => `${place} is in its headroom, and not off`)
    const node = fabric.ports.to[i >> CLASS_BITS]
    used.set(node, (used.get(node) ?? 0) + found)
  }
  fabric.graph.nodes.forEach((node, i) => {
    const found = used.get(i) ?? 0
    const said = memory.usedBytes[i]
    check(said === found, () => `${node.name} says that ${said} bytes are used, not ${found}`)
    const size = run.spec.fabric.buffer.bytes
    check(said <= size, () => `${node.name} holds ${said} bytes in a memory of ${size}`)
  })
}

function auditInputs(run: Run, held: readonly Held[]): void {
  const { fabric } = run.network
  const inputs = run.network.switches as InputBuffered
  const { buffer } = run.spec.fabric
  const bytes = (buffer.outputQueueBytes > 0 ? bytesAtInputs : bytesByIngress)(run, held)
  const size = buffer.bytes
  for (let i = 0; i < fabric.ports.count * CLASSES; i++) {
    const said = inputs.inputBytes[i]
    const found = bytes.get(i) ?? 0
    const place = `class ${i & CLASS_MASK} of input ${i >> CLASS_BITS}`
    check(said === found, () => `${place} says ${said} bytes and holds ${found}`)
    check(said <= size, () => `${place} holds ${said} bytes in a buffer of ${size}`)
  }
}

function auditPerFlow(run: Run, switches: PerFlowQueues, held: readonly Held[]): void {
  const [wrong] = auditFlowQueues(run.network, switches)
  check(wrong === undefined, () => wrong as string)
  const { fabric } = run.network
  const used = new Float64Array(fabric.graph.nodes.length)
  for (const { port, ingress, bytes } of heldAtOutputs(run.network, held)) {
    if (ingress >= 0) used[fabric.ports.from[port]] += bytes
  }
  used.forEach((found, node) => {
    const said = switches.usedBytes[node]
    check(said === found, () => `node ${node} says that ${said} bytes are used, not ${found}`)
  })
}

/** What a port may send, has sent that is not freed, and will be told of: always the buffer. */
function auditCredits(run: Run, held: readonly Held[]): void {
  const { credits, inventory, ports } = run.network.fabric
  if (credits === undefined) return
  const spent = new Map<number, number>()
  for (const { packet, place, port } of held) {
    if (place === 'waiting' || place === 'in a FIFO') continue
    const isThere = place === 'at an input' || place === 'to be taken in'
    const onLink = port * CLASSES + inventory.trafficClass(packet)
    const i = isThere ? inventory.ingress(packet) : onLink
    spent.set(i, (spent.get(i) ?? 0) + inventory.bytes(packet))
  }
  const size = run.spec.fabric.buffer.bytes
  for (let i = 0; i < ports.count * CLASSES; i++) {
    const available = credits.available[i]
    const pending = credits.pendingBytes(i >> CLASS_BITS, i & CLASS_MASK)
    const there = spent.get(i) ?? 0
    const place = `class ${i & CLASS_MASK} of port ${i >> CLASS_BITS}`
    check(available >= 0, () => `${place} has ${available} credits`)
    check(available + pending + there === size, () => {
      return `${place}: ${available} credits, ${pending} coming, ${there} spent, of ${size}`
    })
  }
}

function auditLoss({ network, spec }: Run): void {
  const { flowControl } = spec.fabric
  if (flowControl.kind === 'none') return
  if (flowControl.kind !== 'credits' && flowControl.kind !== 'per-flow') {
    if (flowControl.headroomBytes !== 'auto' || flowControl.headroomDelays > 0) return
    if (flowControl.losslessClasses.length < spec.fabric.classes) return
  }
  const { contention, ports } = network.fabric
  for (let port = 0; port < ports.count; port++) {
    // What its scheme drops there nobody promised to carry.
    if (contention[port]?.admits === true) continue
    check(ports.drops[port] === 0, () => `${ports.drops[port]} packets for port ${port} were lost`)
  }
}
