/** What reaction points hear: echoes of marks, losses, the end; and that NICs hear them at once. */
import { ContentionPoint, ReactionPoint } from '@weir/fabric'
import type { Ack, Control, FlowContext, LossCause, PortContext } from '@weir/fabric'
import { none } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { graphOf, losing, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const US = 1e6

interface Hears {
  onStart?(point: ReactionPoint, flow: FlowContext): void
  onAck?(point: ReactionPoint, ack: Readonly<Ack>): void
  onTimer?(point: ReactionPoint, flow: FlowContext): void
  onLoss?(cause: LossCause): void
  onFinished?(flow: FlowContext, nowPs: number): void
}

/** Marks the packets whose numbers, in the order in which they come, are in the list. */
class Marking extends ContentionPoint {
  readonly sees = 'arrivals'
  readonly #port: PortContext
  readonly #marked: readonly number[]
  #count: number = 0

  constructor(port: PortContext, marked: readonly number[]) {
    super()
    this.#port = port
    this.#marked = marked
  }

  override onArrival(packet: number): void {
    if (this.#marked.includes(this.#count++)) this.#port.mark(packet)
  }
}

/** A scheme at line rate that tells what it hears; s0 marks some of the packets to h1. */
function schemeOf(
  hears: Hears,
  changes: Partial<Control> = {},
  marked: readonly number[] = [],
): Scheme {
  class Hearing extends ReactionPoint {
    readonly #flow: FlowContext
    constructor(flow: FlowContext) {
      super()
      this.#flow = flow
      this.rateBps = flow.lineRateBps
    }
    override onStart(): void {
      hears.onStart?.(this, this.#flow)
    }
    override onAck(ack: Readonly<Ack>): void {
      hears.onAck?.(this, ack)
    }
    override onTimer(): void {
      hears.onTimer?.(this, this.#flow)
    }
    override onLoss(cause: LossCause): void {
      hears.onLoss?.(cause)
    }
    override onFinished(nowPs: number): void {
      hears.onFinished?.(this.#flow, nowPs)
    }
  }
  return {
    ...none,
    create: (values, context) => ({
      ...none.create(values, context),
      ecnCapable: true,
      reaction: (flow) => new Hearing(flow),
      contention: (port) => (port.name === 's0->h1' ? new Marking(port, marked) : undefined),
      ...changes,
    }),
  }
}

function runOf(scheme: Scheme, flow: Tree, hosts: Tree = {}, more: Tree = {}): Run {
  return createRun(
    specOf({
      topology: graphOf(['h0 s0', 's0 h1', 's0 h2']),
      fabric: { flowControl: 'none' },
      hosts,
      workload: [{ flows: [{ from: 'h0', to: 'h1', ...flow }] }],
      run: { until: '2ms' },
      ...more,
    }),
    scheme,
  )
}

function finish(run: Run): Run {
  while (run.advance(1e6)) continue
  return run
}

describe('the echo of marks', () => {
  /** Bytes and marks of the ACKs of eight packets, of which the third to the fifth are marked. */
  function acks(echo: Control['echo'], every: number, reducesAt: number = Infinity): string[] {
    const heard: string[] = []
    const scheme = schemeOf(
      {
        onAck: (point, { bytes, marked }) => {
          heard.push(`${bytes / 1000}${marked ? '*' : ''}`)
          if (heard.length === reducesAt) point.hasReduced = true
        },
        // One packet in each round trip of 10 us, so that an ACK is heard before the next leaves.
        onStart: (point) => (point.rateBps = (1048 * 8) / 10e-6),
      },
      echo === undefined ? {} : { echo },
      [2, 3, 4],
    )
    finish(runOf(scheme, { size: '8KB' }, { ack: { every } }))
    return heard
  }

  it('is in the ACK of a marked packet, or in the next one where ACKs are fewer', () => {
    expect(acks(undefined, 1)).toEqual(['1', '1', '1*', '1*', '1*', '1', '1', '1'])
    expect(acks(undefined, 4)).toEqual(['4*', '4*'])
    expect(acks(undefined, 2)).toEqual(['2', '2*', '2*', '2'])
  })

  it('if it is exact, is in ACKs that cover marked packets alone (RFC 8257, section 3.2)', () => {
    expect(acks('exact', 4)).toEqual(['2', '3*', '3'])
    expect(acks('exact', 1)).toEqual(acks(undefined, 1))
  })

  it('until CWR is in all ACKs until the sender says that it has reduced (RFC 3168)', () => {
    expect(acks('until-cwr', 1)).toEqual(['1', '1', '1*', '1*', '1*', '1*', '1*', '1*'])
    // Told in the third ACK, it says so with the fourth packet, which is marked again.
    expect(acks('until-cwr', 1, 3)).toEqual(['1', '1', '1*', '1*', '1*', '1*', '1*', '1*'])
    // Told of the last mark, with the sixth, and from then on there is none.
    expect(acks('until-cwr', 1, 5)).toEqual(['1', '1', '1*', '1*', '1*', '1', '1', '1'])
  })
})

describe('a reaction point', () => {
  it.each([
    ['go-back-n', 3, ['fast-retransmit']],
    ['selective-repeat', 3, ['fast-retransmit']],
    ['go-back-n', 19, ['timeout']],
  ])(
    'hears of a loss once, and of none without one (%s, packet %i)',
    (reliability, lost, causes) => {
      const losses = (number: number): LossCause[] => {
        const heard: LossCause[] = []
        const scheme = schemeOf({ onLoss: (cause) => heard.push(cause) })
        const run = runOf(scheme, { size: '20KB' }, { reliability, rto: '100us' })
        losing(run, (count) => count === number)
        expect(finish(run).result().ended).toEqual({ why: 'completed' })
        return heard
      }
      expect(losses(lost)).toEqual(causes)
      expect(losses(-1)).toEqual([])
    },
  )

  it('hears of no round trip of a packet that was sent twice, and of all others', () => {
    const heard: number[] = []
    const rows = new Set<number>()
    const scheme = schemeOf({
      onAck: (_, { rttPs, telemetry }) => {
        heard.push(rttPs)
        rows.add(telemetry)
      },
    })
    const run = runOf(scheme, { size: '20KB' }, { reliability: 'selective-repeat', rto: '100us' })
    losing(run, (count) => count === 3)
    expect(finish(run).result().counters.retransmittedPackets).toBe(1)
    expect(heard.map((rttPs) => rttPs > 0).sort()).toEqual([false, ...new Array(19).fill(true)])
    // Nobody asked for telemetry.
    expect([...rows]).toEqual([-1])
  })

  it('is told once that its last byte is sent, or that it is stopped', () => {
    const finished: number[][] = []
    const scheme = schemeOf({
      onFinished: ({ flightBytes, unsentBytes }, nowPs) =>
        void finished.push([flightBytes, unsentBytes, nowPs]),
    })
    // Three packets at 10 Gb/s before the first ACK, the last of them of half the length.
    finish(runOf(scheme, { size: '2500B' }))
    expect(finished).toEqual([[2500, 0, 2 * 838_400]])
    const run = runOf(scheme, {})
    run.step(20 * US)
    const flow = run.network.hosts.flows.find((one) => one !== undefined)!
    for (let i = 0; i < 3; i++) run.network.hosts.stopFlow(flow, 20 * US)
    finish(run)
    expect(finished).toHaveLength(2)
    expect(finished[1]!.slice(1)).toEqual([0, 20 * US])
  })

  it('that raises its rate is served by it at once, not when its old turn comes', () => {
    const scheme = schemeOf({
      // A packet each 8 ms, until 100 us.
      onStart: (point, flow) => {
        point.rateBps = 1e6
        flow.setTimer(0, 100 * US)
      },
      onTimer: (point, flow) => (point.rateBps = flow.lineRateBps),
    })
    const { flows } = finish(runOf(scheme, { size: '10KB' })).result()
    expect(flows.fctPs[0]! / US).toBeGreaterThan(100)
    expect(flows.fctPs[0]! / US).toBeLessThan(115)
  })

  it('that raises its rate goes before a sibling that is due later, in any class', () => {
    const scheme = schemeOf({
      onStart: (point, flow) => {
        point.rateBps = 1e6
        if (flow.unsentBytes < 20_000) flow.setTimer(0, 100 * US)
      },
      onTimer: (point, flow) => (point.rateBps = flow.lineRateBps),
    })
    const flows = ['1MB', '10KB'].map((size) => ({ from: 'h1', to: 'h2', class: 1, size }))
    const more = { fabric: { classes: 2, flowControl: 'none' }, workload: [{ flows }] }
    const { fctPs } = finish(runOf(scheme, {}, {}, more)).result().flows
    expect(fctPs[1]! / US).toBeLessThan(115)
  })

  it('that may send no more sends no more, though its next packet has its time', () => {
    const scheme = schemeOf({
      // A packet each 20 us, until 50 us.
      onStart: (point, flow) => {
        point.rateBps = (1048 * 8) / 20e-6
        flow.setTimer(0, 50 * US)
      },
      onTimer: (point) => (point.quota = 0),
    })
    const { flows } = finish(runOf(scheme, { size: '10KB' })).result()
    expect(flows.deliveredBytes).toEqual([3000])
  })

  it('says in which class its packets go, the lowest too', () => {
    const scheme = schemeOf({ onStart: (point) => (point.packetClass = 0) })
    const fabric = { classes: 2, flowControl: 'none' }
    const run = runOf(scheme, { size: '10KB', class: 1 }, { ack: 'none' }, { fabric })
    run.network.fabric.setPaused(0, 1, true, 0)
    expect(finish(run).result().flows.deliveredBytes).toEqual([10_000])
  })
})

describe('what a flow has heard', () => {
  it('is counted: all CNPs that receivers sent but those on their way', () => {
    const topology = { kind: 'star', hosts: 4, rate: '10Gbps', delay: '1us' }
    const flows = [1, 2, 3].map((i) => ({ from: `h${i}`, to: 'h0' }))
    const workload = [{ flows }]
    const until = { until: '1ms' }
    const run = createRun(specOf({ topology, workload, scheme: 'dcqcn', run: until }))
    while (run.advance(1e6)) continue
    const { flows: rows, summary } = run.result()
    const heard = rows.notifications.reduce((sum, count) => sum + count, 0)
    expect(Math.min(...rows.notifications)).toBeGreaterThan(3)
    expect(summary.notifications - heard).toBeGreaterThanOrEqual(0)
    expect(summary.notifications - heard).toBeLessThanOrEqual(3)
  })
})

describe("a host's shared queue", () => {
  it.each([
    [0, 1],
    [1, 0],
  ])('holds up a class that may go behind one that may not (%i); others do not', (held, free) => {
    const doneUs = (injection: unknown): number => {
      const flows = [
        { from: 'h0', to: 'h1', class: held },
        { from: 'h0', to: 'h2', class: free, size: '1KB', start: '100us' },
      ]
      const { fctPs } = finish(
        runOf(
          none,
          {},
          { ack: 'none', injection },
          {
            topology: graphOf([
              'h0 s0',
              { a: 's0', b: 'h1', rate: '1Mbps', delay: '1us' },
              's0 h2',
            ]),
            fabric: { classes: 2, flowControl: { kind: 'pfc', xoff: '5KB', xonGap: '0B' } },
            workload: [{ flows }],
          },
        ),
      ).result().flows
      return fctPs[1]! / US
    }
    expect(doneUs('per-flow')).toBeLessThan(5)
    // NaN: it has not gone by 2 ms, for the next packet to h1 takes 8 ms.
    expect(doneUs({ kind: 'shared-fifo', packets: 3 })).toBeNaN()
  })
})
