/**
 * The largest queue and the fullest memory, looked at from outside: what is held at this moment is
 * no more than the maximum that was kept. Ports count in advance and look at their maxima only when
 * a new one is possible, so that this is worth a look of its own.
 */
import { BYTES, DEPART, HELD_MAX, INGRESS, KIND, PAUSE, SharedMemory } from '@weir/fabric'
import type { Run } from '../run.ts'
import type { Held } from './audit.ts'

/** Returns a sentence for each maximum that is too small. */
export function auditMaxima({ network, nowPs }: Run, held: readonly Held[]): string[] {
  const { fabric, switches } = network
  const { packets, ports } = fabric
  const byPort = new Float64Array(ports.count)
  const byNode = new Float64Array(fabric.graph.nodes.length)
  const add = (port: number, link: number, bytes: number): void => {
    byPort[port]! += bytes
    if (link >= 0) byNode[ports.from[port]!]! += bytes
  }
  for (const { packet, place, port } of held) {
    const isHere = place === 'committed' || place === 'waiting' || place === 'at an input'
    if (!isHere || packets.int[packet + KIND] === PAUSE) continue
    const hasLeft = place === 'committed' && packets.float[(packet >> 1) + DEPART]! <= nowPs
    if (!hasLeft) add(port, packets.int[packet + INGRESS]!, packets.int[packet + BYTES]!)
  }
  fabric.cut.each((port, _class, bytes, link, tailPs) => {
    if (tailPs > nowPs) add(port, link, bytes)
  })
  const wrong: string[] = []
  byPort.forEach((bytes, port) => {
    const most = ports.int[(port << 5) + HELD_MAX]!
    if (bytes > most) wrong.push(`port ${port} holds ${bytes} bytes, and never more than ${most}`)
  })
  if (!(switches instanceof SharedMemory)) return wrong
  byNode.forEach((bytes, i) => {
    const most = switches.usedBytesMax[i]!
    const name = fabric.graph.nodes[i]?.name
    if (bytes > most) wrong.push(`${name} holds ${bytes} bytes, and never more than ${most}`)
  })
  return wrong
}
