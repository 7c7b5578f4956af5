import { ContentionCircuit, NO_FRP } from '@weir/schemes'
import type { CircuitSettings } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { circuitOfVictim } from '../testing/circuit-of-victim.ts'
import { atRest, countedIn, kindOf, told } from './circuit-log.ts'

const { card, log, steps } = circuitOfVictim()
const { rateBits, countBits, capacity, shareable, port } = card
const settings: CircuitSettings = {
  rateBits,
  countBits,
  capacity,
  shareable,
  urgent: Math.floor(0.1 * capacity),
  remembers: true,
  floors: true,
  divider: 'array',
  stages: 0,
}

describe('the log of a circuit', () => {
  it('has every register and field of each FRP and tick, as a circuit with these inputs', () => {
    const circuit = new ContentionCircuit(settings)
    expect(steps.length).toBeGreaterThan(100)
    for (const step of steps) {
      const isTick = step.type === NO_FRP
      circuit.cycle(isTick, step.type, step.inCurrent, step.inDesired)
      const { now, old, output } = circuit
      const { m, b, bMax, elsewhere } = step
      expect({ m, b, bMax, elsewhere }).toEqual({ ...now })
      const { oldM, oldB, oldBMax, oldElsewhere } = step
      expect([oldM, oldB, oldBMax, oldElsewhere]).toEqual([old.m, old.b, old.bMax, old.elsewhere])
      expect([step.fsr, step.oldFsr]).toEqual([circuit.fsr, circuit.oldFsr])
      if (isTick) continue
      expect([step.outCurrent, step.outDesired]).toEqual([output.current, output.desired])
      expect(step.isUrgent).toBe(output.isUrgent ? 1 : 0)
    }
  })

  it('finds the last step up to a moment', () => {
    const [first, second] = steps
    expect(log.lastAt(port, first!.atPs - 1)).toBe(-1)
    expect(log.lastAt(port, first!.atPs)).toBe(0)
    expect(log.lastAt(port, second!.atPs - 1)).toBe(0)
    expect(log.lastAt(port, Infinity)).toBe(steps.length - 1)
    expect(log.lastAt(port + 1, Infinity)).toBe(-1)
  })

  it('says in words what each did', () => {
    const said = steps.map((step, i) => told(step, steps[i - 1] ?? atRest(card), card))
    expect(said[0]).toContain('A flow begins')
    expect(kindOf(steps[0]!)).toBe('flow-init')
    const last = steps.findLastIndex(({ atPs }) => atPs < 570e6)
    const ticks = steps.findLastIndex(({ type }, i) => type === NO_FRP && i < last)
    expect(said[ticks]).toBe(
      'The period ends: the registers become the old ones. FSR = (3890 - 0) / 3 = 1296.',
    )
    // f2, f3 and f4 are all bottlenecked here.
    expect([1, 2, 3].map((i) => countedIn(steps[ticks + i]!, steps[ticks + i - 1]!))).toEqual([
      'M',
      'M',
      'M',
    ])
    expect(said.some((sentence) => sentence.startsWith('A flow ends'))).toBe(true)
    expect(told(atRest(card), atRest(card), card)).toContain('Nothing has passed')
  })
})
