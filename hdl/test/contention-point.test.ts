/**
 * The circuit against the model, cycle for cycle: everything that leaves and every register.
 * WEIR_HDL_CYCLES=1000000 npm test -- hdl is the long version (with Verilator where it is).
 */
import type { CircuitSettings } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { compare, simulatorHere } from './simulators.ts'

const CYCLES = Number(process.env.WEIR_HDL_CYCLES ?? 20_000)
const simulator = simulatorHere(CYCLES > 50_000 ? 'verilator' : 'icarus')

const base: CircuitSettings = {
  rateBits: 12,
  countBits: 7,
  capacity: 4095,
  shareable: 3890,
  urgent: 409,
  remembers: true,
  floors: true,
  divider: 'array',
  stages: 1,
}

const variants: readonly (readonly [name: string, changes: Partial<CircuitSettings>])[] = [
  ['amended, array', {}],
  ['letter, array', { remembers: false, floors: false }],
  ['amended, pipeline of 4', { divider: 'pipeline', stages: 4 }],
  ['letter, pipeline of 1', { remembers: false, floors: false, divider: 'pipeline' }],
  ['amended, pipeline of 5, which 12 bits do not fill evenly', { divider: 'pipeline', stages: 5 }],
  ['amended, serial', { divider: 'serial' }],
  ['letter, serial', { remembers: false, floors: false, divider: 'serial' }],
  ['8 bits, 3 of count', { rateBits: 8, countBits: 3, capacity: 255, shareable: 242, urgent: 25 }],
  [
    '16 bits, 8 of count, a slow link',
    { rateBits: 16, countBits: 8, capacity: 16_383, shareable: 15_564, urgent: 1638 },
  ],
]

/** What each run must have met; others depend on the widths. */
const ALWAYS = ['tick', 'tick and FRP in one cycle', 'no FRP', 'FRP', 'flow-init', 'flow-stop']
  .concat(['flow-stop before its FRP', 'short circuit', 'M full', 'count of others full', 'B full'])
  .concat(['idle', 'nobody here, others pass', 'negative share', 'an equal share is more'])

const some = simulator === undefined ? describe.skip : describe
const where =
  simulator === undefined
    ? 'skipped: neither iverilog nor verilator is here; apt-get install iverilog'
    : `${simulator}, ${CYCLES} cycles; long: node hdl/run.mjs check`

some(`the contention point in Verilog (${where})`, () => {
  it.each(variants)(
    'equals the model in every cycle: %s',
    (_, changes) => {
      const settings = { ...base, ...changes }
      const { difference, coverage } = compare(simulator ?? 'icarus', settings, CYCLES, 1)
      expect(difference).toBeUndefined()
      for (const event of ALWAYS) expect(coverage[event], event).toBeGreaterThan(0)
    },
    600_000,
  )

  it.each([
    ['array', 0],
    ['pipeline', 4 + 2],
    ['serial', 0],
  ] as const)(
    'takes an FRP in every cycle and lets one out in every cycle: %s',
    (divider, latency) => {
      const settings = { ...base, divider, stages: 4 }
      const { difference, coverage } = compare(simulator ?? 'icarus', settings, 4000, 2, true)
      expect(difference).toBeUndefined()
      expect(coverage.cycles).toBe(4000)
      expect(coverage.frps).toBe(4000)
      expect(coverage.left).toBe(4000 - latency)
      expect(coverage['flow-init']).toBeGreaterThan(100)
      expect(coverage.tick).toBeGreaterThan(100)
    },
    600_000,
  )
})
