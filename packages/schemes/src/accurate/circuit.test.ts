import { Random } from '@weir/engine'
import { maxMin } from '@weir/theory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ContentionCircuit,
  FLOW_INIT,
  FLOW_STOP,
  FLOW_STOP_UNSENT,
  FRP,
  NO_FRP,
} from './circuit.ts'
import type { CircuitSettings } from './circuit.ts'
import { AccurateContentionPoint, exactRates } from './contention-point.ts'
import type { Frp, FrpType } from './contention-point.ts'
import { FixedContentionPoint } from './fixed-contention-point.ts'

const settings: CircuitSettings = {
  rateBits: 12,
  countBits: 7,
  capacity: 4000,
  shareable: 3800,
  urgent: 400,
  remembers: true,
  floors: true,
  divider: 'array',
  stages: 0,
}

function circuitOf(changes: Partial<CircuitSettings> = {}): ContentionCircuit {
  return new ContentionCircuit({ ...settings, ...changes })
}

/** Sends FRPs with these rates in one period each, ended by a tick. */
function period(circuit: ContentionCircuit, rates: readonly number[]): number[] {
  const left = rates.map((rate) => {
    circuit.cycle(false, FRP, rate, 4095)
    return circuit.output.current
  })
  circuit.cycle(true, NO_FRP, 0, 0)
  return left
}

describe("ACCurate's contention point as a circuit", () => {
  it('does what the floating-point one does, less than a step a flow apart', () => {
    const type = fc.constantFrom<FrpType>('frp', 'frp', 'frp', 'flow-init', 'flow-stop')
    const message = fc.record({ type, rate: fc.integer({ min: 1, max: 4095 }), tick: fc.boolean() })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), fc.boolean(), (messages, isOurs) => {
        const amended = { remembers: isOurs, floors: isOurs }
        const circuit = circuitOf({ rateBits: 30, countBits: 20, ...widened(), ...amended })
        const exact = new AccurateContentionPoint({
          capacityBps: widened().capacity,
          alpha: 0.05,
          shortCircuitFraction: 0.1,
          code: { floor: Math.floor },
          ...amended,
        })
        for (const { type: kind, rate, tick } of messages) {
          const frp: Frp = { type: kind, currentBps: rate * 1000, desiredBps: 4e6 }
          if (tick) {
            exact.tick()
            circuit.cycle(true, NO_FRP, 0, 0)
          }
          exact.receive(frp)
          const code = kind === 'frp' ? FRP : kind === 'flow-init' ? FLOW_INIT : FLOW_STOP
          circuit.cycle(false, code, rate * 1000, 4e6)
          expect(circuit.output.current).toBe(frp.currentBps)
          expect(circuit.fsr).toBe(exact.fsrBps)
          expect([circuit.now.m, circuit.now.b]).toEqual([exact.m, exact.bBps])
          expect([circuit.old.m, circuit.old.b]).toEqual([exact.oldM, exact.oldBBps])
        }
      }),
    )
  })

  it('rounds a share down', () => {
    const circuit = circuitOf()
    period(circuit, [4000, 4000, 4000])
    expect(circuit.fsr).toBe(1266)
  })

  it('gives C over the flows when the others alone fill the link', () => {
    const circuit = circuitOf({ floors: false })
    period(circuit, [3700, 3700, 3700])
    expect([circuit.old.m, circuit.old.elsewhere, circuit.fsr]).toEqual([0, 3, 1333])
  })

  it('counts the largest of the others as its own when nobody is bottlenecked here', () => {
    const circuit = circuitOf({ floors: false })
    period(circuit, [1000, 600])
    expect(circuit.fsr).toBe(3800 - 600)
  })

  it('never lets a share fall to nothing', () => {
    const circuit = circuitOf({ shareable: 20, capacity: 21, floors: false, countBits: 7 })
    period(
      circuit,
      Array.from({ length: 100 }, () => 4095),
    )
    expect(circuit.fsr).toBe(1)
  })

  it('stays full once full, until the tick', () => {
    const circuit = circuitOf({ countBits: 2 })
    for (let i = 0; i < 5; i++) circuit.cycle(false, FRP, 3799, 4095)
    expect([circuit.now.elsewhere, circuit.now.b]).toEqual([3, 8191])
    circuit.cycle(false, FLOW_STOP, 3799, 0)
    expect([circuit.now.elsewhere, circuit.now.b]).toEqual([3, 8191])
    circuit.cycle(true, NO_FRP, 0, 0)
    expect([circuit.now.elsewhere, circuit.now.b]).toEqual([0, 0])

    const here = circuitOf({ countBits: 2 })
    for (let i = 0; i < 5; i++) here.cycle(false, FRP, 3800, 4095)
    here.cycle(false, FLOW_STOP, 3800, 0)
    expect(here.now.m).toBe(3)
  })

  it('undoes this period of a flow that stops only if its FRP was counted', () => {
    const circuit = circuitOf()
    period(circuit, [4000, 500])
    circuit.cycle(false, FRP, 500, 500)
    circuit.cycle(false, FLOW_STOP_UNSENT, 500, 500)
    expect([circuit.now.b, circuit.old.b]).toEqual([500, 0])
    circuit.cycle(false, FLOW_STOP, 500, 500)
    expect([circuit.now.b, circuit.now.elsewhere]).toEqual([0, 0])
  })

  it('calls a cut above its threshold urgent, but never that of a flow that stops', () => {
    const circuit = circuitOf({ urgent: 400 })
    period(circuit, [4000, 4000])
    expect(circuit.fsr).toBe(1900)
    const isUrgent = (type: number, current: number): boolean => {
      circuit.cycle(false, type, current, 4095)
      return circuit.output.isUrgent
    }
    expect([isUrgent(FRP, 2300), isUrgent(FRP, 2301), isUrgent(FRP, 1000)]).toEqual([
      false,
      true,
      false,
    ])
    expect(isUrgent(FLOW_INIT, 4000)).toBe(true)
    expect([isUrgent(FLOW_STOP, 4000), isUrgent(FLOW_STOP_UNSENT, 4000)]).toEqual([false, false])
  })

  it('lets responses and payload pass untouched', () => {
    const circuit = circuitOf()
    period(circuit, [4000, 4000])
    circuit.cycle(false, NO_FRP, 4000, 4001)
    expect(circuit.output).toEqual({ type: NO_FRP, current: 4000, desired: 4001, isUrgent: false })
  })

  it('with a pipeline gives a flow-init its own new share, as many cycles later', () => {
    const circuit = circuitOf({ divider: 'pipeline', stages: 3 })
    circuit.cycle(false, FLOW_INIT, 4000, 4095)
    circuit.cycle(false, FLOW_INIT, 4000, 4095)
    for (let i = 0; i < 3; i++) circuit.cycle(false, NO_FRP, 0, 0)
    expect(circuit.output.type).toBe(NO_FRP)
    circuit.cycle(false, NO_FRP, 0, 0)
    expect([circuit.output.type, circuit.output.current]).toEqual([FLOW_INIT, 3800])
    circuit.cycle(false, NO_FRP, 0, 0)
    expect([circuit.output.type, circuit.output.current]).toEqual([FLOW_INIT, 1900])
    // A share stays until the next one has come through.
    for (let i = 0; i < 10; i++) circuit.cycle(false, NO_FRP, 0, 0)
    expect(circuit.fsr).toBe(1900)
  })

  it('divides serially in rateBits + 3 cycles, and again if more flows have come', () => {
    const circuit = circuitOf({ divider: 'serial' })
    circuit.cycle(false, FLOW_INIT, 4000, 4095)
    expect(circuit.output.current).toBe(3800)
    circuit.cycle(false, FLOW_INIT, 4000, 4095)
    for (let i = 0; i < 13; i++) circuit.cycle(false, NO_FRP, 0, 0)
    expect([circuit.fsr, circuit.isDividing]).toEqual([3800, true])
    // The second division begins when the first is through, and takes as long.
    for (let i = 0; i < 13; i++) circuit.cycle(false, NO_FRP, 0, 0)
    expect([circuit.fsr, circuit.isDividing]).toEqual([3800, true])
    circuit.cycle(false, NO_FRP, 0, 0)
    expect([circuit.fsr, circuit.isDividing]).toEqual([1900, false])
  })

  it('keeps its share while it divides serially', () => {
    const circuit = circuitOf({ divider: 'serial' })
    period(circuit, [4000, 4000])
    while (circuit.isDividing) {
      expect(circuit.fsr).toBe(3800)
      circuit.cycle(false, NO_FRP, 0, 0)
    }
    expect(circuit.fsr).toBe(1900)
  })
})

/** Steps fine enough for whole numbers on both sides: 1,000 to one of the other tests. */
function widened(): { capacity: number; shareable: number; urgent: number } {
  return { capacity: 4e6, shareable: 3.8e6, urgent: 4e5 }
}

describe('rates of few bits', () => {
  it.each([
    [8, 0.3],
    [12, 0.02],
    [16, 0.002],
  ])('of %i are at most %f from max-min', (rateBits, mostOff) => {
    let worst = 0
    for (let seed = 0; seed < 40; seed++) worst = Math.max(worst, worstOff(seed, rateBits))
    expect(worst).toBeLessThan(mostOff)
    expect(worst).toBeGreaterThan(0)
  })
})

/** Largest |rate / max-min - 1| after 60 periods in lockstep, a random flow set. */
function worstOff(seed: number, rateBits: number): number {
  const random = new Random(seed, 'accurate.fixed')
  const links = 2 + random.below(10)
  const paths = Array.from({ length: 2 + random.below(20) }, () => {
    const all = random.shuffle(Array.from({ length: links }, (_, i) => i))
    return all.slice(0, 1 + random.below(Math.min(4, links)))
  })
  const capacity = 10e9
  const points = Array.from({ length: links }, () => {
    const common = { capacityBps: capacity, alpha: 0.05, shortCircuitFraction: 0.1 }
    const widths = { rateBits, countBits: 8, topBps: capacity, code: exactRates }
    return new FixedContentionPoint({ ...common, ...widths, remembers: true, floors: true })
  })
  const { ratesBps } = maxMin(new Float64Array(links).fill(capacity * 0.95), paths)
  let rates = paths.map(() => capacity)
  for (let at = 0; at < 60; at++) {
    rates = paths.map((path, f) => {
      const frp: Frp = { type: 'frp', currentBps: rates[f] ?? 0, desiredBps: capacity }
      for (const link of path) points[link]?.receive(frp)
      return Math.max(frp.currentBps, frp.desiredBps)
    })
    for (const point of points) point.tick()
  }
  return Math.max(...rates.map((rate, f) => Math.abs(rate / (ratesBps[f] ?? NaN) - 1)))
}
