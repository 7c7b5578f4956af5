import { loadSpec, resultFromThread, scenarioByName, simulate } from '@weir/sim'
import type { Result } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { jsonChunks } from './json-chunks.ts'

describe('JSON in pieces', () => {
  it.each([
    ['values', [1, -0, NaN, Infinity, null, true, 'a "b" \n', '\u2028']],
    ['what JSON leaves out', { a: undefined, b: [undefined, 1], c: {}, d: [] }],
    ['a long list of numbers', Array.from({ length: 25_001 }, (_, i) => i / 7)],
    ['a long list of objects', Array.from({ length: 1001 }, (_, i) => ({ i, name: `f${i}` }))],
    ['few long lists', [Array.from({ length: 20_000 }, (_, i) => i), ['x'], []]],
  ])('are the bytes of JSON.stringify: %s', (_what, value) => {
    expect([...jsonChunks(value)].join('')).toBe(JSON.stringify(value))
  })

  it('of a result, too', () => {
    const { text } = scenarioByName('incast')!
    const result = simulate(loadSpec({ text, settings: ['run.until=600us'] }))
    expect([...jsonChunks(result)].join('')).toBe(JSON.stringify(result))
  })

  it('of a result of a thousand flows and more from a file, here and from another thread', () => {
    const lines = Array.from({ length: 1500 }, (_, i) => `h${i % 3},h3,100B,${i}ns`)
    const files = (): string => ['from,to,size,start', ...lines].join('\n')
    const text = 'topology: {kind: star, hosts: 4}\nworkload: [{flowsFile: a.csv}]'
    const result = simulate(loadSpec({ text, files }))
    const json = JSON.stringify(result)
    expect((JSON.parse(json) as Result).spec.workload[0]).toMatchObject({
      flows: { 1499: { name: 'f1499', from: 'h2', to: 'h3', sizeBytes: 100, startPs: 1_499_000 } },
    })
    for (const one of [result, resultFromThread(structuredClone(result))]) {
      expect([...jsonChunks(one)].join('') === json).toBe(true)
    }
    expect(JSON.stringify(simulate(structuredClone(result.spec))) === json).toBe(true)
  })

  it('no piece grows with the list', () => {
    const pieces = [...jsonChunks({ flows: { endPs: new Array(1_000_000).fill(123_456_789) } })]
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
  })
})
