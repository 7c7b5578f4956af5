/**
 * Node agents at work: each node's view of the world, the packets that they send each other, and
 * their timers. A packet for a switch's agent is taken where it arrives, and needs no room there.
 */
import { Random } from '@weir/engine'
import type { Control } from './contract/control.ts'
import type { AgentPacket, NodeAgent, NodeContext, NodeLink } from './contract/node-agent.ts'
import type { Routing } from './contract/routing.ts'
import type { Watcher } from './contract/watcher.ts'
import { Deadline } from './deadline.ts'
import type { Fabric } from './fabric.ts'
import { changeLane } from './lanes.ts'
import { agentPacket } from './hosts/control-packet.ts'
import { NODE_TIMER } from './kinds.ts'
import { FIELD_A, FIELD_B, BYTES, CODE, HOP, PATH, SOURCE, TARGET } from './packets.ts'
import { SharedWords } from './shared-words.ts'

/** Timers per node. */
export const NODE_TIMERS = 4

export interface AgentsParams {
  readonly control: Control
  readonly routing: Routing
  /** Class of agents' packets. */
  readonly controlClass: number
  readonly packetBytes: number
  readonly seed: number
}

export class Agents {
  /** By node; undefined: it has none. */
  readonly of: readonly (NodeAgent | undefined)[]
  /** Packets that agents have sent, and their bytes, each as often as it has links to cross. */
  packets: number = 0
  bytes: number = 0
  /** Of those bytes, the ones on links between switches. */
  innerBytes: number = 0
  /** What nodes have published; undefined: the scheme declares nothing of the kind. */
  readonly shared: SharedWords | undefined
  /** Somebody who wants to see them; undefined: nobody. */
  watcher: Watcher | undefined = undefined
  readonly #fabric: Fabric
  readonly #views: readonly NodeView[]
  readonly #packet: AgentPacket = { code: 0, bytes: 0, a: 0, b: 0, source: -1, link: -1 }

  constructor(fabric: Fabric, params: AgentsParams) {
    this.#fabric = fabric
    const { control } = params
    const nodes = fabric.graph.nodes.length
    this.shared = control.shared === undefined ? undefined : new SharedWords(control.shared, nodes)
    const views: NodeView[] = []
    this.#views = views
    this.of = fabric.graph.nodes.map((_, node) => {
      if (control.agent === undefined) return undefined
      return control.agent((views[node] = new NodeView(fabric, params, node, this)))
    })
  }

  atHost(host: number): NodeAgent | undefined {
    return this.of[this.#fabric.hostNodes[host]]
  }

  /** An agent's packet has come to the far end of `link`, whether it goes on from there or not. */
  pass(link: number, p: number, nowPs: number): void {
    if (this.watcher === undefined) return
    const { cold, int } = this.#fabric.packets
    const c = p >> 1
    const bytes = int[p + BYTES]
    this.watcher.onAgentPacket(
      link,
      bytes,
      cold[c + CODE],
      cold[c + FIELD_A],
      cold[c + FIELD_B],
      nowPs,
    )
  }

  /** A packet for the agent of `node` has come by `link`. */
  receive(node: number, link: number, p: number, nowPs: number): void {
    const { hosts, packets } = this.#fabric
    const { cold, int } = packets
    const packet = this.#packet
    packet.code = cold[(p >> 1) + CODE]
    packet.bytes = int[p + BYTES]
    packet.a = cold[(p >> 1) + FIELD_A]
    packet.b = cold[(p >> 1) + FIELD_B]
    packet.source = cold[(p >> 1) + SOURCE]
    packet.link = link
    hosts.discard(p)
    this.of[node]?.onPacket(packet, nowPs)
  }

  /** Routes follow what has become of links. */
  routesFound(isDown: (link: number) => boolean, isMine: (node: number) => boolean): void {
    const { nowPs } = this.#fabric.windows
    this.of.forEach((agent, node) => isMine(node) && agent?.onRoutes(isDown, nowPs))
  }

  /** NODE_TIMER */
  onTimer(target: number, nowPs: number): void {
    const node = Math.floor(target / NODE_TIMERS)
    const which = target % NODE_TIMERS
    if (this.#views[node]?.isDue(which, nowPs) === true) this.of[node]?.onTimer(which, nowPs)
  }
}

class NodeView implements NodeContext {
  readonly node: number
  readonly name: string
  readonly host: number
  readonly links: readonly NodeLink[]
  readonly packetBytes: number
  readonly #fabric: Fabric
  readonly #params: AgentsParams
  readonly #agents: Agents
  readonly #timers: readonly Deadline[] = Array.from({ length: NODE_TIMERS }, () => new Deadline())
  #random: Random | undefined = undefined

  constructor(fabric: Fabric, params: AgentsParams, node: number, agents: Agents) {
    const { graph, hostOf, ports, portsOf } = fabric
    this.node = node
    this.name = graph.nodes[node].name
    this.host = hostOf[node]
    this.packetBytes = params.packetBytes
    this.#fabric = fabric
    this.#params = params
    this.#agents = agents
    this.links = Array.from(portsOf[node], (port) => ({
      port,
      to: ports.to[port],
      name: graph.nodes[ports.to[port]].name,
      rateBps: ports.rateBps[port],
      delayPs: ports.delayPs[port],
    }))
  }

  get random(): Random {
    return (this.#random ??= new Random(this.#params.seed, `agent.${this.name}`))
  }

  setTimer(which: number, atPs: number): void {
    const { cellOf, windows } = this.#fabric
    const timer = this.#timers[which]
    if (!timer.move(windows, atPs)) return
    const target = this.node * NODE_TIMERS + which
    timer.handle = windows.schedule(atPs, NODE_TIMER, target, cellOf[this.node])
  }

  cancelTimer(which: number): void {
    this.#timers[which].duePs = Infinity
  }

  /** The event of a timer has come: true if the timer is due, and not only its event. */
  isDue(which: number, nowPs: number): boolean {
    const timer = this.#timers[which]
    if (timer.isDue(nowPs)) return true
    this.setTimer(which, timer.duePs)
    return false
  }

  publish(word: number, value: number): void {
    this.#shared().write(this.node, word, value)
  }

  published(node: number, word: number): number {
    return this.#shared().read(node, word)
  }

  #shared(): SharedWords {
    const { shared } = this.#agents
    if (shared !== undefined) return shared
    throw new Error(`the agent of ${this.name} shares what its scheme does not declare (shared)`)
  }

  sendBy(port: number, code: number, bytes: number, a: number, b: number): void {
    if (this.#fabric.ports.from[port] !== this.node) {
      throw new Error(`the agent of ${this.name} sends by port ${port}, which is not its own`)
    }
    this.#count(bytes, port)
    this.#send(port, this.#fabric.ports.to[port], -1, this.#make(code, bytes, a, b))
  }

  sendTo(host: number, code: number, bytes: number, a: number, b: number): void {
    const { hostNodes, paths } = this.#fabric
    const { routing } = this.#params
    const target = hostNodes[host]
    const p = this.#make(code, bytes, a, b)
    const path = routing.path(this.node, target, this.node)
    for (const link of path) this.#count(bytes, link)
    if (routing.perPacket) {
      this.#send(routing.next(this.node, target, this.random), target, -1, p)
      return
    }
    this.#send(path[0] as number, target, paths.add(path), p)
  }

  #count(bytes: number, port: number): void {
    const { hostOf, ports } = this.#fabric
    this.#agents.packets++
    this.#agents.bytes += bytes
    if (hostOf[ports.from[port]] < 0 && hostOf[ports.to[port]] < 0) this.#agents.innerBytes += bytes
  }

  #make(code: number, bytes: number, a: number, b: number): number {
    const { control, controlClass } = this.#params
    return agentPacket(this.#fabric.packets, control, controlClass, code, bytes, a, b)
  }

  #send(port: number, target: number, path: number, p: number): void {
    const fabric = this.#fabric
    const { cold, int } = fabric.packets
    const nowPs = fabric.windows.nowPs
    int[p + PATH] = path
    int[p + HOP] = 0
    cold[(p >> 1) + SOURCE] = this.node
    cold[(p >> 1) + TARGET] = target
    if (fabric.lanes !== undefined) changeLane(fabric.lanes, fabric.packets, port, p)
    fabric.join(port, p, nowPs)
  }
}
