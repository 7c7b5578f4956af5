/** What holds of every model: bounds, groups, and that what is told of a fixed point is there. */
import { describe, expect, it } from 'vitest'
import { C, LINE, NETWORK, slopesOf } from '../testing/slopes.ts'
import type { FluidModel, FluidNetwork, FluidSystem, FluidValues, Quantity } from './model.ts'
import { fluidModels } from './registry.ts'
import { unitOf } from './units.ts'

/** Every model with its defaults, and PACC in its other form. */
const MODELS: readonly (readonly [string, FluidModel, FluidValues])[] = fluidModels.flatMap(
  (model) => [
    [model.name, model, model.defaults] as const,
    ...(model.own === undefined
      ? []
      : [[`${model.name}, printed`, model, { ...model.defaults, form: 'printed' }] as const]),
  ],
)
const named = (name: string): (typeof MODELS)[number] => MODELS.find(([one]) => one === name)!

const GROUPS = [{ flows: 3 }, { flows: 7 }]
const create = ([, model, values]: (typeof MODELS)[number]): FluidSystem =>
  model.create(NETWORK, values, GROUPS)

/** By the scheme's least rate, the line, a window's least and most, and CNPs 4 us apart in 80. */
const BOUNDS: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> = {
  none: {},
  dctcp: { window: [1000, Infinity], alpha: [0, 1] },
  dcqcn: { rate: [1.25e6, LINE], target: [1.25e6, LINE], alpha: [0, 1] },
  timely: { rate: [1.25e7, LINE] },
  'patched-timely': { rate: [1.25e7, LINE] },
  hpcc: { window: [250, 100e3] },
  pacc: { rate: [1.25e6, LINE], target: [1.25e6, LINE], alpha: [0, 1] },
  'pacc, printed': { rate: [C / 10_000, LINE], CNPs: [-20, 20] },
  rocc: { 'fair rate': [1.25e7, LINE] },
}

describe.each(MODELS)('%s', (name, model, values) => {
  const entry = named(name)

  it('puts back each number that a step took out of its bounds, and says so', () => {
    const system = create(entry)
    const bounds = new Map(Object.entries(BOUNDS[name]!))
    system.names.forEach((full, i) => {
      const one = full.replace(/ [12]$/, '')
      const [low, high] = i === 0 ? [0, Infinity] : (bounds.get(one) ?? [-Infinity, Infinity])
      const inside = system.start.slice()
      system.project(inside)
      expect(system.project(inside.slice()), full).toBe(false)
      for (const [limit, outside] of [
        [low, -1e15],
        [high, 1e15],
      ] as const) {
        const state = inside.slice()
        state[i] = outside
        const wanted = inside.slice()
        wanted[i] = Number.isFinite(limit) ? limit : outside
        expect(system.project(state), `${full} ${outside}`).toBe(Number.isFinite(limit))
        state.forEach((value, k) =>
          expect(value / (wanted[k]! || 1)).toBeCloseTo(wanted[k]! ? 1 : 0),
        )
        // At its bound it stays.
        expect(system.project(state), full).toBe(false)
      }
    })
  })

  it('begins with the rate that a group is given, and otherwise with its own', () => {
    const [flows, own] = [5, name === 'dctcp' ? (10 * 8000) / 20e-6 : 40e9]
    const system = model.create(NETWORK, values, [{ flows }, { flows, rateBps: 4e9 }])
    if (name.endsWith('printed')) {
      // At its fixed point, with a tenth more queue than that.
      expect(system.rateBps(system.start, 0)).toBe(2e9)
      expect(system.start[0]! / system.fixedPoint().state![0]!).toBeCloseTo(1.1, 9)
      return
    }
    expect(system.start[0]).toBe(0)
    if (name === 'rocc') return
    // HPCC takes U as 1 at first: eta of a window, and W_AI more.
    const [part, more] = name === 'hpcc' ? [0.95, 50e6] : [1, 0]
    expect(system.rateBps(system.start, 0) / (own * part + more)).toBeCloseTo(1, 9)
    expect(system.rateBps(system.start, 1) / (4e9 * part + more)).toBeCloseTo(1, 9)
  })

  it('aims at first at the rate that it begins with', () => {
    const system = create(entry)
    for (const g of [1, 2]) {
      const target = system.names.indexOf(`target ${g}`)
      if (target >= 0) expect(system.start[target]! * 8).toBe(system.rateBps(system.start, g - 1))
    }
  })

  it('moves as one where two groups are alike', () => {
    const [both, one] = [create(entry), model.create(NETWORK, values)]
    const [shared, each] = [one.shared, one.names.length - one.shared]
    const now = Array.from(one.start)
    now[0] = 90e3
    const twice = [...now, ...now.slice(shared)]
    const rows = ({ waits }: FluidSystem, row: number[]): number[][] => waits.map(() => row)
    const found = slopesOf(both, twice, rows(both, twice))
    const wanted = slopesOf(one, now, rows(one, now), [1])
    expect(found[0]! / (wanted[0]! || 1)).toBeCloseTo(wanted[0] === 0 ? 0 : 1, 12)
    expect(found.slice(1, shared + each)).toEqual(wanted.slice(1))
    expect(found.slice(shared + each)).toEqual(wanted.slice(shared))
  })

  it('goes on without a group that has not begun, as if it were not there', () => {
    const system = create(entry)
    const alone = model.create({ ...NETWORK, flows: 10 }, values, [GROUPS[0]!])
    const state = system.start.slice()
    state[0] = 90e3
    const now = Array.from(state)
    const kept = system.names.findIndex((one) => one.endsWith(' 2'))
    const rows = (count: number, length: number): number[][] =>
      Array.from({ length: count }, () => now.slice(0, length))
    const each = kept < 0 ? now.length : kept
    // What a step before left in the slopes does not matter.
    const slope = new Float64Array(now.length).fill(NaN)
    const lagged = rows(system.waits.length, now.length).map((row) => Float64Array.from(row))
    system.derivative(state, lagged, Float64Array.of(1, -1), slope)
    const found = Array.from(slope)
    const expected = slopesOf(alone, now.slice(0, each), rows(alone.waits.length, each), [1])
    expect(found.slice(0, each)).toEqual(expected)
    expect(found.slice(each)).toEqual(found.slice(each).map(() => 0))
  })

  it('calls the numbers of its state by their groups, if there are several', () => {
    const { names, shared } = create(entry)
    expect(new Set(names).size).toBe(names.length)
    expect(names[0]).toBe('queue')
    const one = model.create(NETWORK, values).names
    expect(one.slice(0, shared)).toEqual(names.slice(0, shared))
    const each = one.slice(shared)
    expect(names.slice(shared)).toEqual([1, 2].flatMap((g) => each.map((word) => `${word} ${g}`)))
    for (const word of [...one, model.title, model.cite, ...model.leavesOut]) {
      expect(word).not.toBe('')
    }
  })

  it('tells of its fixed point what its state has there', () => {
    const system = model.create({ ...NETWORK, flows: 6 }, values)
    const { state, quantities, why } = system.fixedPoint()
    expect(why).toMatch(/\.$/)
    const told = new Map(quantities.map((one) => [one.name, one]))
    expect(told.size).toBe(quantities.length)
    expect(told.has('')).toBe(false)
    if (state === undefined) return
    const units = { queue: 'bytes', rate: 'bit/s', 'target rate': 'bit/s', window: 'bytes' }
    const at = (one: string): number => state[system.names.indexOf(one)]!
    const wanted: Record<string, number> = {
      queue: state[0]!,
      rate: system.rateBps(state, 0),
      'target rate': 8 * at('target'),
      window: at('window'),
      alpha: at('alpha'),
    }
    expect(told.has('queue') && told.has('rate')).toBe(true)
    for (const [key, { value, unit }] of told) {
      if (!(key in wanted)) continue
      expect(value / (wanted[key]! || 1), key).toBeCloseTo(wanted[key] === 0 ? 0 : 1, 9)
      expect(unit, key).toBe(units[key as keyof typeof units] ?? '')
    }
  })
})

/** The same bottleneck with another unit of data and of time: what it is cannot depend on these. */
describe('quantities have the dimension that they say', () => {
  const inUnits = ([name, model, values]: (typeof MODELS)[number], data: number, time: number) => {
    const network: FluidNetwork = {
      ...{ rateBps: (20e9 * data) / time, lineRateBps: (40e9 * data) / time, flows: 6 },
      ...{ delayPs: 20e6 * time, nearDelayPs: 8e6 * time, packetBytes: 1000 * data },
    }
    const factor = { time, size: data, rate: data / time }
    // Gains that are per KB; per 600 B and in 10 Mb/s; a K that is one of Gb/s.
    const hidden: Record<string, number> = {
      ...(name.startsWith('pacc') && { beta1: 1 / data, beta2: 1 / data }),
      ...(name === 'rocc' && { alpha: 1 / time, beta: 1 / time }),
      ...(name === 'dctcp' && { k10: time }),
    }
    const scaled = Object.entries(values).map(([key, value]) => {
      if (typeof value !== 'number') return [key, value]
      const unit = unitOf(key)
      return [key, value * (hidden[key] ?? (unit === undefined ? 1 : factor[unit]))]
    })
    const made = model.create(network, Object.fromEntries(scaled) as FluidValues)
    return made.fixedPoint().quantities
  }

  it.each(MODELS.filter(([name]) => name !== 'none'))('of %s', (name) => {
    const entry = named(name)
    const plain = inUnits(entry, 1, 1)
    const by: Record<Quantity['unit'], (data: number, time: number) => number> = {
      bytes: (data) => data,
      'bit/s': (data, time) => data / time,
      s: (_, time) => time,
      degrees: () => 1,
      '': () => 1,
    }
    for (const [data, time] of [
      [3, 1],
      [1, 2],
    ] as const) {
      inUnits(entry, data, time).forEach(({ name: what, unit, value }, i) => {
        const wanted = plain[i]!.value * by[unit](data, time)
        expect(value / (wanted || 1), `${what} x ${data}, ${time}`).toBeCloseTo(wanted ? 1 : 0, 5)
      })
    }
  })
})
