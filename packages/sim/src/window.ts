/** The hosts' own window (`hosts.window`), and round trips of the fabric that hosts go by. */
import { baseRttPs, bdpBytes, reversed } from '@weir/fabric'
import type { Control, Fabric, Graph, HostsParams, Routing } from '@weir/fabric'
import type { ValidSpec } from './spec/valid-spec.ts'

export function windowParams(
  spec: ValidSpec,
  fabric: Fabric,
  routing: Routing,
  control: Control,
): HostsParams['window'] {
  const { window } = spec.hosts
  switch (window.kind) {
    case 'none':
      return undefined
    case 'fixed':
      return { bytes: window.bytes, bdps: 0, followsRate: window.followsRate }
    case 'bdp': {
      const { bdps, of, followsRate } = window
      if (of === 'path') return { bytes: 0, bdps, followsRate }
      const bytes = bdps * largestBdpBytes(spec, fabric, routing, control)
      return { bytes, bdps: 0, followsRate }
    }
  }
}

/** The largest product of least rate and round trip between any two hosts, by their paths. */
function largestBdpBytes(
  spec: ValidSpec,
  fabric: Fabric,
  routing: Routing,
  control: Control,
): number {
  let largest = 0
  eachPath(spec, fabric, routing, control, (path, rttPs) => {
    largest = Math.max(largest, bdpBytes(fabric.ports, path, rttPs))
  })
  return largest
}

/** The longest round trip of a full packet and its ACK between any two hosts, by their paths. */
export function longestRttPs(
  spec: ValidSpec,
  fabric: Fabric,
  routing: Routing,
  control: Control,
): number {
  let longest = 0
  eachPath(spec, fabric, routing, control, (_, rttPs) => (longest = Math.max(longest, rttPs)))
  return longest
}

function eachPath(
  spec: ValidSpec,
  fabric: Fabric,
  routing: Routing,
  control: Control,
  visit: (path: readonly number[], rttPs: number) => void,
): void {
  const { mtuBytes, headerBytes, ack } = spec.hosts
  const packetBytes = mtuBytes + headerBytes + control.dataHeaderBytes
  const ackBytes = ack.bytes + control.ackHeaderBytes
  const { ports, cutThroughBytes } = fabric
  const hosts = oneOfEachKind(fabric.graph)
  for (const source of hosts) {
    for (const target of hosts) {
      if (source === target) continue
      const path = routing.path(source, target, 0)
      const back = reversed(path)
      visit(path, baseRttPs(ports, path, back, packetBytes, ackBytes, cutThroughBytes))
    }
  }
}

/** Hosts with the same switch, rate and delay are alike: two of each kind stand for all. */
function oneOfEachKind(graph: Graph): number[] {
  const chosen = new Map<string, number[]>()
  for (const { a, b, rateBps, delayPs } of graph.links) {
    for (const [host, other] of [
      [a, b],
      [b, a],
    ] as const) {
      if (graph.nodes[host]?.kind !== 'host') continue
      const kind = `${other} ${rateBps} ${delayPs}`
      const alike = chosen.get(kind) ?? []
      if (alike.length < 2) chosen.set(kind, [...alike, host])
    }
  }
  return [...chosen.values()].flat()
}
