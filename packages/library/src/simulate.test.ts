import { describe, expect, it } from 'vitest'
import { loadSpec, NextHops, scenarioByName, schemes, simulate, start } from './index.ts'
import type { OwnRouting, Scheme } from './index.ts'

type Given = Parameters<OwnRouting['create']>

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

  it('runs a routing of your own, to the bytes of the same routing here', () => {
    const leafSpine = { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 2 }
    const scenario = { ...SMALL, topology: leafSpine }
    const first: OwnRouting = {
      name: 'first',
      create(graph, isDown) {
        const hops = new NextHops(graph, isDown)
        return {
          name: 'first',
          perPacket: false,
          path: (source, target) => hops.walk(source, target, () => 0),
          next: (node, target) => hops.port(node, target, 0),
        }
      },
    }
    const own = simulate(scenario, { routing: first })
    const ours = simulate(scenario, { settings: ['routing=shortest-path'] })
    expect(own.flows).toEqual(ours.flows)
    const astray = {
      ...first,
      create: (...given: Given) => ({ ...first.create(...given), path: () => [0, 0] }),
    }
    expect(() => simulate(scenario, { routing: astray })).toThrow(
      /^first: at leaf0.h1 it says port 0, which is not one of its ports$/,
    )
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
