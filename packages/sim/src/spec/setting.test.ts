import { describe, expect, it } from 'vitest'
import { loadSpec } from './load.ts'
import { applySetting } from './setting.ts'
import { testCards } from './test-cards.ts'

const TEXT = `
topology: {kind: star, hosts: 4}
fabric: {flowControl: pfc, buffer: 1MB}
workload:
  - generate: {arrivals: {kind: poisson, load: 0.5}, sizes: 64KB}
scheme: dcqcn
`

const load = (...settings: string[]): ReturnType<typeof loadSpec> =>
  loadSpec({ text: TEXT, schemes: testCards, settings })

describe('applySetting', () => {
  it('replaces a value and leaves the tree it was given alone', () => {
    const tree = { run: { until: '1ms' }, seed: 1 }
    expect(applySetting(tree, 'run.until=2ms')).toEqual({ run: { until: '2ms' }, seed: 1 })
    expect(tree.run.until).toBe('1ms')
  })

  it('makes sections that are not there', () => {
    expect(applySetting({}, 'fabric.buffer.size=1MB')).toEqual({
      fabric: { buffer: { size: '1MB' } },
    })
  })

  it('reads the value as YAML', () => {
    expect(applySetting({}, 'a=[1, x]')).toEqual({ a: [1, 'x'] })
    expect(applySetting({}, 'a=true')).toEqual({ a: true })
    expect(applySetting({}, 'a=1/256')).toEqual({ a: '1/256' })
    expect(applySetting({}, 'a={b: c=d}')).toEqual({ a: { b: 'c=d' } })
  })

  it('reaches into lists with brackets or dots', () => {
    const tree = { workload: [{ x: 1 }, { x: 2 }] }
    expect(applySetting(tree, 'workload[1].x=3')).toEqual({ workload: [{ x: 1 }, { x: 3 }] })
    expect(applySetting(tree, 'workload.0.x=3')).toEqual({ workload: [{ x: 3 }, { x: 2 }] })
  })
})

describe('settings', () => {
  it('go into short forms', () => {
    const spec = load(
      'scheme.params.g=1/16',
      'fabric.flowControl.xoff=64KB',
      'fabric.buffer.dropAt=inputs',
    )
    expect(spec.scheme.params['g']).toBe(1 / 16)
    expect(spec.fabric.flowControl).toMatchObject({
      kind: 'pfc',
      xoff: { kind: 'static', bytes: 64_000 },
    })
    expect(spec.fabric.buffer).toMatchObject({ bytes: 1_000_000, dropAt: 'inputs' })
  })

  it('are applied in order, so the last one wins', () => {
    expect(load('seed=2', 'seed=3').seed).toBe(3)
  })

  it('change a load inside a generator', () => {
    const [item] = load('workload[0].generate.arrivals.load=80%').workload
    expect(item).toMatchObject({ arrivals: { kind: 'poisson', load: 0.8 } })
  })

  it('set parameters of the default scheme where the spec names none', () => {
    const text = TEXT.replace('scheme: dcqcn\n', '')
    const spec = loadSpec({ text, schemes: testCards, settings: ['scheme.params.timer=5us'] })
    expect(spec.scheme).toMatchObject({ name: 'dcqcn', params: { timer: 5e6 } })
  })
})
