/**
 * The oracle of deadlock: run a network on, as kindly as can be, and see what never leaves.
 *
 * `kindestFuture`: from here on no flow sends anything new, every node swallows what reaches it (so
 * that nothing new takes up room or draws an XOFF), an XOFF on its way is lost, and XON and credits
 * are decided as if the last bytes to leave an ingress left it last. Everything else is the
 * simulator's own: schedulers, arbitration, thresholds, frames, credits. A packet that waits even
 * then waits in any future. `plainFuture`: nothing new from any flow, and all else as it is.
 *
 * Shares nothing with `deadlock.ts`, which reads queues and runs nothing. Uses the run up.
 */
import {
  CLASSES,
  CLASS_BITS,
  CLASS_MASK,
  CREDIT,
  DELAYED_ACK,
  FLOW_TIMER,
  InputBuffered,
  LINK,
  NIC,
  onCredits,
  PORT,
  PORT_TIMER,
  PORT_TIMERS,
  TAKE_IN,
  TIMEOUT,
} from '@weir/fabric'
import type { Flow, Switches } from '@weir/fabric'
import type { Network } from '../network.ts'
import type { Run } from '../run.ts'

/** Switch outputs and classes, as port * CLASSES + class, with a packet that never leaves. */
export function kindestFuture({ network }: Run): Set<number> {
  const again = beKind(network)
  stopFlows(network)
  do drain(network)
  while (again())
  return waiting(network)
}

/** The same without kindness: what waits once nothing moves any more. */
export function plainFuture({ network }: Run): Set<number> {
  stopFlows(network)
  drain(network)
  return waiting(network)
}

function stopFlows({ hosts, windows }: Network): void {
  for (const flow of [...hosts.flows]) {
    if (flow !== undefined) hosts.stopFlow(flow, windows.latestPs)
  }
}

/** Outputs and classes that a packet waits for; of an input's queue, the first packet. */
function waiting({ fabric, switches, classesUsed }: Network): Set<number> {
  const { ports } = fabric
  const found = new Set<number>()
  for (let port = 0; port < ports.count; port++) {
    for (const c of classesUsed) {
      if (switches instanceof InputBuffered) {
        const isFifo = switches.outputBytes > 0 && ports.fromHost[port] === 0
        if (isFifo && (ports.waiting[port] >> c) & 1) found.add(port * CLASSES + c)
        if (ports.toHost[port] === 1) continue
        switches.eachWanted(port, c, (output) => found.add(output))
      } else if (ports.fromHost[port] === 0 && (ports.waiting[port] >> c) & 1) {
        found.add(port * CLASSES + c)
      }
    }
  }
  return found
}

/**
 * Lets all that moves move, until nothing does. Nothing arrives and nothing is sent again; schemes'
 * timers fall silent.
 */
function drain({ fabric, hosts, portViews, windows, windowPs }: Network): void {
  while (windows.pending > 0) {
    // On the grid, as a run's are: a flow that ends cuts a window there.
    windows.open((Math.floor(windows.firstPs / windowPs) + 1) * windowPs)
    while (windows.pop()) move()
  }

  function move(): void {
    const { kind, target, nowPs } = windows
    if (kind === LINK) fabric.onLink(target, nowPs)
    else if (kind === PORT) fabric.onPort(target, nowPs)
    else if (kind === CREDIT) onCredits(fabric, target, nowPs)
    else if (kind === TAKE_IN) hosts.onTakeIn(target, nowPs)
    else if (kind === NIC) hosts.onNic(target, nowPs)
    else if (kind === DELAYED_ACK) hosts.onDelayedAck(target, nowPs)
    else if (kind === TIMEOUT) {
      const { timeout } = hosts.flows[target] as Flow
      timeout.isDue(Infinity)
    } else if (kind === FLOW_TIMER) {
      const timer = (hosts.flows[target >> 2] as Flow).timers[target & 3]
      if (timer !== undefined) timer.handle = -1
    } else if (kind === PORT_TIMER) {
      portViews[Math.floor(target / PORT_TIMERS)]?.timerFired(target % PORT_TIMERS)
    }
  }
}

/** From here on the network is kind; returns what gives those left over their second chance. */
function beKind({ fabric, switches, windows }: Network): () => boolean {
  const { ports, gate } = fabric
  /** Bytes that have left each ingress and class since. */
  const released = new Map<number, number>()
  const count = (i: number, bytes: number): void => {
    released.set(i, (released.get(i) ?? 0) + bytes)
  }
  const keptBefore = Array.from({ length: ports.count * CLASSES }, (_, i) =>
    fabric.credits === undefined ? 0 : fabric.credits.keptBytes(i >> CLASS_BITS, i & CLASS_MASK),
  )
  const kind: Switches = {
    receive: (_node, link, packet, nowPs) => swallow(link, packet, nowPs),
    release: (node, ingress, bytes) => {
      if (fabric.credits === undefined) count(ingress, bytes)
      switches.release(node, ingress, bytes)
    },
    afterSettle: (nowPs) => switches.afterSettle(nowPs),
    arbitrate: (port, nowPs) => switches.arbitrate(port, nowPs),
    afterArbitration: (packet, departPs, nowPs) => {
      switches.afterArbitration(packet, departPs, nowPs)
    },
    afterQueue: (port, packet, nowPs) => switches.afterQueue(port, packet, nowPs),
    isEager: (node) => switches.isEager(node),
  }
  const swallow = (link: number, packet: number, nowPs: number): void => {
    gate.returnCreditsFor(link, packet, nowPs)
  }
  const returnCredits = gate.returnCredits.bind(gate)
  gate.returnCredits = (port, trafficClass, bytes, duePs) => {
    count(port * CLASSES + trafficClass, bytes)
    returnCredits(port, trafficClass, bytes, duePs)
  }
  fabric.switches = kind
  fabric.hosts = {
    receive: (_host, link, packet, nowPs) => swallow(link, packet, nowPs),
    onUnblocked: () => undefined,
    onFlowPaused: () => undefined,
    discard: () => undefined,
  }
  const setPaused = fabric.setPaused.bind(fabric)
  fabric.setPaused = (port, trafficClass, isOff, nowPs) => {
    if (!isOff) setPaused(port, trafficClass, false, nowPs)
  }
  return () => {
    for (const [i, bytes] of released) {
      const port = i >> CLASS_BITS
      const trafficClass = i & CLASS_MASK
      const nowPs = windows.latestPs
      if (fabric.credits === undefined) {
        if (ports.toHost[port] === 0) switches.release(ports.to[port], i, 0)
        switches.afterSettle(nowPs)
        continue
      }
      // Too few bytes for a credit, which would not have been the last: the credit comes after all.
      const { creditBytes } = fabric.credits
      const kept = fabric.credits.keptBytes(port, trafficClass)
      if (kept === 0 || keptBefore[i] + bytes < creditBytes) continue
      fabric.credits.available[i] -= creditBytes - kept
      returnCredits(port, trafficClass, creditBytes - kept, nowPs)
    }
    return windows.pending > 0
  }
}
