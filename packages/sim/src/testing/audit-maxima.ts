/**
 * The largest queue and the fullest memory, looked at from outside: what is held at this moment is
 * no more than the maximum that was kept. Ports count in advance and look at their maxima only when
 * a new one is possible, so that this is worth a look of its own.
 */
import { InputBuffered } from '@weir/fabric'
import type { Run } from '../run.ts'
import { heldAtOutputs } from './audit.ts'
import type { Held } from './audit.ts'

/** Returns a sentence for each maximum that is too small. */
export function auditMaxima({ network, nowPs }: Run, held: readonly Held[]): string[] {
  const { fabric, observer, switches } = network
  const { ports } = fabric
  const byPort = new Float64Array(ports.count)
  const byNode = new Float64Array(fabric.graph.nodes.length)
  for (const { port, ingress, bytes, departPs } of heldAtOutputs(network, held)) {
    if (departPs <= nowPs) continue
    byPort[port]! += bytes
    if (ingress >= 0) byNode[ports.from[port]!]! += bytes
  }
  const wrong: string[] = []
  byPort.forEach((bytes, port) => {
    const most = observer.heldBytesMax(port)
    if (bytes > most) wrong.push(`port ${port} holds ${bytes} bytes, and never more than ${most}`)
  })
  if (switches instanceof InputBuffered) return wrong
  byNode.forEach((bytes, i) => {
    const most = switches.usedBytesMax[i]!
    const name = fabric.graph.nodes[i]?.name
    if (bytes > most) wrong.push(`${name} holds ${bytes} bytes, and never more than ${most}`)
  })
  return wrong
}
