/** A course in time, of systems whose courses are known by hand. */
import { describe, expect, it } from 'vitest'
import type { FluidSystem } from './model.ts'
import { noneFluid } from './none.ts'
import { trajectory } from './trajectory.ts'

const C = 1e9

/** A queue that follows a law of time alone, beside a clock; `heard` is what is known of both. */
function scripted(
  law: { readonly first: number; readonly slope: (time: number) => number },
  delay: number,
  heard: (now: number, then: { readonly queue: number; readonly clock: number }) => void,
): FluidSystem {
  return {
    names: ['queue', 'clock'],
    shared: 2,
    groups: [{ flows: 1, startPs: 0, rateBps: 0 }],
    scale: Float64Array.of(1e3, 1e-3),
    start: Float64Array.of(law.first, 0),
    capacity: C,
    waits: [true],
    delays: (_, out) => void (out[0] = delay),
    delayMin: delay,
    derivative: (_state, [then], since, slope) => {
      heard(since[0]!, { queue: then![0]!, clock: then![1]! })
      slope.set([law.slope(since[0]!), 1])
    },
    project: () => false,
    rateBps: (state) => state[0]!,
    fixedPoint: () => ({ state: undefined, why: '', quantities: [], frozen: [], opened: 0 }),
  }
}

describe('news that waits in a queue that fills and drains', () => {
  const [omega, most, delay] = [2e5, 8e3, 3e-6]
  // q = most (1 - cos wt) / 2, which never drains faster than C.
  const wave = { first: 0, slope: (t: number): number => (most * omega * Math.sin(omega * t)) / 2 }

  it('left at u + q(u) / C, for the queue that it met at u', () => {
    let [worst, asked] = [0, 0]
    const system = scripted(wave, delay, (now, { queue, clock }) => {
      if (clock <= 0) return
      asked++
      worst = Math.max(worst, Math.abs(clock + queue / C + delay - now))
    })
    trajectory(system, 200e-6, 10e-6, { tolerance: 1e-9 })
    expect(asked).toBeGreaterThan(100)
    // Waits are up to 8 us.
    expect(worst).toBeLessThan(1e-11)
  })

  it('left at once where the queue is empty', () => {
    const empty = { first: 0, slope: () => 0 }
    const system = scripted(empty, delay, (now, { clock }) => {
      if (now > 2 * delay) expect(Math.abs(clock + delay - now)).toBeLessThan(1e-12)
    })
    trajectory(system, 50e-6, 50e-6)
  })

  it('met the queue that stood before the start, as long as that is what leaves', () => {
    // 20 KB wait 20 us and drain as fast as they can: until then everybody has met 20 KB.
    const drain = { first: 20e3, slope: (t: number): number => (t < 15e-6 ? -C : 0) }
    const met: number[] = []
    const system = scripted(drain, delay, (now, { queue }) => {
      if (now < 20e-6) met.push(queue)
    })
    trajectory(system, 30e-6, 10e-6)
    expect(met.length).toBeGreaterThan(10)
    for (const queue of met) expect(queue / 20e3).toBeCloseTo(1, 9)
  })
})

describe('a course at even intervals', () => {
  const rising = { first: 0, slope: (): number => 1e9 }

  it('has the first at 0 and the last at the end, if intervals divide the time', () => {
    const system = scripted(rising, 1e-6, () => undefined)
    const { times } = trajectory(system, 2 ** -13, 2 ** -15)
    expect(Array.from(times)).toEqual([0, 1, 2, 3, 4].map((i) => i * 2 ** -15))
    // 0.3 / 0.1 is a little less than 3.
    expect(trajectory(system, 0.3e-4, 0.1e-4).times).toHaveLength(4)
    expect(trajectory(system, 1e-4, 3e-5).times.at(-1)).toBeCloseTo(9e-5, 12)
  })

  it('begins where it is asked to, and otherwise where the scheme does', () => {
    const system = scripted({ first: 5e3, slope: () => 0 }, 1e-6, () => undefined)
    expect(trajectory(system, 1e-4, 1e-4).queueBytes[0]).toBe(5e3)
    const from = Float64Array.of(7e3, 0)
    expect(Array.from(trajectory(system, 1e-4, 1e-4, { from }).queueBytes)).toEqual([7e3, 7e3])
  })

  it('shows no queue below empty, whatever the polynomial between two steps does', () => {
    const system = scripted({ first: -5, slope: () => 0 }, 1e-6, () => undefined)
    const { queueBytes, state } = trajectory(system, 1e-4, 5e-5)
    expect(Array.from(queueBytes)).toEqual([0, 0, 0])
    expect(state[0]![1]).toBe(-5)
  })

  it('has the names of the state, and says how many steps it took', () => {
    const system = scripted(rising, 1e-5, () => undefined)
    const { names, state, steps } = trajectory(system, 1e-4, 1e-4, { stepFixed: 1.25e-5 / 2 })
    expect(names).toEqual(['queue', 'clock'])
    expect(state[1]!.at(-1)).toBeCloseTo(1e-4, 12)
    expect(steps).toBe(16)
  })

  it('takes more steps for less error, and refuses more than it may', () => {
    const wave = { first: 0, slope: (t: number): number => 1e8 * Math.sin(1e5 * t) }
    const steps = (tolerance?: number): number =>
      trajectory(
        scripted(wave, 1e-3, () => undefined),
        1e-3,
        1e-3,
        tolerance === undefined ? {} : { tolerance },
      ).steps
    expect(steps(1e-10)).toBeGreaterThan(2 * steps(1e-5))
    expect(steps()).toBe(steps(1e-6))
    const few = { stepsMax: 5 }
    const asked = (): unknown =>
      trajectory(
        scripted(wave, 1e-3, () => undefined),
        1e-3,
        1e-3,
        few,
      )
    expect(asked).toThrow('5 steps')
  })
})

describe('groups that begin in the middle', () => {
  const network = { rateBps: 8e9, flows: 2, delayPs: 1e9, packetBytes: 1000 }

  it('begin to the instant, however large an error a step may make', () => {
    // Two lines of 1 GB/s into one, from 0.43 ms on: 1 MB in each ms.
    const system = noneFluid.create(network, {}, [{ flows: 1 }, { flows: 1, startPs: 0.43e9 }])
    const { queueBytes, rateBps, steps } = trajectory(system, 1e-3, 1e-4, { tolerance: 10 })
    for (let i = 0; i <= 10; i++) {
      expect(queueBytes[i]).toBeCloseTo(Math.max(0, i * 1e-4 - 0.43e-3) * C, 3)
    }
    expect(Array.from(rateBps[1]!)).toEqual([...Array<number>(5).fill(0), ...Array(6).fill(8e9)])
    expect(steps).toBeLessThan(30)
  })

  it('do not begin before the first time, nor after the last', () => {
    const queue = (startPs: number): number => {
      const system = noneFluid.create(network, {}, [{ flows: 1 }, { flows: 1, startPs }])
      return trajectory(system, 1e-3, 1e-3).queueBytes[1]!
    }
    expect(queue(-5e9) / 1e6).toBeCloseTo(1, 9)
    expect(queue(0) / 1e6).toBeCloseTo(1, 9)
    expect(queue(1e9)).toBeCloseTo(0, 3)
    expect(queue(2e9)).toBe(0)
  })
})
