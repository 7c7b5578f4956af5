import { describe, expect, it } from 'vitest'
import type { Arrival, FlowInput, GenerateInput, WorkloadInput } from './contract.ts'
import { sizeTable } from './sizes/tables.ts'
import { arrivals } from './workload.ts'

const SECOND_PS = 1e12
const hosts = Array.from({ length: 16 }, (_, i) => ({ name: `h${i}`, rateBps: 100e9 }))

function generator(changes: Partial<GenerateInput> = {}): GenerateInput {
  return {
    kind: 'generate',
    name: 'bg',
    arrivals: { kind: 'poisson', load: 0.5 },
    sizes: { kind: 'fixed', bytes: 100_000 },
    pattern: { kind: 'uniform' },
    hosts: [],
    startPs: 0,
    stopPs: 0,
    flowsMax: 0,
    class: -1,
    ...changes,
  }
}

function flow(changes: Partial<FlowInput>): FlowInput {
  return {
    name: 'f',
    from: 'h0',
    to: 'h1',
    sizeBytes: 1000,
    startPs: 0,
    stopPs: 0,
    path: [],
    class: -1,
    weight: 1,
    ...changes,
  }
}

function take(workload: readonly WorkloadInput[], count: number, seed = 1): Arrival[] {
  const stream = arrivals(workload, { hosts, seed, untilPs: SECOND_PS })
  const taken: Arrival[] = []
  for (let arrival = stream.next(); arrival !== undefined; arrival = stream.next()) {
    taken.push(arrival)
    if (taken.length === count) break
  }
  return taken
}

const webSearch = { kind: 'cdf', source: 'WebSearch', rows: sizeTable('WebSearch').rows } as const

describe('the stream of arrivals', () => {
  it('is in the order of time, and peeks at what comes next', () => {
    const workload = [generator(), generator({ name: 'other', sizes: webSearch })]
    const stream = arrivals(workload, { hosts, seed: 1, untilPs: SECOND_PS })
    let before = 0
    for (let i = 0; i < 5000; i++) {
      const peekedPs = stream.peekPs()
      const { startPs } = stream.next()!
      expect(startPs).toBe(peekedPs)
      if (startPs < before) throw new Error(`arrival ${i} is before the one before it`)
      before = startPs
    }
  })

  it('is the same for the same seed, and another for another', () => {
    const workload = [generator({ sizes: webSearch })]
    expect(take(workload, 100)).toEqual(take(workload, 100))
    expect(take(workload, 100, 2)).not.toEqual(take(workload, 100, 1))
  })

  it('gives these very arrivals on every machine', () => {
    expect(
      take([generator({ sizes: webSearch })], 3).map((a) => [
        a.startPs,
        a.source,
        a.target,
        a.sizeBytes,
      ]),
    ).toEqual([
      [5975807, 9, 14, 66389],
      [61091990, 1, 0, 43299],
      [76402328, 3, 5, 24979],
    ])
  })

  it('leaves a generator undisturbed by another, and its sizes by its pattern', () => {
    const alone = take([generator({ sizes: webSearch })], 200)
    const other = generator({ name: 'other', sizes: webSearch })
    const together = take([other, generator({ sizes: webSearch })], 1000)
    expect(together.filter((a) => a.name.startsWith('bg.')).slice(0, 200)).toEqual(
      alone.map((a) => ({ ...a, item: 1 })),
    )
    const spot = take(
      [generator({ sizes: webSearch, pattern: { kind: 'hot-spot', host: 'h3', fraction: 0.5 } })],
      200,
    )
    expect(spot.map((a) => [a.startPs, a.sizeBytes])).toEqual(
      alone.map((a) => [a.startPs, a.sizeBytes]),
    )
  })

  it('draws lazily: a run of 9,000 s with 10^13 flows starts at once', () => {
    const endless = generator({ arrivals: { kind: 'poisson-rate', meanIntervalPs: 900 } })
    const stream = arrivals([endless], { hosts, seed: 1, untilPs: Number.MAX_SAFE_INTEGER })
    expect(stream.next()).toMatchObject({ name: 'bg.0' })
    expect(stream.next()).toMatchObject({ name: 'bg.1' })
    expect(stream.peekPs()).toBeLessThan(100_000)
  })

  it('is empty without a workload', () => {
    const stream = arrivals([], { hosts, seed: 1, untilPs: SECOND_PS })
    expect(stream.peekPs()).toBe(Infinity)
    expect(stream.next()).toBeUndefined()
  })

  it('ends before the end of the run, and stays ended', () => {
    const stream = arrivals([generator()], { hosts, seed: 1, untilPs: 1e9 })
    let last: Arrival | undefined
    let count = 0
    for (let a = stream.next(); a !== undefined; a = stream.next()) {
      last = a
      count++
    }
    // 16 hosts at 50 Gb/s for 1 ms are 100 MB: a thousand flows, give or take five deviations.
    expect(Math.abs(count - 1000)).toBeLessThan(160)
    expect(last!.startPs).toBeLessThan(1e9)
    expect(stream.next()).toBeUndefined()
    expect(stream.peekPs()).toBe(Infinity)
  })
})

describe('a generator', () => {
  it('has every host send at its share of the load, in proportion to its rate', () => {
    const mixed = hosts.map((host, i) => ({ ...host, rateBps: i < 8 ? 25e9 : 100e9 }))
    const untilPs = 50e9
    const stream = arrivals([generator({ sizes: webSearch })], { hosts: mixed, seed: 1, untilPs })
    const sentBytes = [0, 0]
    for (let a = stream.next(); a !== undefined; a = stream.next()) {
      sentBytes[a.source < 8 ? 0 : 1]! += a.sizeBytes
    }
    const loads = sentBytes.map(
      (bytes, i) => (bytes * 8e12) / untilPs / (8 * (i === 0 ? 25e9 : 100e9)),
    )
    // About 365 and 1,461 flows whose sizes deviate by about twice their mean.
    expect(Math.abs(loads[0]! - 0.5)).toBeLessThan(0.5 * 0.4)
    expect(Math.abs(loads[1]! - 0.5)).toBeLessThan(0.5 * 0.2)
  })

  it('starts an incast of all senders at once every period', () => {
    const incast = generator({
      arrivals: { kind: 'periodic', periodPs: 1e6, count: 3 },
      pattern: { kind: 'incast', senders: 8, receiver: 'h3', drawSenders: false },
      startPs: 500,
    })
    const all = take([incast], Infinity)
    expect(all.map((a) => a.startPs)).toEqual(
      [500, 1_000_500, 2_000_500].flatMap((t) => new Array<number>(8).fill(t)),
    )
    expect(all.every((a) => a.target === 3)).toBe(true)
    expect(all.slice(0, 8).map((a) => a.source)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
    expect(all.at(-1)!.name).toBe('bg.23')
  })

  it('makes each Poisson arrival of an incast one event, at the same load', () => {
    const incast = generator({
      pattern: { kind: 'incast', senders: 8, receiver: '', drawSenders: true },
      arrivals: { kind: 'poisson', load: 0.02 },
      stopPs: 100e9,
    })
    const all = take([incast], Infinity)
    const events = new Set(all.map((a) => a.startPs))
    expect(all).toHaveLength(events.size * 8)
    // 32 Gb/s for 0.1 s are 400 MB: 500 events of eight flows, give or take five deviations.
    expect(Math.abs(events.size - 500)).toBeLessThan(112)
    expect(all.every((a) => a.target === 0)).toBe(true)
  })

  it('keeps to its hosts, its start, its stop, its bound and its class', () => {
    const few = generator({ hosts: ['h4..h7'], startPs: 1e9, flowsMax: 50, class: 2 })
    const all = take([few], Infinity)
    expect(all).toHaveLength(50)
    expect(all.every((a) => a.source >= 4 && a.source <= 7 && a.target >= 4 && a.target <= 7)).toBe(
      true,
    )
    expect(all.every((a) => a.startPs > 1e9 && a.class === 2)).toBe(true)
    const short = take([generator({ startPs: 1e9, stopPs: 1.1e9 })], Infinity)
    expect(short.length).toBeGreaterThan(50)
    expect(short.every((a) => a.startPs >= 1e9 && a.startPs < 1.1e9)).toBe(true)
  })

  it('says which item is wrong', () => {
    expect(() => take([generator(), generator()], 1)).toThrow(
      "Two generators of the workload are named 'bg'",
    )
    expect(() => take([generator({ hosts: ['h99'] })], 1)).toThrow(
      "Workload 'bg': There is no host 'h99'; the 16 hosts are h0 to h15.",
    )
  })
})

describe('explicit flows', () => {
  it('are sorted by start, with ties as listed, and keep what was said of them', () => {
    const listed: WorkloadInput = {
      kind: 'flows',
      flows: [
        flow({ name: 'late', startPs: 10, path: ['s1'], class: 1, weight: 2 }),
        flow({ name: 'first', startPs: 5 }),
        flow({ name: 'second', startPs: 5, from: 'h2', sizeBytes: 0, stopPs: 9 }),
        flow({ name: 'never', startPs: SECOND_PS }),
      ],
    }
    const all = take([listed], Infinity)
    expect(all.map((a) => a.name)).toEqual(['first', 'second', 'late'])
    expect(all[1]).toMatchObject({ source: 2, target: 1, sizeBytes: 0, stopPs: 9 })
    expect(all[2]).toMatchObject({ path: ['s1'], class: 1, weight: 2 })
  })

  it('come before a later item of the same moment', () => {
    const burst = generator({ arrivals: { kind: 'periodic', periodPs: 1, count: 1 } })
    const listed: WorkloadInput = { kind: 'flows', flows: [flow({ name: 'mine' })] }
    expect(take([listed, burst], 1)[0]!.name).toBe('mine')
    expect(take([burst, listed], 1)[0]!.name).toBe('bg.0')
  })

  it('name the flow whose host is missing or that goes nowhere', () => {
    expect(() => take([{ kind: 'flows', flows: [flow({ to: 'x' })] }], 1)).toThrow(
      "Flow 'f': There is no host 'x'",
    )
    expect(() => take([{ kind: 'flows', flows: [flow({ to: 'h0' })] }], 1)).toThrow(
      "Flow 'f': It goes from 'h0' to itself",
    )
  })
})
