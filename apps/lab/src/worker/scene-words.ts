/**
 * What a scene is told before its run begins: where the first flows will go, so that senders can
 * stand left of receivers, and the levels of a queue that mean something.
 */
import { hashOf } from '@weir/engine'
import { ExplicitPaths } from '@weir/routing'
import type { Run } from '@weir/sim'
import { arrivals } from '@weir/workloads'

const WAYS_MAX = 200

/** Port lists of the first flows, in the order of their start. */
export function waysOf({ spec, network }: Run): number[][] {
  const { graph, fabric, routing } = network
  const hosts = fabric.hostNodes.map((node) => ({
    name: graph.nodes[node]!.name,
    aliases: graph.nodes[node]!.aliases,
    rateBps: fabric.ports.rateBps[fabric.portsOf[node]![0]!]!,
  }))
  const stream = arrivals(spec.workload, { hosts, seed: spec.seed, untilPs: spec.run.untilPs })
  const explicit = new ExplicitPaths(graph)
  const ways: number[][] = []
  while (ways.length < WAYS_MAX && stream.peekPs() < Infinity) {
    const arrival = stream.next()
    if (arrival === undefined) break
    const [source, target] = [fabric.hostNodes[arrival.source]!, fabric.hostNodes[arrival.target]!]
    const ports =
      arrival.path.length > 0
        ? explicit.path(source, target, arrival.path)
        : routing.path(source, target, hashOf(arrival.key))
    ways.push([...ports])
  }
  return ways
}

/** What a scheme takes off each link before it shares it out, by its parameter. */
const HEADROOM: Readonly<Record<string, string>> = { accurate: 'alpha', r2c2: 'headroom' }

/** Of each link, what the scheme gives to flows. */
export function givenOf({ scheme }: Run['spec']): number {
  const headroom = scheme.params[HEADROOM[scheme.name] ?? '']
  return typeof headroom === 'number' ? 1 - headroom : 1
}

/** Bytes of a queue at which marking begins and is certain, by port; Infinity: never. */
export function marksOf({ spec, network }: Run): { kmin: Float64Array; kmax: Float64Array } {
  const { ports } = network.fabric
  const { ecn } = spec.fabric
  const kmin = new Float64Array(ports.count).fill(Infinity)
  const kmax = new Float64Array(ports.count).fill(Infinity)
  for (let port = 0; port < ports.count; port++) {
    if (ports.fromHost[port] === 1) continue
    const rateBps = ports.rateBps[port]!
    if (ecn === 'auto') {
      const marking = network.control.marking(rateBps)
      kmin[port] = marking?.kminBytes ?? Infinity
      kmax[port] = marking?.kmaxBytes ?? Infinity
    } else if (ecn.kind !== 'none') {
      const scale = ecn.referenceRateBps > 0 ? rateBps / ecn.referenceRateBps : 1
      kmin[port] = scale * (ecn.kind === 'red' ? ecn.kminBytes : ecn.kBytes)
      kmax[port] = scale * (ecn.kind === 'red' ? ecn.kmaxBytes : ecn.kBytes)
    }
  }
  return { kmin, kmax }
}

/** What a queue may hold before packets are lost; Infinity: it depends, or none are. */
export function lossAtOf({ spec }: Run): number {
  const { buffer, flowControl } = spec.fabric
  const isLossy = flowControl.kind === 'none'
  return isLossy && buffer.threshold.kind === 'static' ? buffer.threshold.bytes : Infinity
}

/** What an input may hold before it stops who fills it; Infinity: it depends, or never. */
export function xoffOf({ spec }: Run): number {
  const { flowControl } = spec.fabric
  if (flowControl.kind !== 'pfc' && flowControl.kind !== 'pause') return Infinity
  return flowControl.xoff.kind === 'static' ? flowControl.xoff.bytes : Infinity
}
