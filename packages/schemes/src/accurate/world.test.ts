import { describe, expect, it } from 'vitest'
import { accurate } from '../accurate.ts'
import { resolveParams } from '../param.ts'
import { fakeContext, valuesOf } from '../testing/fake-flow.ts'
import { params, presets } from './params.ts'
import type { Values } from './params.ts'
import { World } from './world.ts'

const US = 1e6

type Given = Partial<Values>
const world = (given: Given = {}, preset: string = ''): World => {
  const values = resolveParams(params, undefined, { ...presets[preset]?.values, ...given })
  return new World(values as unknown as Values, fakeContext())
}

/** What others see of it but the parameters themselves. */
function shown(of: World): Partial<World> {
  const { clock, frpBytes, isPiggybacked, isInDataClass, frpPhasePs, topBps, linkRateBps } = of
  return { clock, frpBytes, isPiggybacked, isInDataClass, frpPhasePs, topBps, linkRateBps }
}

describe("ACCurate's parameters", () => {
  it('are those of the paper with two amendments, which its preset takes back', () => {
    const { values, clock, frpBytes, isInDataClass, isPiggybacked } = world()
    const { rates, arithmetic, remembers, equalFloor } = values
    expect([clock.rrpPs, frpBytes, isInDataClass, isPiggybacked, rates, arithmetic]).toEqual([
      20 * US,
      20,
      false,
      false,
      'exact',
      'float',
    ])
    expect([remembers, equalFloor]).toEqual([true, true])
    const paper = world({}, 'paper').values
    expect(paper).toEqual({ ...values, remembers: false, equalFloor: false })
  })

  it.each([
    [{ frpClass: 'data' }, { isInDataClass: true }],
    [{ frpSize: 64 }, { frpBytes: 64 }],
    [{ frpPhase: 3 * US }, { frpPhasePs: 3 * US }],
  ] as const)('switch one thing each: %j', (given: Given, changed) => {
    expect(shown(world(given))).toEqual({ ...shown(world()), ...changed })
  })

  it('put an FRP that rides on data into 20 bits and the class of the data', () => {
    const { isPiggybacked, frpBytes, isInDataClass, values } = world({}, 'piggyback')
    expect([isPiggybacked, frpBytes, isInDataClass, values.rates]).toEqual([
      true,
      3,
      true,
      'float8',
    ])
    const control = accurate.create(valuesOf(accurate, {}, 'piggyback'), fakeContext())
    expect([control.controlBytesMax, control.isControlInDataClass]).toEqual([3, true])
    const alone = accurate.create(valuesOf(accurate), fakeContext())
    expect([alone.controlBytesMax, alone.isControlInDataClass]).toEqual([20, false])
  })

  it('keep the phase of FRPs and the jitter of ticks within half a period', () => {
    const short = world({ rrp: 2 * US, frpPhase: 5 * US, clockJitter: 3 * US })
    expect([short.frpPhasePs, short.clock.jitterPs]).toEqual([1 * US, 1 * US])
    const long = world({ rrp: 20 * US, frpPhase: 5 * US, clockJitter: 3 * US })
    expect([long.frpPhasePs, long.clock.jitterPs]).toEqual([5 * US, 3 * US])
  })
})
