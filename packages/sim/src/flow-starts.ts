/**
 * How flows start: from a workload's arrival to a flow at its host. The run hands an arrival out
 * before its time has come, with its number, its path and what it would take alone; the host begins
 * the flow when it has, and the run gives it a row when it hears of that.
 */
import { hashOf } from '@weir/engine'
import type { Flow, FlowStart } from '@weir/fabric'
import { ExplicitPaths } from '@weir/routing'
import type { Arrival } from '@weir/workloads'
import type { ActiveFlows } from './active-flows.ts'
import type { FlowRow } from './flow-rows.ts'
import { idealFctOf } from './ideal-fct.ts'
import type { Network } from './network.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

interface HandedOut {
  readonly start: FlowStart
  readonly row: FlowRow
  readonly stops: boolean
}

export class FlowStarts {
  readonly #network: Network
  readonly #spec: ValidSpec
  readonly #active: ActiveFlows
  readonly #itemNames: readonly string[]
  readonly #explicit: ExplicitPaths
  /** By number: handed out, and not begun. */
  readonly #handedOut: Map<number, HandedOut> = new Map()
  /** Flows that begin in other threads, and when; in order of time. */
  #others: { readonly flow: number; readonly atPs: number }[] = []

  constructor(
    network: Network,
    spec: ValidSpec,
    active: ActiveFlows,
    itemNames: readonly string[],
  ) {
    this.#network = network
    this.#spec = spec
    this.#active = active
    this.#itemNames = itemNames
    this.#explicit = new ExplicitPaths(network.graph)
  }

  /** An arrival is flow number `flow`, and begins when `begin` is called for that. */
  handOut(arrival: Arrival, flow: number, atPs: number): void {
    const { fabric, graph, routing } = this.#network
    const { hosts: hostsSpec } = this.#spec
    const source = fabric.hostNodes[arrival.source]
    const target = fabric.hostNodes[arrival.target]
    const isExplicit = arrival.path.length > 0
    const ports = isExplicit
      ? this.#explicit.path(source, target, arrival.path)
      : routing.path(source, target, hashOf(arrival.key))
    const ends = { source, target }
    const isFixed = isExplicit || !routing.perPacket
    const path = isFixed ? ports : undefined
    // The hash of what the ACKs are, which is not what the data is.
    const ownBack =
      isFixed && !isExplicit && hostsSpec.ack.path === 'own'
        ? this.#ownBack(arrival.key, arrival.target, arrival.source)
        : undefined
    // A spec is JSON and says 0 for 'no size'; from here on a flow without end has no bound.
    const sizeBytes = arrival.sizeBytes === 0 ? Infinity : arrival.sizeBytes
    const trafficClass = arrival.class < 0 ? hostsSpec.dataClass : arrival.class
    const row = {
      name: arrival.name,
      item: this.#itemNames[arrival.item],
      source: graph.nodes[source].name,
      target: graph.nodes[target].name,
      class: trafficClass,
      sizeBytes,
      startPs: atPs,
      idealFctPs: idealFctOf(this.#network, this.#spec, ends, sizeBytes, path, ownBack),
    }
    const start = {
      flow,
      key: arrival.key,
      source: arrival.source,
      target: arrival.target,
      sizeBytes,
      class: trafficClass,
      weight: arrival.weight,
      path,
      isPathGiven: isExplicit,
      pathBack: ownBack,
      timingPath: ports,
    }
    this.#handedOut.set(flow, { start, row, stops: arrival.stopPs > 0 })
  }

  /** FLOW_ARRIVAL, at the flow's source. */
  begin(flow: number, nowPs: number): Flow {
    return this.#begin(flow, nowPs, (start) => this.#network.hosts.startFlow(start, nowPs))
  }

  /** The source of a flow is another thread's: it is only known here, from its time on. */
  follow(flow: number, atPs: number): void {
    this.#others.push({ flow, atPs })
  }

  /** Those flows of others that have begun before a time. */
  followTo(beforePs: number): void {
    const others = this.#others
    if (others.length === 0) return
    this.#others = others.filter(({ flow, atPs }) => {
      if (atPs >= beforePs) return true
      this.know(flow, atPs)
      return false
    })
  }

  /** A flow has begun at a host of another thread. */
  know(flow: number, atPs: number): Flow {
    return this.#begin(flow, atPs, (start) => this.#network.hosts.knowFlow(start, atPs))
  }

  #begin(number: number, nowPs: number, make: (start: FlowStart) => Flow): Flow {
    const { row, start, stops } = this.#handedOut.get(number) as HandedOut
    this.#handedOut.delete(number)
    const flow = make(start)
    this.#active.noteBegin({ flow, row, path: start.timingPath, stops, beginPs: nowPs })
    return flow
  }

  /** Routes have changed: flows that have begun, and those to come, take those of now. */
  reroute(): void {
    const { hosts, paths } = this.#network
    for (const flow of hosts.flows) {
      if (flow === undefined) continue
      flow.ways?.forget?.()
      if (flow.path < 0 || flow.isPathGiven) continue
      flow.path = paths.add(this.#pathOf(flow, hashOf(flow.key), flow.entropy))
      const { receiver } = flow
      if (receiver.ownPath >= 0) {
        receiver.ownPath = paths.add(this.#ownBack(flow.key, receiver.target, receiver.source))
      }
    }
    for (const [number, { start, ...rest }] of this.#handedOut) {
      if (start.path === undefined || start.isPathGiven) continue
      const { key, pathBack, source, target } = start
      const path = this.#pathOf(start, hashOf(key))
      const back = pathBack && this.#ownBack(key, target, source)
      this.#handedOut.set(number, { ...rest, start: { ...start, path, pathBack: back } })
    }
  }

  #pathOf(
    ends: { source: number; target: number },
    key: number,
    entropy: number = 0,
  ): readonly number[] {
    const { fabric, routing } = this.#network
    const [source, target] = [fabric.hostNodes[ends.source], fabric.hostNodes[ends.target]]
    return routing.path(source, target, key, entropy)
  }

  #ownBack(key: string, target: number, source: number): readonly number[] {
    return this.#pathOf({ source: target, target: source }, hashOf(`${key}.ack`))
  }
}
