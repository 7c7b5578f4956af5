/**
 * Deadlock: ports that wait for each other in a cycle (Trivedi 2019: 'deadlocks in large
 * networks').
 *
 * A port and class is stuck if it can never send again, whatever comes. To find out, every packet
 * that may leave its switch is taken out, as if it had arrived and nothing came after it, and what
 * it held is free: an XON, or credits, may follow, and with them more packets may leave. What is
 * left when nothing more may leave will never move: the room it waits for is held by nothing but
 * itself, so following who waits for whom leads round a cycle. A deadlock that has yet to close (a
 * port of it may still send, an XOFF is still on its way) is none yet.
 *
 * Looks at queues as they are; changes nothing. Cost: every queued packet once, and per round the
 * ports that wait. `testing/kindest-future.ts` is its oracle.
 */
import { CLASSES, PerFlowQueues, SharedMemory } from '@weir/fabric'
import { holdings } from './held-at-inputs.ts'
import type { Network } from './network.ts'
import { stuckAtInputs } from './stuck-at-inputs.ts'
import { stuckAtOutputs } from './stuck-at-outputs.ts'
import { stoppedQueues, stuckInFlowQueues } from './stuck-in-flow-queues.ts'

/**
 * For each stuck switch port and class, as port * CLASSES + class: those at its far end that hold
 * the room it waits for.
 */
export type Stuck = Map<number, Set<number>>

/**
 * Names of the ports of one cycle, each waiting for the next; undefined if there is no deadlock.
 */
export function findDeadlock(network: Network): string[] | undefined {
  return nameCycle(network, findStuck(network))
}

export function findStuck(network: Network): Stuck {
  const { classesUsed, fabric, switches } = network
  if (switches instanceof SharedMemory) return stuckAtOutputs(fabric, switches)
  if (switches instanceof PerFlowQueues) {
    return stuckInFlowQueues(fabric.ports, stoppedQueues(switches))
  }
  const words = holdings(fabric, switches, classesUsed, () => true)
  return stuckAtInputs(fabric, switches, classesUsed, words)
}

export function nameCycle({ graph, fabric }: Network, stuck: Stuck): string[] | undefined {
  if (stuck.size === 0) return undefined
  const visited: number[] = []
  let at = stuck.keys().next().value as number
  while (!visited.includes(at)) {
    visited.push(at)
    at = stuck.get(at)?.values().next().value as number
  }
  return visited.slice(visited.indexOf(at)).map((key) => {
    const port = Math.floor(key / CLASSES)
    const from = graph.nodes[fabric.ports.from[port]!]!.name
    return `${from}->${graph.nodes[fabric.ports.to[port]!]!.name}`
  })
}
