/** The world as a contention point sees it, by a scheme whose points only look, mark and tell. */
import { ContentionPoint, NotificationPoint, ReactionPoint } from '@weir/fabric'
import type { FlowContext, PortContext } from '@weir/fabric'
import { none } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const PACKET = 1048
const US = 1e6

/** What a contention point does when it is shown something. */
interface Looks {
  onArrival?(port: PortContext, packet: number, nowPs: number): void
  onControl?(port: PortContext, packet: number, nowPs: number): void
  onTimer?(port: PortContext, which: number, nowPs: number): void
}

/** A scheme with a contention point at every port; what its reaction points hear is in `heard`. */
class Looking {
  readonly ports: Map<string, PortContext> = new Map()
  readonly heard: (number | string)[][] = []
  readonly marked: boolean[] = []
  readonly #looks: Looks

  constructor(looks: Looks = {}) {
    this.#looks = looks
  }

  get scheme(): Scheme {
    const { heard, marked, ports } = this
    const looks = this.#looks
    class Hearing extends ReactionPoint {
      readonly #flow: FlowContext
      constructor(flow: FlowContext) {
        super()
        this.#flow = flow
        this.rateBps = flow.lineRateBps
      }
      override onStart(): void {
        this.#flow.sendControl(7, 64, 11, 22)
      }
      override onControl(code: number, a: number, b: number, nowPs: number): void {
        heard.push([this.#flow.source, code, a, b, nowPs])
      }
      override onAck(ack: { readonly marked: boolean }): void {
        marked.push(ack.marked)
      }
    }
    class Turning extends NotificationPoint {
      override onControl(code: number, a: number, b: number, nowPs: number): void {
        heard.push(['receiver', code, a, b, nowPs])
      }
    }
    class Looker extends ContentionPoint {
      readonly sees = 'arrivals'
      readonly #port: PortContext
      constructor(port: PortContext) {
        super()
        this.#port = port
      }
      override onArrival(packet: number, _queueBytes: number, nowPs: number): void {
        looks.onArrival?.(this.#port, packet, nowPs)
      }
      override onControl(packet: number, nowPs: number): void {
        looks.onControl?.(this.#port, packet, nowPs)
      }
      override onTimer(which: number, nowPs: number): void {
        looks.onTimer?.(this.#port, which, nowPs)
      }
    }
    return {
      ...none,
      create: (values, context) => ({
        ...none.create(values, context),
        ecnCapable: true,
        controlBytesMax: 64,
        reaction: (flow) => new Hearing(flow),
        notification: () => new Turning(),
        contention: (port) => {
          ports.set(port.name, port)
          return new Looker(port)
        },
      }),
    }
  }
}

/** h0 and h2 send to h1 over s0 and s1; 1 us a link, and h1's own is slower. */
function runOf(looking: Looking, flows: readonly Tree[], more: Tree = {}): Run {
  const links = ['h0 s0', 'h2 s0', 's0 s1', { a: 's1', b: 'h1', rate: '5Gbps', delay: '2us' }]
  return createRun(
    specOf({
      topology: graphOf(links),
      fabric: { flowControl: 'none' },
      workload: [{ flows }],
      run: { until: '200us' },
      ...more,
    }),
    looking.scheme,
  )
}

function finish(run: Run): Run {
  while (run.advance(1e6)) continue
  return run
}

const toH1 = { from: 'h0', to: 'h1', size: '5KB', class: 3 }

describe("a contention point's port", () => {
  it('says where it is', () => {
    const looking = new Looking()
    runOf(looking, [toH1])
    const ends = (name: string): unknown[] => {
      const { rateBps, delayPs, atHost, toHost, inputs } = looking.ports.get(name)!
      return [rateBps, delayPs, atHost, toHost, inputs]
    }
    expect(ends('h0->s0')).toEqual([10e9, 1 * US, true, false, 0])
    expect(ends('s0->s1')).toEqual([10e9, 1 * US, false, false, 2])
    expect(ends('s1->h1')).toEqual([5e9, 2 * US, false, true, 1])
    expect(looking.ports.size).toBe(8)
  })

  it('says what passes, from whom to whom', () => {
    const seen: unknown[] = []
    const looking = new Looking({
      onArrival: (port, packet) => {
        if (port.name !== 's0->s1') return
        const { source, target } = {
          source: port.packetSource(packet),
          target: port.packetTarget(packet),
        }
        seen.push([
          port.packetBytes(packet),
          port.packetClass(packet),
          port.isData(packet),
          source,
          target,
        ])
      },
    })
    finish(
      runOf(looking, [
        { ...toH1, size: '1500B' },
        { ...toH1, from: 'h2', class: 2, start: '50us', size: '1KB' },
      ]),
    )
    expect(seen).toEqual([
      [1048, 3, true, 0, 2],
      [548, 3, true, 0, 2],
      [1048, 2, true, 1, 2],
    ])
  })

  it('holds what has come and not left, by class and in all, and counts what has left', () => {
    const seen: number[][] = []
    const looking = new Looking({
      onArrival: (port) => {
        if (port.name !== 's1->h1') return
        const inAll = port.queueBytesAll()
        seen.push([port.queueBytes(2), port.queueBytes(3), inAll, port.sentBytes()])
        expect(port.queueBytes(2) + port.queueBytes(3)).toBe(inAll)
      },
    })
    const flows = [toH1, { ...toH1, from: 'h2', class: 2 }]
    finish(runOf(looking, flows, { hosts: { ack: 'none' } }))
    expect(seen).toHaveLength(10)
    // Ten packets at 10 Gb/s over a link of half the rate, and two control packets of 64 B.
    seen.forEach(([, , inAll, sent], n) => expect(inAll! + sent!).toBe(n * PACKET + 2 * 64))
    expect(Math.max(...seen.map(([slow]) => slow!))).toBeGreaterThan(0)
    expect(seen.at(-1)![3]).toBeGreaterThan(2 * PACKET)
  })

  it('draws from a stream of its own', () => {
    const draws = (name: string): number[] => {
      const looking = new Looking()
      runOf(looking, [toH1])
      const { random } = looking.ports.get(name)!
      return [random.uint32(), random.uint32()]
    }
    expect(draws('s0->s1')).toEqual(draws('s0->s1'))
    expect(draws('s0->s1')).not.toEqual(draws('s1->h1'))
  })

  it('marks packets, which their ACKs tell, and counts them', () => {
    let count = 0
    const looking = new Looking({
      onArrival: (port, packet) => {
        if (port.name === 's0->s1' && count++ % 2 === 0) port.mark(packet)
      },
    })
    const run = finish(runOf(looking, [toH1]))
    expect(looking.marked).toEqual([true, false, true, false, true])
    expect(run.result().counters.packetsMarked).toBe(3)
  })

  it('reads and changes control packets, which the receiver hears', () => {
    const seen: unknown[] = []
    const looking = new Looking({
      onControl: (port, packet) => {
        seen.push([
          port.name,
          port.controlCode(packet),
          port.controlA(packet),
          port.controlB(packet),
        ])
        if (port.name === 's0->s1') port.setControl(packet, 33, 44)
      },
    })
    finish(runOf(looking, [toH1]))
    expect(seen).toEqual([
      ['h0->s0', 7, 11, 22],
      ['s0->s1', 7, 11, 22],
      ['s1->h1', 7, 33, 44],
    ])
    expect(looking.heard.map((words) => words.slice(0, 4))).toEqual([['receiver', 7, 33, 44]])
  })
})

describe('what a contention point tells a source', () => {
  /** Told from a port as the first packet passes it: what the source heard, and how much later. */
  function told(at: string, from: string): number[][] {
    let sentPs = NaN
    const looking = new Looking({
      // On its way back it is nobody else's business.
      onControl: (port, packet) => expect([port.name, port.controlCode(packet)]).toContain(7),
      onArrival: (port, packet, nowPs) => {
        if (port.name !== at || port.packetSource(packet) !== (from === 'h0' ? 0 : 1)) return
        if (!Number.isNaN(sentPs)) return
        sentPs = nowPs
        port.notifySource(packet, 5, 64, 77, 88)
      },
    })
    finish(runOf(looking, [toH1, { ...toH1, from: 'h2', start: '50us' }]))
    const toSources = looking.heard.filter(([who]) => who !== 'receiver') as number[][]
    return toSources.map(([who, code, a, b, nowPs]) => [who!, code!, a!, b!, nowPs! - sentPs])
  }

  /** 64 B at 10 Gb/s, and a link. */
  const HOP = 51_200 + 1 * US

  it('goes back by the way that its packets came', () => {
    expect(told('s0->s1', 'h0')).toEqual([[0, 5, 77, 88, HOP]])
    expect(told('s0->s1', 'h2')).toEqual([[1, 5, 77, 88, HOP]])
    expect(told('s1->h1', 'h0')).toEqual([[0, 5, 77, 88, 2 * HOP]])
  })

  it('is heard at once at its own host', () => {
    expect(told('h0->s0', 'h0')).toEqual([[0, 5, 77, 88, 0]])
  })

  it('can be told to a flow by its number where that was remembered', () => {
    const answers: [string, boolean][] = []
    const flows: number[] = []
    const looking = new Looking({
      onArrival: (port, packet, nowPs) => {
        if (port.name !== 's0->s1') return
        if (port.packetSource(packet) === 0) {
          flows.push(port.packetFlow(packet))
          port.remember(packet)
          for (const name of ['s0->s1', 's1->h1', 's1->s0', 's0->h2']) {
            answers.push([name, looking.ports.get(name)!.notifyFlow(flows[0]!, 5, 64, 1, 2)])
          }
        } else if (nowPs > 50 * US && answers.length === 4) {
          answers.push(['over', port.notifyFlow(flows[0]!, 5, 64, 1, 2)])
        }
      },
    })
    const other = { ...toH1, from: 'h2', size: '100KB' }
    finish(runOf(looking, [{ ...toH1, size: '1KB' }, other]))
    expect(answers).toEqual([
      ['s0->s1', true],
      ['s1->h1', false],
      ['s1->s0', false],
      ['s0->h2', false],
      // Its source, where the flow is over, does not listen.
      ['over', true],
    ])
    expect(looking.heard.filter(([who]) => who === 0)).toHaveLength(1)
  })
})

describe("a contention point's timers", () => {
  it('are two, each of which fires at the last time that it was set to, once', () => {
    const fired: unknown[] = []
    const looking = new Looking({
      onControl: (port, _packet, nowPs) => {
        if (port.name !== 's0->s1') return
        port.setTimer(0, nowPs + 5 * US)
        port.setTimer(1, nowPs + 7 * US)
        port.setTimer(0, nowPs + 9 * US)
      },
      onTimer: (port, which, nowPs) => {
        fired.push([port.name, which, nowPs])
        if (fired.length === 1) port.setTimer(1, nowPs + 1 * US)
      },
    })
    finish(runOf(looking, [toH1]))
    const startPs = 51_200 + 1 * US
    expect(fired).toEqual([
      ['s0->s1', 1, startPs + 7 * US],
      ['s0->s1', 1, startPs + 8 * US],
      ['s0->s1', 0, startPs + 9 * US],
    ])
  })
})
