import { describe, expect, it } from 'vitest'
import { accurate } from '../accurate.ts'
import type { ParamValue } from '../param.ts'
import { fakeContext, valuesOf } from '../testing/fake-flow.ts'
import { settingsOf } from './params.ts'
import type { Settings } from './params.ts'

const US = 1e6

type Given = Partial<Record<string, ParamValue>>
const settings = (given: Given = {}, preset: string = ''): Settings =>
  settingsOf(valuesOf(accurate, given, preset))

describe("ACCurate's parameters", () => {
  it('are those of the paper with two amendments, which its preset takes back', () => {
    const { clock, frpBytes, isInDataClass, isPiggybacked, rates, isFixed } = settings()
    expect([clock.rrpPs, frpBytes, isInDataClass, isPiggybacked, rates, isFixed]).toEqual([
      20 * US,
      20,
      false,
      false,
      'exact',
      false,
    ])
    const { remembers, floors } = settings()
    expect([remembers, floors]).toEqual([true, true])
    const paper = settings({}, 'paper')
    expect(paper).toEqual({ ...settings(), remembers: false, floors: false })
  })

  it.each([
    [{ flowInit: false }, { hasFlowInit: false }],
    [{ flowStop: false }, { hasFlowStop: false }],
    [{ desiredRate: false }, { hasDesiredRate: false }],
    [{ frpClass: 'data' }, { isInDataClass: true }],
    [{ arithmetic: 'fixed' }, { isFixed: true }],
    [{ frpSize: 64 }, { frpBytes: 64 }],
  ])('switch one thing each: %j', (given: Given, changed) => {
    expect(settings(given)).toEqual({ ...settings(), ...changed })
  })

  it('put an FRP that rides on data into 20 bits and the class of the data', () => {
    const { isPiggybacked, frpBytes, isInDataClass, rates } = settings({}, 'piggyback')
    expect([isPiggybacked, frpBytes, isInDataClass, rates]).toEqual([true, 3, true, 'float8'])
    const control = accurate.create(valuesOf(accurate, {}, 'piggyback'), fakeContext())
    expect([control.controlBytesMax, control.isControlInDataClass]).toEqual([3, true])
    const alone = accurate.create(valuesOf(accurate), fakeContext())
    expect([alone.controlBytesMax, alone.isControlInDataClass]).toEqual([20, false])
  })

  it('keep the phase of FRPs and the jitter of ticks within half a period', () => {
    const short = settings({ rrp: 2 * US, frpPhase: 5 * US, clockJitter: 3 * US })
    expect([short.frpPhasePs, short.clock.jitterPs]).toEqual([1 * US, 1 * US])
    const long = settings({ rrp: 20 * US, frpPhase: 5 * US, clockJitter: 3 * US })
    expect([long.frpPhasePs, long.clock.jitterPs]).toEqual([5 * US, 3 * US])
  })
})
