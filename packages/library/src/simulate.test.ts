import { describe, expect, it } from 'vitest'
import { loadSpec, scenarioByName, schemes, simulate, start } from './index.ts'
import type { Scheme } from './index.ts'

const SMALL = {
  name: 'small',
  topology: { kind: 'star', hosts: 3 },
  workload: [{ flows: [{ from: 'h1', to: 'h0', size: '100KB' }] }],
  run: { until: '1ms' },
}

describe('simulate', () => {
  it('takes a text, an object and a valid spec, with the same result', () => {
    const text = JSON.stringify(SMALL)
    const { fingerprint } = simulate(SMALL)
    expect(simulate(text).fingerprint).toBe(fingerprint)
    const spec = loadSpec({ text })
    expect(simulate(spec).fingerprint).toBe(fingerprint)
    expect(simulate(spec, { seed: spec.seed }).fingerprint).toBe(fingerprint)
  })

  it('takes a built-in scenario by its name, with a scheme, a seed and settings', () => {
    const { spec } = simulate('incast', { scheme: 'dcqcn', seed: 7, settings: ['run.until=600us'] })
    expect([spec.name, spec.scheme.name, spec.seed]).toEqual(['incast', 'dcqcn', 7])
    expect(spec.run.untilPs).toBe(600e6)
    expect(scenarioByName('incast')).toBeDefined()
  })

  it('runs a scheme of your own, guarded, to the bytes of the same scheme here', () => {
    const dcqcn = schemes.find(({ name }) => name === 'dcqcn') as Scheme
    const settings = ['run.until=700us']
    const ours = simulate('incast', { scheme: 'dcqcn', settings })
    const own = simulate('incast', { scheme: { ...dcqcn, name: 'mine' }, settings })
    expect(own.spec.scheme.name).toBe('mine')
    expect(own.fingerprint).toBe(ours.fingerprint)
  })

  it('says in a sentence what is wrong with a scenario', () => {
    expect(() => simulate('incst: 1')).toThrow(/incst/)
    expect(() => simulate('incast', { scheme: 'dcqnc' })).toThrow(/did you mean/)
  })

  it('starts a run that can be stepped', () => {
    const run = start(SMALL)
    expect(run.step(1e6)).toBe(true)
    expect(run.progress).toBeGreaterThan(0)
  })
})
