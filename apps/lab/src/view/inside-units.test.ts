/** Every number inside a scheme has a unit on its axis. */
import { loadSpec, createRun, scenarioByName } from '@weir/sim'
import { schemes } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { insideUnit } from './inside-units.ts'

describe('the inside of a scheme', () => {
  it('has a unit, for every scheme and variable', () => {
    const { text } = scenarioByName('victim')!
    const without: string[] = []
    for (const { name } of schemes) {
      let internals: readonly string[]
      try {
        const run = createRun(loadSpec({ text, settings: [`scheme=${name}`, 'run.until=1us'] }))
        const { flowInternals, portInternals } = run.network.control
        internals = [...flowInternals, ...portInternals]
      } catch {
        // It wants another fabric: its variables are those of others.
        continue
      }
      for (const one of internals) {
        if (insideUnit(name, one).label === one && one !== 'rate') without.push(`${name} ${one}`)
      }
    }
    expect(without.filter((one) => !/ class$/u.test(one))).toEqual([])
  })

  it('is written in its unit', () => {
    expect(insideUnit('accurate', 'rate').show(6.33e9)).toBe('6.33 Gb/s')
    expect(insideUnit('dctcp', 'window').show(30e3)).toBe('30 KB')
    expect(insideUnit('swift', 'target').show(25e6)).toBe('25 us')
    expect(insideUnit('qcn', 'target').show(1e9)).toBe('1 Gb/s')
    expect(insideUnit('mine', 'mood')).toMatchObject({ label: 'mood' })
  })
})
