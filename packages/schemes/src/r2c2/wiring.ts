/**
 * A fabric as a rack sees it: its channels, who hears broadcasts, and by way of whom packets may
 * go. Hosts are its nodes, whether each has a switch of its own or many share one.
 */
import type { Graph } from '@weir/fabric'
import type { TopologyOptions } from '@weir/rack'
import type { Channels } from '@weir/theory'
import { Cube, graphChannels } from '@weir/theory/routes'
import type { FlowProtocols } from './protocols.ts'

export interface Wiring {
  readonly channels: Channels
  /** The port of each channel. */
  readonly ports: Int32Array
  /** What a `Topology` of it is made with. */
  readonly options: TopologyOptions
}

export function wiringOf(graph: Graph, { detour }: FlowProtocols): Wiring {
  const { channels, ports } = graphChannels(graph)
  const isHost = graph.nodes.map(({ kind }) => kind === 'host')
  const options = {
    isMember: (node: number) => isHost[node]!,
    isWaypoint: waypointsOf(channels, isHost),
    detour,
    ...(graph.cube && { cube: new Cube(graph.cube.sizes, graph.cube.wraps ? 'torus' : 'mesh') }),
  }
  return { channels, ports, options }
}

/** VLB goes by way of switches that have hosts, as `routing: vlb` does. */
function waypointsOf(
  { from, starts, to }: Channels,
  isHost: readonly boolean[],
): (node: number) => boolean {
  const hasHost = Uint8Array.from(isHost, (isOne, node) => {
    if (isOne) return 0
    return to.subarray(starts[node], starts[node + 1]).some((next) => isHost[next]!) ? 1 : 0
  })
  // Hosts on one cable have no switch.
  const isSwitched = from.some((node) => !isHost[node]!)
  return (node) => (isSwitched ? hasHost[node] === 1 : true)
}
