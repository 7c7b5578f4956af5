/** What contention points say of packets at queues, on whole runs at every kind of switch. */
import type { Control, PerFlowQueues, Verdict } from '@weir/fabric'
import { ContentionPoint, DROP, KEEP, MARK, ReactionPoint, TRIM } from '@weir/fabric'
import type { Scheme } from '@weir/schemes'
import { none } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { createRun } from './run.ts'
import { audit } from './testing/audit.ts'
import { specOf, type Tree } from './testing/specs.ts'
import { simulateTogether } from './testing/together.ts'

class Judge extends ContentionPoint {
  readonly sees = 'nothing'
  override readonly admits = true
  readonly #verdict: (queueBytes: number) => Verdict

  constructor(verdict: (queueBytes: number) => Verdict) {
    super()
    this.#verdict = verdict
  }

  override admit(_packet: number, queueBytes: number): Verdict {
    return this.#verdict(queueBytes)
  }
}

const THRESHOLD = 4000

/** What a queue above the threshold does with a packet. */
function judged(verdict: Verdict, more: Partial<Control> = {}): Scheme {
  const above = (queueBytes: number): Verdict => (queueBytes >= THRESHOLD ? verdict : KEEP)
  return schemeOf({
    trimmedBytes: 64,
    contention: (port) => (port.atHost ? undefined : new Judge(above)),
    ...more,
  })
}

function schemeOf(more: Partial<Control>): Scheme {
  return {
    ...none,
    create: (values, context) => ({
      ...none.create(values, context),
      controlBytesMax: 64,
      ...more,
    }),
  }
}

function incast(fabric: Tree): Tree {
  return {
    topology: { kind: 'star', hosts: 5, rate: '10Gbps', delay: '1us' },
    fabric,
    hosts: { reliability: 'unordered', rto: '100us' },
    workload: [1, 2, 3, 4].map((i) => ({ flows: [{ from: `h${i}`, to: 'h0', size: '20KB' }] })),
  }
}

function simulate(scheme: Scheme, tree: Tree): Result {
  const run = createRun(specOf(tree), scheme)
  while (run.advance(100)) audit(run)
  return run.result()
}

const FABRICS: Readonly<Record<string, Tree>> = {
  'shared memory': { flowControl: 'none' },
  'shared memory and PFC': { flowControl: 'pfc' },
  'input buffers': { switch: 'input-buffered', flowControl: 'none', buffer: '64KB' },
  'input buffers and PFC': { switch: 'input-buffered', flowControl: 'pfc', buffer: '64KB' },
  'input buffers, VOQs and PAUSE': {
    switch: 'input-buffered',
    flowControl: 'pause',
    buffer: { size: '64KB', inputQueue: 'voq' },
  },
  'input buffers and output FIFOs': {
    switch: 'input-buffered',
    flowControl: 'none',
    buffer: { size: '64KB', outputQueue: '4KB' },
  },
  'input buffers, cut through': {
    switch: 'input-buffered',
    flowControl: 'none',
    buffer: '64KB',
    forwarding: 'cut-through',
  },
  'per-flow queues': { switch: 'per-flow-queues' },
}

describe.each(Object.entries(FABRICS))('an admission verdict with %s', (_, fabric) => {
  it('keeps, and nothing is another way than without', () => {
    const kept = simulate(judged(KEEP), incast(fabric))
    expect(kept.fingerprint).toBe(simulate(schemeOf({}), incast(fabric)).fingerprint)
  })

  it('trims, and what was trimmed comes again', () => {
    const { counters, ended, ports, summary } = simulate(judged(TRIM), incast(fabric))
    expect(ended).toEqual({ why: 'completed' })
    expect(counters.packetsTrimmed).toBeGreaterThan(20)
    expect(summary.packetsTrimmed).toBe(counters.packetsTrimmed)
    expect(counters.retransmittedPackets).toBeGreaterThanOrEqual(counters.packetsTrimmed)
    expect(counters.packetsDropped).toBe(0)
    expect(ports.packetsTrimmed[ports.name.indexOf('switch->h0')]).toBe(counters.packetsTrimmed)
    // 1,000 B of payload for each packet and link, but for those that were trimmed on their second.
    const sent = 80 + counters.retransmittedPackets
    expect(counters.dataBytes).toBe(1000 * (2 * sent - counters.packetsTrimmed))
    // Data stay below the bound; headers of 64 B come on top.
    expect(counters.queueBytesMax).toBeLessThan(12_000)
  })

  it('marks, and its sender hears of it; nothing is lost', () => {
    const heard: boolean[] = []
    class Hears extends ReactionPoint {
      override onAck({ marked }: { readonly marked: boolean }): void {
        heard.push(marked)
      }
    }
    const scheme = judged(MARK, { reaction: () => new Hears() })
    const { counters, ended, ports } = simulate(scheme, incast(fabric))
    expect(ended).toEqual({ why: 'completed' })
    expect([counters.packetsDropped, counters.packetsTrimmed]).toEqual([0, 0])
    const marks = ports.packetsMarked[ports.name.indexOf('switch->h0')]!
    expect(marks).toBeGreaterThan(20)
    expect(heard).toHaveLength(80)
    expect(heard.filter((isMarked) => isMarked)).toHaveLength(marks)
  })

  it('drops, and the timeout finds it', () => {
    const { counters, ended } = simulate(judged(DROP), incast(fabric))
    expect(ended).toEqual({ why: 'completed' })
    expect(counters.packetsDropped).toBeGreaterThan(20)
    expect(counters.packetsTrimmed).toBe(0)
  })

  it('is the same by two threads', () => {
    const spec = specOf(incast(fabric))
    const alone = createRun(spec, judged(TRIM))
    while (alone.advance(1e6)) continue
    const together = simulateTogether(spec, 2, judged(TRIM))
    expect(together.fingerprint).toBe(alone.result().fingerprint)
  })
})

describe('what a trimmed header is in', () => {
  it('the lane of control packets by that output, where lanes change by hop', () => {
    const changes = [{ from: 'switch', to: 'h0', class: 7, becomes: 5 }]
    const fabric = {
      switch: 'input-buffered',
      flowControl: 'none',
      buffer: '64KB',
      lanes: { kind: 'by-link', changes },
    }
    const classes = new Set<number>()
    class Watch extends ContentionPoint {
      readonly sees = 'departures'
      override readonly admits = true
      readonly #classOf: (packet: number) => number
      constructor(classOf: (packet: number) => number) {
        super()
        this.#classOf = classOf
      }
      override admit(): Verdict {
        return TRIM
      }
      override onDeparture(packet: number): void {
        classes.add(this.#classOf(packet))
      }
    }
    const scheme = schemeOf({
      trimmedBytes: 64,
      contention: (port) =>
        port.name === 'switch->h0' ? new Watch((packet) => port.packetClass(packet)) : undefined,
    })
    const run = createRun(specOf({ ...incast(fabric), run: { until: '60us' } }), scheme)
    while (run.advance(100)) audit(run)
    expect([...classes]).toEqual([5])
  })

  it('a queue that nobody stops, however long it is', () => {
    const scheme = schemeOf({
      trimmedBytes: 64,
      contention: (port) => (port.name === 'left->right' ? new Judge(() => TRIM) : undefined),
    })
    const spec = specOf({
      topology: { kind: 'dumbbell', left: 1, right: 1, rate: '10Gbps', bottleneckRate: '100Mbps' },
      fabric: { switch: 'per-flow-queues', flowControl: { kind: 'per-flow', xoff: '2KB' } },
      hosts: { reliability: 'unordered' },
      workload: [{ flows: [{ from: 'l0', to: 'r0', size: '1MB' }] }],
      run: { until: '400us' },
    })
    const run = createRun(spec, scheme)
    const switches = run.network.switches as PerFlowQueues
    while (run.advance(100)) {
      audit(run)
      expect(switches.stops.count).toBe(0)
    }
    expect(run.result().counters.queueBytesMax).toBeGreaterThan(4000)
  })
})

describe('a scheme that needs verdicts', () => {
  it('is refused with one sentence where credits give every packet its room', () => {
    const fabric = { switch: 'input-buffered', flowControl: 'credits' }
    expect(() => specOf({ ...incast(fabric), hosts: {}, scheme: 'ndp' })).toThrow(
      'fabric.flowControl: ndp needs switches that may trim or drop, and with credits ' +
        'every packet sent has its room; write flowControl: pfc or none',
    )
  })

  it.each(Object.entries(FABRICS))('runs with %s', (_, fabric) => {
    const run = createRun(specOf({ ...incast(fabric), hosts: {}, scheme: 'ndp' }))
    while (run.advance(100)) audit(run)
    const { counters, ended } = run.result()
    expect(ended).toEqual({ why: 'completed' })
    expect(counters.packetsTrimmed).toBeGreaterThan(10)
    expect(counters.packetsDropped).toBe(0)
  })
})
