/**
 * A fabric with nothing at its nodes but what a test puts there: packets are made by hand, switches
 * forward them by their paths, and hosts write down what comes. Only tests use it.
 */
import { Fingerprint, Windows } from '@weir/engine'
import { Agents } from './agents.ts'
import type { AgentsParams } from './agents.ts'
import { inertControl } from './contract/control.ts'
import type { HostsSide, Switches } from './contract/nodes.ts'
import type { Routing } from './contract/routing.ts'
import type { FabricParts } from './fabric-parts.ts'
import { Fabric } from './fabric.ts'
import { onCredits } from './flow-control/gate.ts'
import { CREDIT, LINK, PORT } from './kinds.ts'
import { BYTES, CLASS, DATA, FLAGS, FLOW, HOP, INGRESS, KIND, PATH, PAYLOAD } from './packets.ts'
import { Packets, SEQ, SOURCE, TARGET, TELEMETRY } from './packets.ts'
import { Paths } from './paths.ts'
import { CLASS_BITS } from './ports.ts'
import { strict } from './queues/class-scheduler.ts'
import { Telemetry } from './telemetry.ts'
import { buildGraph } from './topologies/index.ts'
import type { Graph } from './topologies/graph.ts'

/**
 * h0 and h1 - s0 - s1 - h2, 10 Gb/s and 1 us a link, of which link i is port 2i from its first node
 * and 2i + 1 back; the last, to h2, has 5 Gb/s and 2 us.
 */
export function twoSwitches(): Graph {
  const link = (a: string, b: string, rateBps: number = 10e9, delayPs: number = 1e6): object => {
    return { a, b, rateBps, delayPs }
  }
  return buildGraph({
    kind: 'graph',
    hosts: ['h0', 'h1', 'h2'],
    switches: ['s0', 's1'],
    links: [
      ...[link('h0', 's0'), link('h1', 's0'), link('s0', 's1')],
      link('s1', 'h2', 5e9, 2e6),
    ] as never,
  })
}
/** Ports of `twoSwitches`, and of its hosts' ways to h2. */
export const H0_S0 = 0
export const H1_S0 = 2
export const S0_S1 = 4
export const S1_H2 = 6

/** Nodes affect each other no sooner than this. */
const WINDOW_PS = 1e6

export interface Made {
  readonly bytes?: number
  readonly payload?: number
  readonly kind?: number
  readonly class?: number
  readonly flow?: number
  readonly seq?: number
  readonly flags?: number
  readonly source?: number
  readonly target?: number
  readonly path?: readonly number[]
}

export class FabricBench {
  readonly windows: Windows
  readonly packets: Packets = new Packets()
  readonly paths: Paths = new Paths()
  readonly fabric: Fabric
  /** What has come to hosts: packet, host, port that it came by, and when. */
  readonly came: { packet: number; host: number; link: number; atPs: number }[] = []
  readonly thrownAway: number[] = []
  /** What the fabric asked and told of nodes besides, in words. */
  readonly told: string[] = []
  /** Nodes whose departures are wanted at their time. */
  readonly eager: Set<number> = new Set()

  constructor(given: Partial<FabricParts> = {}, switches: Partial<Switches> = {}) {
    this.windows = given.windows ?? new Windows(1)
    const { packets, paths, told, windows } = this
    const graph = given.graph ?? twoSwitches()
    this.fabric = new Fabric({
      graph,
      windows,
      cellOf: new Int32Array(graph.nodes.length),
      fingerprint: new Fingerprint(graph.nodes.length),
      packets,
      paths,
      telemetry: new Telemetry(),
      scheduler: strict,
      switchDelayPs: 0,
      packetBytes: 1000,
      cutThroughBytes: 0,
      credits: undefined,
      ...given,
    })
    this.fabric.switches = {
      receive: (_node, link, p, nowPs) => this.#forward(link, p, nowPs),
      release: (node, ingress, bytes) => told.push(`${bytes} B of ${ingress} have left ${node}`),
      afterSettle: () => undefined,
      arbitrate: () => -1,
      afterArbitration: () => undefined,
      afterQueue: () => undefined,
      isEager: (node) => this.eager.has(node),
      ...switches,
    }
    const hosts: HostsSide = {
      receive: (host, link, packet, atPs) => this.came.push({ packet, host, link, atPs }),
      onUnblocked: (host, nowPs) => told.push(`h${host} may send at ${nowPs}`),
      onFlowPaused: () => undefined,
      discard: (packet) => this.thrownAway.push(packet),
    }
    this.fabric.hosts = hosts
    this.fabric.agents = new Agents(this.fabric, {
      ...{ control: inertControl, controlClass: 7, packetBytes: 64, seed: 1 },
      routing: undefined as unknown as Routing,
    } satisfies AgentsParams)
  }

  /** A packet by a path, of 1,000 B, with 952 B of payload, unless said otherwise. */
  make(made: Made = {}): number {
    const { packets } = this
    const { int } = packets
    const p = packets.allocate()
    int[p + BYTES] = made.bytes ?? 1000
    int[p + PAYLOAD] = made.payload ?? int[p + BYTES]! - 48
    int[p + KIND] = made.kind ?? DATA
    int[p + CLASS] = made.class ?? 0
    int[p + FLOW] = made.flow ?? 0
    int[p + SEQ] = made.seq ?? 0
    int[p + FLAGS] = made.flags ?? 0
    int[p + PATH] = this.paths.add(made.path ?? [H0_S0, S0_S1, S1_H2])
    int[p + HOP] = 0
    int[p + INGRESS] = -1
    packets.cold[(p >> 1) + SOURCE] = made.source ?? 0
    packets.cold[(p >> 1) + TARGET] = made.target ?? 2
    packets.cold[(p >> 1) + TELEMETRY] = -1
    return p
  }

  /** A packet joins the first port of its path. */
  send(made: Made = {}, nowPs: number = this.windows.nowPs): number {
    const p = this.make(made)
    const port = this.paths.ports[this.packets.int[p + PATH]!]!
    this.fabric.settle(port, nowPs)
    this.fabric.join(port, p, nowPs)
    return p
  }

  #forward(link: number, p: number, nowPs: number): void {
    const { int } = this.packets
    const out = this.paths.ports[int[p + PATH]! + ++int[p + HOP]!]!
    int[p + INGRESS] = (link << CLASS_BITS) | int[p + CLASS]!
    this.fabric.settle(out, nowPs)
    this.fabric.join(out, p, nowPs)
  }

  /** All events before a time; those of no port are shown to `other`. */
  run(untilPs: number = Infinity, other: (kind: number, target: number) => void = () => {}): this {
    const { fabric, windows } = this
    while (windows.firstPs < untilPs) {
      windows.open(Math.min(untilPs, windows.firstPs + WINDOW_PS))
      while (windows.pop()) {
        const { kind, nowPs, target } = windows
        if (kind === LINK) fabric.onLink(target, nowPs)
        else if (kind === PORT) fabric.onPort(target, nowPs)
        else if (kind === CREDIT) onCredits(fabric, target, nowPs)
        else other(kind, target)
      }
    }
    return this
  }

  /** What happens at a time outside of any event. */
  at(nowPs: number, act: () => void): this {
    this.run(nowPs)
    this.windows.outside(nowPs, act)
    return this
  }
}
