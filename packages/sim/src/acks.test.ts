/** What ACKs meet on their way: a path of their own, and switches that mark them. */
import { ReactionPoint } from '@weir/fabric'
import type { Ack } from '@weir/fabric'
import { schemeByName } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { graphOf, runAudited, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const SPINES = 8

/** One flow from leaf to leaf over eight spines; its name is all that the hash knows of it. */
function oneFlow(name: string, ack: Tree, more: Tree = {}): Run {
  const run = createRun(
    specOf({
      topology: { kind: 'leaf-spine', leaves: 2, spines: SPINES, hostsPerLeaf: 2 },
      hosts: { ack },
      workload: [{ flows: [{ name, from: 'h0', to: 'h2', size: '20KB' }] }],
      routing: 'ecmp',
      ...more,
    }),
  )
  runAudited(run, 100)
  return run
}

/** The switches to which one has sent anything. */
function neighboursFrom({ network, nowPs }: Run, from: string): string[] {
  const { fabric, graph, observer } = network
  return [...fabric.portsOf[graph.nodes.findIndex(({ name }) => name === from)]!]
    .filter((port) => fabric.ports.toHost[port] === 0 && observer.departedBytes(port, nowPs) > 0)
    .map((port) => graph.nodes[fabric.ports.to[port]!]!.name)
}

const NAMES = Array.from({ length: 16 }, (_, i) => `flow-${i}`)
/** Flows whose ACKs pass another spine than their data. */
const apart = (ack: Tree): string[] =>
  NAMES.filter((name) => {
    const run = oneFlow(name, ack)
    const [there, back] = [neighboursFrom(run, 'leaf0'), neighboursFrom(run, 'leaf1')]
    expect([there.length, back.length]).toEqual([1, 1])
    expect(run.result().flows.slowdown[0]).toBe(1)
    return there[0] !== back[0]
  })

describe("an ACK's path", () => {
  it('is that of the data, turned round', () => {
    expect(apart({ path: 'reverse' })).toEqual([])
    expect(apart({})).toEqual([])
  })

  it('is one of its own if hosts say so: by another spine for 7 of 8 flows or so', () => {
    const { length } = apart({ path: 'own' })
    // Binomial of 16 and 7/8: outside these once in 2,500.
    expect(length).toBeGreaterThan(9)
    expect(length).toBeLessThanOrEqual(16)
  })

  it("is not taken by what a switch sends to the source: that goes back by the data's way", () => {
    const spines = ['s2', 's3', 's4', 's5']
    const slow = spines.map((spine) => ({ a: spine, b: 's1', rate: '2Gbps' }))
    const run = oneFlow(
      'flow-1',
      { path: 'own' },
      {
        topology: graphOf(['h0 s0', 'h2 s1', ...spines.map((spine) => `s0 ${spine}`), ...slow]),
        workload: [{ flows: [{ name: 'flow-1', from: 'h0', to: 'h2', size: '1MB' }] }],
        scheme: { name: 'qcn', params: { setPoint: '1KB' } },
      },
    )
    const { counters, ended } = run.result()
    expect([counters.notifications > 0, ended.why]).toEqual([true, 'completed'])
    // Congestion is at the data's spine. It alone sends messages, and the ACKs' spine only ACKs.
    const [there, back] = [neighboursFrom(run, 's0')[0]!, neighboursFrom(run, 's1')[0]!]
    expect(there).not.toBe(back)
    expect(neighboursFrom(run, there)).toEqual(expect.arrayContaining(['s0', 's1']))
    expect(neighboursFrom(run, back)).toEqual(['s0'])
  })
})

/** Line rate, and a count of the ACKs that told of congestion. */
class Listener extends ReactionPoint {
  readonly #heard: { acks: number }

  constructor(heard: { acks: number }) {
    super()
    this.#heard = heard
  }

  override onAck(ack: Readonly<Ack>): void {
    if (ack.marked) this.#heard.acks++
  }
}

/** h0's flow meets no queue; its ACKs wait behind what h2 and h3 send to h0. */
function marks(ecn: string, at: string): { heard: number; marked: number } {
  const none = schemeByName('none') as Scheme
  const heard = { acks: 0 }
  const listening: Scheme = {
    ...none,
    create: (values, context) => ({
      ...none.create(values, context),
      reaction: () => new Listener(heard),
    }),
  }
  const run = createRun(
    specOf({
      topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0', 'h3 s0']),
      fabric: { ecn: { kind: 'threshold', k: '5KB', at } },
      hosts: { ack: { ecn } },
      workload: [
        {
          flows: [
            { from: 'h0', to: 'h1', size: '100KB' },
            { from: 'h2', to: 'h0', size: '100KB' },
            { from: 'h3', to: 'h0', size: '100KB' },
          ],
        },
      ],
    }),
    listening,
  )
  runAudited(run, 100)
  return { heard: heard.acks, marked: run.result().counters.packetsMarked }
}

describe('an ACK that is ECN-capable', () => {
  it.each(['enqueue', 'dequeue'])('is marked at %s, and its sender may hear of it', (at) => {
    // No data here is ECN-capable: what is marked is an ACK.
    expect(marks('none', at)).toEqual({ heard: 0, marked: 0 })
    const ignored = marks('ignored', at)
    expect(ignored.heard).toBe(0)
    expect(ignored.marked).toBeGreaterThan(50)
    expect(marks('heard', at)).toEqual({ heard: ignored.marked, marked: ignored.marked })
  })
})

describe('an ACK for several packets', () => {
  const waited = /^(\d+) ACKs came by the NIC's timer, 50us after a packet: hosts.ack.every is 10/
  const warned = (window: string): string[] => {
    const hosts = { ack: { every: 10 }, window }
    const run = oneFlow('f', {}, { hosts, run: { until: '1ms' } })
    return run.result().warnings.filter((text) => waited.test(text))
  }

  it('is said to be waited for where windows hold fewer, and only there', () => {
    // Of 20 packets 4 go at a time, and the last has an ACK of its own.
    expect(waited.exec(warned('4KB').join())?.[1]).toBe('4')
    expect(warned('10KB')).toEqual([])
  })
})

describe("a scheme's words in ACKs", () => {
  it("count in a flow's base round trip, which a packet alone takes", () => {
    const none = schemeByName('none') as Scheme
    const seen = { base: 0, measured: 0 }
    class Timing extends ReactionPoint {
      override onAck({ rttPs }: Readonly<Ack>): void {
        seen.measured = rttPs
      }
    }
    const timing: Scheme = {
      ...none,
      create: (values, context) => ({
        ...none.create(values, context),
        ackHeaderBytes: 42,
        reaction: ({ baseRttPs }) => {
          seen.base = baseRttPs
          return new Timing()
        },
      }),
    }
    const link = { rate: '10Gbps', delay: '1us' }
    const run = createRun(
      specOf({
        topology: graphOf([
          { a: 'h0', b: 's0', ...link },
          { a: 's0', b: 'h1', ...link },
        ]),
        hosts: { ack: { size: '60B' } },
        workload: [{ flows: [{ from: 'h0', to: 'h1', size: '1000B' }] }],
      }),
      timing,
    )
    runAudited(run, 1)
    const base = 4e6 + 2 * 800 * (1048 + 60 + 42)
    // What a sender measures begins when its packet has left.
    expect(seen).toEqual({ base, measured: base - 800 * 1048 })
  })
})
