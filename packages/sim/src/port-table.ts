/** What each port did in a run: how busy, how deep, what it marked and lost, and who paused it. */
import type { PauseCause } from '@weir/fabric'
import { Carriable } from './carriable.ts'
import type { PausedBy, PortTable } from './result.ts'
import type { Run } from './run.ts'

/** Utilisation is over `measuredPs`; counts, the deepest queue and pauses are of the whole run. */
export function portTable(run: Run, measuredPs: number): PortTable {
  const { fabric, observer } = run.network
  const { ports } = fabric
  const { nowPs } = run
  const names = portNames(run)
  const causes = fabric.gate.causes.byPort(nowPs)
  const carriable = new Carriable(run.network.graph, run.spec)
  const column = <T>(value: (port: number) => T): T[] => names.map((_, port) => value(port))
  return {
    name: names,
    of: column((port) => (ports.fromHost[port] === 1 ? 'host' : 'switch')),
    rateBps: Array.from(ports.rateBps),
    utilisation: column((port) => {
      const bytes = run.drain?.departedBytes[port] ?? observer.departedBytes(port, nowPs)
      return measuredPs > 0 ? (bytes * 8e12) / carriable.room(port, 0, measuredPs) : 0
    }),
    queueBytesMax: column((port) => observer.heldBytesMax(port)),
    queueBytesMean: column((port) => run.sampler.queueBytesMean(port)),
    packetsMarked: Array.from(ports.marks),
    packetsDropped: Array.from(ports.drops),
    packetsTrimmed: Array.from(ports.trims),
    packetsLost: Array.from(ports.lost),
    pausedPs: column((port) => observer.pausedPsAll(port, nowPs)),
    pausedBy: column((port) => pausedBy(run, port, causes[port], names)),
  }
}

function portNames({ network }: Run): string[] {
  const { ports } = network.fabric
  const { nodes } = network.graph
  return Array.from(
    ports.from,
    (from, port) => `${nodes[from].name}->${nodes[ports.to[port]].name}`,
  )
}

function pausedBy(
  { network }: Run,
  port: number,
  causes: readonly PauseCause[],
  names: readonly string[],
): PausedBy[] {
  const total = causes.reduce((sum, { ps }) => sum + ps, 0)
  const host = network.graph.nodes[network.fabric.ports.to[port]].name
  return causes.map((cause) => ({
    port: cause.port < 0 ? host : names[cause.port],
    share: cause.ps / total,
  }))
}
