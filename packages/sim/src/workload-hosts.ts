/** The hosts of a network as a workload sees them: by name, in order, with their link's rate. */
import type { Host } from '@weir/workloads'
import type { Network } from './network.ts'

export function workloadHosts({ fabric, graph }: Network): Host[] {
  return fabric.hostNodes.map((node) => ({
    name: graph.nodes[node]!.name,
    aliases: graph.nodes[node]!.aliases,
    rateBps: fabric.ports.rateBps[fabric.portsOf[node]![0]!]!,
  }))
}
