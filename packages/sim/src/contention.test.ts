/** What a contention point is shown: which packets, and which queue. */
import { ContentionPoint, contend } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { eventDriven, graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const PACKET = 1048

interface Seen {
  readonly nowPs: number
  readonly isData: boolean
  readonly class: number
  readonly queueBytes: number
}

/** Notes what it is shown of arrivals. */
class Notebook extends ContentionPoint {
  readonly sees: 'arrivals' | 'departures'
  readonly arrivals: Seen[] = []
  readonly departures: Seen[]
  readonly #run: Run

  constructor(run: Run, sees: 'arrivals' | 'departures', departures: Seen[]) {
    super()
    this.sees = sees
    this.departures = departures
    this.#run = run
  }

  #seen(packet: number, queueBytes: number, nowPs: number): Seen {
    const { inventory } = this.#run.network.fabric
    const isData = inventory.isData(packet)
    return { nowPs, isData, class: inventory.trafficClass(packet), queueBytes }
  }

  override onArrival(packet: number, queueBytes: number, nowPs: number): void {
    this.arrivals.push(this.#seen(packet, queueBytes, nowPs))
  }

  override onDeparture(packet: number, queueBytes: number, nowPs: number): void {
    this.departures.push(this.#seen(packet, queueBytes, nowPs))
  }
}

/** h1 and h2 send to h0, which sends to h1 and so is sent ACKs; the notebook is at s0 -> h0. */
function runOf(fabric: Tree, rate: string, flows: readonly Tree[]): Run {
  return createRun(
    specOf({
      topology: graphOf([{ a: 'h0', b: 's0', rate, delay: '1us' }, 'h1 s0', 'h2 s0']),
      fabric: { classes: 2, flowControl: 'none', ...fabric },
      hosts: { ack: { every: 1, class: 'data' } },
      workload: [{ flows }],
      run: { until: '300us' },
    }),
  )
}

/** The first link is from h0: the way back is the port to it. */
const TO_H0 = 1
/** The second link is from h1. */
const FROM_H1 = 2

function noted(
  run: Run,
  sees: 'arrivals' | 'departures' = 'arrivals',
  departures: Seen[] = [],
  port: number = TO_H0,
): Seen[] {
  const { fabric } = run.network
  const notebook = new Notebook(run, sees, departures)
  contend(fabric, port, notebook)
  while (run.advance(1e6)) continue
  return notebook.arrivals
}

const organisations = [
  ['shared memory', { switch: 'shared-memory' }],
  ['input buffers', { switch: 'input-buffered', buffer: '60KB' }],
] as const

describe.each(organisations)('a contention point with %s', (_name, fabric) => {
  const both = [
    { from: 'h1', to: 'h0', size: '10KB', class: 0 },
    { from: 'h2', to: 'h0', size: '20KB', class: 1 },
  ]

  it('is shown the queue of the class that a packet is in, without the packet', () => {
    // Nothing but the first packet leaves at 1 Mb/s while the others come.
    const arrivals = noted(runOf(fabric, '1Mbps', both))
    for (const [trafficClass, packets] of [
      [0, 10],
      [1, 20],
    ]) {
      const queues = arrivals.filter((one) => one.class === trafficClass)
      const wanted = Array.from({ length: packets! }, (_, n) => n * PACKET)
      expect(queues.map(({ queueBytes }) => queueBytes)).toEqual(wanted)
    }
  })

  it('is shown data, and no ACKs', () => {
    const back = { from: 'h0', to: 'h1', size: '10KB', class: 0 }
    const arrivals = noted(runOf(fabric, '10Gbps', [...both, back]))
    expect(arrivals.map(({ isData }) => isData)).toEqual(new Array(30).fill(true))
  })

  it('is shown a queue from which all that has left is gone, by fast ports too', () => {
    const flows = [1, 2, 1, 2, 1].map((host, i) => {
      return { from: `h${host}`, to: 'h0', size: '10KB', class: 0, start: `${i * 6}us` }
    })
    const fast = noted(runOf(fabric, '10Gbps', flows))
    expect(fast).toEqual(noted(eventDriven(runOf(fabric, '10Gbps', flows))))
    const queues = fast.map(({ queueBytes }) => queueBytes)
    expect([Math.min(...queues), Math.max(...queues) > 2 * PACKET]).toEqual([0, true])
  })

  it('is shown no arrivals if it sees departures alone', () => {
    expect(noted(runOf(fabric, '10Gbps', both), 'departures')).toEqual([])
  })

  it('that sees departures is shown data, and what it leaves behind in its class', () => {
    const back = { from: 'h0', to: 'h1', size: '10KB', class: 0 }
    const run = runOf(fabric, '1Gbps', [...both, back])
    run.network.fabric.ports.watched[1] = 1
    const left: Seen[] = []
    noted(eventDriven(run), 'departures', left)
    expect(left.map(({ isData }) => isData)).toEqual(new Array(30).fill(true))
    // ACKs are in class 0 alone. The last packet of class 1 leaves nothing behind.
    expect(left.filter((one) => one.class === 1).at(-1)!.queueBytes).toBe(0)
    expect(Math.max(...left.map(({ queueBytes }) => queueBytes))).toBeGreaterThan(5 * PACKET)
  })
})

describe('a contention point at a host', () => {
  const flows = [{ from: 'h1', to: 'h0', size: '10KB', class: 0 }]
  const fabric = organisations[0][1]

  it.each([
    ['arrivals', 10, 0],
    ['departures', 0, 10],
  ] as const)('that sees %s is shown %i arrivals and %i departures', (sees, first, second) => {
    const departures: Seen[] = []
    const arrivals = noted(runOf(fabric, '10Gbps', flows), sees, departures, FROM_H1)
    expect([arrivals.length, departures.length]).toEqual([first, second])
  })

  it("is shown what waits of a packet's own class, not ACKs of another", () => {
    const back = { from: 'h0', to: 'h1', size: '10KB', class: 0 }
    const run = runOf({ ...fabric, flowControl: 'pfc' }, '10Gbps', [
      { from: 'h1', to: 'h0', size: '10KB', class: 1, start: '100us' },
      back,
    ])
    run.step(1)
    const { ports } = run.network.fabric
    run.network.fabric.setPaused(FROM_H1, 0, true, 1)
    const arrivals = noted(run, 'arrivals', [], FROM_H1)
    expect(ports.queuedBytes(FROM_H1, 0)).toBeGreaterThan(0)
    expect(arrivals.map((one) => [one.class, one.queueBytes])).toEqual(new Array(10).fill([1, 0]))
  })
})
