/**
 * Deadlock: ports that wait for each other in a cycle (document B: 'deadlocks in large networks').
 *
 * A port and class is blocked if it has packets and its far end has paused it or has no room. It is
 * stuck if the room it waits for can only be freed by stuck ports: the largest such set is what is
 * left when every port that something still moving could free has been taken out. If anything is
 * left it will never move, and following who waits for whom leads round a cycle. Looks at queues as
 * they are; changes nothing. Cost: every queued packet once.
 */
import type { InputBuffered } from '@weir/fabric'
import { BYTES, CLASSES, INGRESS, NEXT, SharedMemory } from '@weir/fabric'
import type { Network } from './network.ts'

/**
 * Names of the ports of one cycle, each waiting for the next; undefined if there is no deadlock.
 */
export function findDeadlock(network: Network): string[] | undefined {
  const waits =
    network.switches instanceof SharedMemory ? sharedWaits(network) : inputWaits(network)
  removeWhatCanMove(network, waits)
  if (waits.size === 0) return undefined
  return nameCycle(network, waits)
}

/**
 * For a blocked (port, class): the (port, class)es at its far end that hold its bytes, and how
 * many.
 */
type Waits = Map<number, Map<number, number>>

const key = (port: number, trafficClass: number): number => port * CLASSES + trafficClass

function sharedWaits(network: Network): Waits {
  const { fabric } = network
  const { ports, packets } = fabric
  const waits: Waits = new Map()
  for (let port = 0; port < ports.count; port++) {
    const blocked = ports.paused[port] & (ports.fromHost[port] === 1 ? 0xff : ports.waiting[port])
    for (let c = 0; c < CLASSES; c++) if ((blocked >> c) & 1) waits.set(key(port, c), new Map())
  }
  for (let port = 0; port < ports.count; port++) {
    for (let c = 0; c < CLASSES; c++) {
      if (!waits.has(key(port, c))) continue
      for (let p = ports.waitHead[port * 9 + c]; p >= 0; p = packets.int[p + NEXT]) {
        const link = packets.int[p + INGRESS]
        if (link < 0) continue
        const holders = waits.get(key(link, c))
        const held = holders?.get(key(port, c)) ?? 0
        holders?.set(key(port, c), held + packets.int[p + BYTES])
      }
    }
  }
  return waits
}

function inputWaits(network: Network): Waits {
  const { fabric } = network
  const { ports } = fabric
  const switches = network.switches as InputBuffered
  const nowPs = fabric.calendar.nowPs
  const waits: Waits = new Map()
  for (let port = 0; port < ports.count; port++) {
    for (const c of network.classesUsed) {
      const bytes = ports.fromHost[port] === 1 ? 64 : switches.nextBytes(port, c)
      if (bytes === 0 || !fabric.gate.isShut(port, c, bytes, nowPs)) continue
      const holders = new Map<number, number>()
      if (ports.toHost[port] === 0) {
        switches.eachWanted(port, c, (out) => holders.set(key(out, c), 1))
      }
      waits.set(key(port, c), holders)
    }
  }
  return waits
}

function removeWhatCanMove({ switches }: Network, waits: Waits): void {
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [waiting, holders] of waits) {
      if (isStuck(switches, waits, waiting, holders)) continue
      waits.delete(waiting)
      isChanged = true
    }
  }
}

function isStuck(
  switches: SharedMemory | InputBuffered,
  waits: Waits,
  waiting: number,
  holders: Map<number, number>,
): boolean {
  if (switches instanceof SharedMemory) {
    let stuckBytes = 0
    for (const [holder, bytes] of holders) if (waits.has(holder)) stuckBytes += bytes
    return switches.staysOff(waiting >> 3, waiting & 7, stuckBytes)
  }
  if (holders.size === 0) return false
  for (const holder of holders.keys()) if (!waits.has(holder)) return false
  return true
}

function nameCycle(network: Network, waits: Waits): string[] {
  const visited: number[] = []
  let at = waits.keys().next().value as number
  while (!visited.includes(at)) {
    visited.push(at)
    const holders = waits.get(at) as Map<number, number>
    at = [...holders.keys()].find((holder) => waits.has(holder)) as number
  }
  const { graph, fabric } = network
  return visited.slice(visited.indexOf(at)).map((k) => {
    const port = k >> 3
    const from = graph.nodes[fabric.ports.from[port]].name
    return `${from}->${graph.nodes[fabric.ports.to[port]].name}`
  })
}
