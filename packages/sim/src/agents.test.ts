/** Node agents, classes by packet and headers, on whole runs of schemes made for it. */
import type { AgentPacket, Control, NodeContext, Received } from '@weir/fabric'
import { headerFields, NodeAgent, NotificationPoint, ReactionPoint } from '@weir/fabric'
import type { Scheme } from '@weir/schemes'
import { none } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { createRun } from './run.ts'
import { audit } from './testing/audit.ts'
import { specOf, type Tree } from './testing/specs.ts'
import { simulateTogether } from './testing/together.ts'

const US = 1e6

function schemeOf(make: (base: Control) => Partial<Control>): Scheme {
  return {
    ...none,
    create: (values, context) => {
      const base = { ...none.create(values, context), controlBytesMax: 64 }
      return { ...base, ...make(base) }
    },
  }
}

function simulate(scheme: Scheme, tree: Tree): Result {
  const run = createRun(specOf(tree), scheme)
  while (run.advance(1000)) audit(run)
  return run.result()
}

const TORUS = { kind: 'torus', dimensions: [4, 4], rate: '10Gbps', delay: '100ns' }
/** When agents have spoken. */
const ONE = [{ flows: [{ from: 'h0.0', to: 'h1.1', size: '10KB', start: '15us' }] }]

describe('node agents', () => {
  /** Every node that hears a word for the first time passes it on by all its links but one. */
  class Flooder extends NodeAgent {
    readonly #node: NodeContext
    readonly #heard: Map<string, number>

    constructor(node: NodeContext, heard: Map<string, number>) {
      super()
      this.#node = node
      this.#heard = heard
    }

    override onStart(): void {
      if (this.#node.name === 'n0.0') this.#node.setTimer(2, 1 * US)
    }

    override onTimer(which: number, nowPs: number): void {
      expect([which, nowPs]).toEqual([2, 1 * US])
      this.#pass(-1, nowPs)
    }

    override onPacket(packet: Readonly<AgentPacket>, nowPs: number): void {
      expect([packet.code, packet.a, packet.b, packet.bytes]).toEqual([7, 1.5, -2, 16])
      if (!this.#heard.has(this.#node.name)) this.#pass(packet.link, nowPs)
    }

    #pass(link: number, nowPs: number): void {
      this.#heard.set(this.#node.name, nowPs)
      for (const { port } of this.#node.links) {
        if (port !== (link ^ 1)) this.#node.sendBy(port, 7, 16, 1.5, -2)
      }
    }
  }

  it.each(['pfc', 'none'])('flood a torus, hosts and switches, with flow control %s', (kind) => {
    const heard = new Map<string, number>()
    const scheme = schemeOf(() => ({ agent: (node) => new Flooder(node, heard) }))
    const result = simulate(scheme, {
      topology: TORUS,
      fabric: { flowControl: kind },
      workload: ONE,
    })
    expect(result.ended).toEqual({ why: 'completed' })
    expect(heard.size).toBe(32)
    // 16 B at 10 Gb/s and 100 ns a hop; the farthest switch is four hops away.
    const hop = 16 * 800 + 100_000
    expect(heard.get('n0.1')).toBe(1 * US + hop)
    expect(heard.get('n2.2')).toBe(1 * US + 4 * hop)
  })

  it('speak to a host far away, as routing goes', () => {
    const heard: number[] = []
    class Caller extends NodeAgent {
      readonly #node: NodeContext
      constructor(node: NodeContext) {
        super()
        this.#node = node
      }
      override onStart(): void {
        if (this.#node.host === 0) this.#node.sendTo(15, 3, 64, 42, 0)
      }
      override onPacket({ a, source }: Readonly<AgentPacket>): void {
        heard.push(this.#node.host, a, source)
      }
    }
    for (const kind of ['ecmp', 'packet-spray']) {
      const scheme = schemeOf(() => ({ agent: (node) => new Caller(node) }))
      simulate(scheme, { topology: TORUS, routing: { kind }, workload: ONE })
    }
    // Hosts come first, so that host 0 is node 0; from another it is seen below.
    expect(heard).toEqual([15, 42, 0, 15, 42, 0])
  })

  it('are counted, and are seen by a watcher at each link that they have crossed', () => {
    const sources: number[] = []
    class Caller extends NodeAgent {
      readonly #node: NodeContext
      constructor(node: NodeContext) {
        super()
        this.#node = node
      }
      override onStart(): void {
        if (this.#node.host === 0) this.#node.sendTo(2, 3, 64, 42, -7)
      }
      override onPacket({ source }: Readonly<AgentPacket>): void {
        sources.push(source)
        if (this.#node.host === 2) this.#node.sendTo(0, 3, 64, 42, -7)
      }
    }
    const scheme = schemeOf(() => ({ agent: (node) => new Caller(node) }))
    const run = createRun(specOf({ topology: TORUS, workload: ONE }), scheme)
    const seen: number[][] = []
    const { agents, ports } = run.network.fabric
    agents.watcher = {
      onAgentPacket: (link, ...what) => void seen.push([ports.to[link]!, ...what]),
      onCredit: () => undefined,
    }
    while (run.advance(1000)) audit(run)
    // Host 0, its switch, two more, host 2; and back.
    expect(seen.slice(0, 4).map(([node]) => node)).toEqual([16, expect.any(Number), 18, 2])
    expect(seen.slice(4).map(([node]) => node)).toEqual([18, expect.any(Number), 16, 0])
    expect(seen.map((one) => one.slice(1, 5))).toEqual(seen.map(() => [64, 3, 42, -7]))
    // 64 B at 10 Gb/s, and 100 ns; an injection link has 10 ns.
    const hop = 64 * 800
    const [first, , third, fourth] = seen.map((one) => one[5])
    expect([first, third, fourth]).toEqual([hop + 10_000, 3 * hop + 210_000, 4 * hop + 220_000])
    expect(sources).toEqual([0, 2])
    const { agentBytes, agentBytesInner, agentPackets } = run.result().counters
    expect([agentPackets, agentBytes, agentBytesInner]).toEqual([8, 8 * 64, 4 * 64])
  })

  it('hear of routes that have changed, once each, and which links are down', () => {
    const heard: string[] = []
    class Listener extends NodeAgent {
      readonly #node: NodeContext
      constructor(node: NodeContext) {
        super()
        this.#node = node
      }
      override onRoutes(isDown: (link: number) => boolean, nowPs: number): void {
        const down = Array.from({ length: 48 }, (_, link) => link).filter(isDown)
        heard.push(`${this.#node.name} ${nowPs / US} ${down.length}`)
      }
    }
    const scheme = schemeOf(() => ({ agent: (node) => new Listener(node) }))
    const between = ['n0.0', 'n1.0']
    const spec = specOf({
      topology: TORUS,
      links: {
        detection: '5us',
        changes: [
          { between, at: '10us', state: 'down' },
          { between, at: '30us', state: 'up' },
        ],
      },
      hosts: { rto: '20us' },
      workload: [{ flows: [{ from: 'h0.0', to: 'h1.1', size: '100KB' }] }],
    })
    const run = createRun(spec, scheme)
    while (run.advance(1000)) audit(run)
    const names = run.network.graph.nodes.map(({ name }) => name)
    const wanted = [...names.map((name) => `${name} 15 1`), ...names.map((name) => `${name} 35 0`)]
    expect(heard).toEqual(wanted)
    heard.length = 0
    simulateTogether(spec, 2, scheme)
    expect([...heard].sort()).toEqual(wanted.sort())
  })

  it('are refused a link that is not theirs', () => {
    class Wrong extends NodeAgent {
      readonly #node: NodeContext
      constructor(node: NodeContext) {
        super()
        this.#node = node
      }
      override onStart(): void {
        this.#node.sendBy(9999, 1, 16, 0, 0)
      }
    }
    const scheme = schemeOf(() => ({ agent: (node) => new Wrong(node) }))
    expect(() => simulate(scheme, { topology: TORUS, workload: ONE })).toThrow(/not its own/)
  })

  it('keep their timers: one that is moved back fires late, one that is cancelled never', () => {
    const fired: [number, number][] = []
    class Timers extends NodeAgent {
      readonly #node: NodeContext
      constructor(node: NodeContext) {
        super()
        this.#node = node
      }
      override onStart(): void {
        if (this.#node.host !== 0) return
        this.#node.setTimer(0, 1 * US)
        this.#node.setTimer(0, 3 * US)
        this.#node.setTimer(1, 2 * US)
        this.#node.cancelTimer(1)
        this.#node.setTimer(3, 2 * US)
        this.#node.setTimer(3, 1 * US)
      }
      override onTimer(which: number, nowPs: number): void {
        fired.push([which, nowPs])
      }
    }
    const scheme = schemeOf(() => ({ agent: (node) => new Timers(node) }))
    simulate(scheme, { topology: TORUS, workload: ONE, run: { until: '20us' } })
    expect(fired).toEqual([
      [3, 1 * US],
      [0, 3 * US],
    ])
  })
})

describe('what a sender says of each packet', () => {
  class Speaker extends ReactionPoint {
    #sent = 0
    readonly #heard: (number | undefined)[]
    constructor(heard: (number | undefined)[]) {
      super()
      this.#heard = heard
      this.quota = 3
      this.packetClass = 1
      this.header = 100
    }
    override onSent(): void {
      this.#sent++
      this.header++
      this.packetClass = this.#sent % 2 === 0 ? 1 : 5
    }
    override onAck({ header }: { readonly header?: number }): void {
      this.#heard.push(header)
      this.quota++
    }
  }
  class Listener extends NotificationPoint {
    readonly #seen: Received[]
    constructor(seen: Received[]) {
      super()
      this.#seen = seen
    }
    override onReceived(packet: Readonly<Received>): void {
      this.#seen.push({ ...packet })
    }
  }

  it('reaches the receiver, comes back with the ACK, and a quota bounds what is sent', () => {
    const heard: (number | undefined)[] = []
    const seen: Received[] = []
    const scheme = schemeOf(() => ({
      classes: [1, 5],
      reaction: () => new Speaker(heard),
      notification: () => new Listener(seen),
    }))
    const run = createRun(
      specOf({
        topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
        hosts: { reliability: 'unordered' },
        workload: [{ flows: [{ from: 'h0', to: 'h1', size: '6KB' }] }],
      }),
      scheme,
    )
    run.step(4 * US)
    // Three packets, and no more before the first ACK is back.
    expect(run.network.hosts.dataPackets).toBe(3)
    while (run.advance(1000)) audit(run)
    expect(run.result().ended).toEqual({ why: 'completed' })
    expect(seen.map((packet) => [packet.seq, packet.class, packet.header])).toEqual([
      [0, 1, 100],
      [1, 5, 101],
      [2, 1, 102],
      [3, 5, 103],
      [4, 1, 104],
      [5, 5, 105],
    ])
    expect([...heard].sort()).toEqual([100, 101, 102, 103, 104, 105])
  })

  it('is answered by the receiver in its place, if that writes there', () => {
    const { asks, gives } = headerFields({ asks: 10, gives: 20 })
    const heard: number[][] = []
    class Asker extends ReactionPoint {
      override onSent(): void {
        this.header = asks.set(this.header, asks.get(this.header) + 1)
      }
      override onAck({ header = NaN }: { readonly header?: number }): void {
        heard.push([asks.get(header), gives.get(header)])
      }
    }
    class Giver extends NotificationPoint {
      override onReceived(packet: Received): void {
        packet.header = gives.set(packet.header, 1000 + packet.seq)
      }
    }
    const scheme = schemeOf(() => ({
      reaction: () => new Asker(),
      notification: () => new Giver(),
    }))
    const { ended } = simulate(scheme, {
      topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
      workload: [{ flows: [{ from: 'h0', to: 'h1', size: '4KB' }] }],
    })
    expect(ended).toEqual({ why: 'completed' })
    expect(heard).toEqual([
      [0, 1000],
      [1, 1001],
      [2, 1002],
      [3, 1003],
    ])
  })
})
