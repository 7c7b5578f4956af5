/**
 * The flows that a spec asks for, with the ways that routing gives them, without running anything:
 * what theory is told of a scenario. Capacities are of payload, as rates of flows are.
 */
import { hashOf } from '@weir/engine'
import type { FlowSink } from '@weir/fabric'
import { ExplicitPaths } from '@weir/routing'
import { arrivals } from '@weir/workloads'
import type { Network } from '../network.ts'
import { buildNetwork } from '../network.ts'
import { payloadCapacities } from '../payload-capacities.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'
import { workloadHosts } from '../workload-hosts.ts'

/** More than this and theory takes longer than the packets. */
export const FLOWS_MAX = 400

export interface PlannedFlow {
  readonly name: string
  /** The ports that it crosses, the sender's own first. */
  readonly ports: readonly number[]
  readonly startPs: number
  /** Infinity: none. */
  readonly stopPs: number
  readonly sizeBytes: number
  readonly weight: number
}

export interface Planned {
  readonly network: Network
  /** By port, in bit/s of payload. */
  readonly capacitiesBps: readonly number[]
  readonly flows: readonly PlannedFlow[]
}

/** What theory cannot say of a scenario, and why: one sentence. */
export interface NoTheory {
  readonly why: string
}

export function plannedFlows(spec: ValidSpec): Planned | NoTheory {
  if (spec.workload.some(({ kind }) => kind === 'messages')) {
    return { why: 'flows that a program sends depend on each other: their times are not known.' }
  }
  const network = buildNetwork(spec, NOBODY)
  const { fabric, graph, routing } = network
  if (routing.perPacket) return { why: 'packets that are sprayed have no one path.' }
  const explicit = new ExplicitPaths(graph)
  const { seed, run } = spec
  const stream = arrivals(spec.workload, {
    hosts: workloadHosts(network),
    seed,
    untilPs: run.untilPs,
  })
  const flows: PlannedFlow[] = []
  while (stream.peekPs() < Infinity) {
    if (flows.length === FLOWS_MAX) return { why: `there are more than ${FLOWS_MAX} flows.` }
    const startPs = stream.peekPs()
    const arrival = stream.next()!
    const source = fabric.hostNodes[arrival.source]!
    const target = fabric.hostNodes[arrival.target]!
    const { path } = arrival
    flows.push({
      name: arrival.name,
      ports:
        path.length > 0
          ? explicit.path(source, target, path)
          : routing.path(source, target, hashOf(arrival.key)),
      startPs,
      stopPs: arrival.stopPs > 0 ? arrival.stopPs : Infinity,
      sizeBytes: arrival.sizeBytes > 0 ? arrival.sizeBytes : Infinity,
      weight: arrival.weight,
    })
  }
  return { network, capacitiesBps: payloadCapacities(spec, network), flows }
}

/** A network that is only looked at has nobody to tell. */
const NOBODY: FlowSink = {
  onFlowEnd: () => undefined,
  onDelivered: () => undefined,
}
