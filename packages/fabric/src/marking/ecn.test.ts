import { readWhole, Refusal } from '@weir/engine/codec'
import { describe, expect, it } from 'vitest'
import { ecnCodec } from './ecn.ts'
import type { EcnSpec } from './ecn.ts'

const read = (input: unknown): EcnSpec => readWhole(ecnCodec, input)

function refusalOf(input: unknown): [path: string, sentence: string] {
  try {
    read(input)
  } catch (error) {
    if (error instanceof Refusal) return [error.path.join('.'), error.message]
    throw error
  }
  return ['', 'nothing']
}

const RED = { kind: 'red', kminBytes: 100e3, kmaxBytes: 400e3, pmax: 0.2, at: 'dequeue' }

describe('how switches mark', () => {
  it.each([
    ['auto', 'auto'],
    [{ kind: 'auto' }, 'auto'],
    ['none', { kind: 'none' }],
    [
      { kind: 'threshold', k: '65KB' },
      { kind: 'threshold', kBytes: 65e3, at: 'enqueue', referenceRateBps: 0 },
    ],
    [
      { kind: 'threshold', k: '65KB', at: 'dequeue', referenceRate: '10Gbps' },
      { kind: 'threshold', kBytes: 65e3, at: 'dequeue', referenceRateBps: 10e9 },
    ],
    ['red', { ...RED, referenceRateBps: 25e9 }],
    [
      { kind: 'red', pmax: 0.5, at: 'enqueue' },
      { ...RED, pmax: 0.5, at: 'enqueue', referenceRateBps: 25e9 },
    ],
  ])('%j is read as what it says, and written so that it reads the same', (input, expected) => {
    expect(read(input)).toEqual(expected)
    expect(read(ecnCodec.write(read(input)))).toEqual(expected)
  })

  it('is by default thresholds that scale, and one that is written means what it says', () => {
    const reference = (more: object): number => {
      const spec = read({ kind: 'red', ...more })
      return typeof spec === 'object' && spec.kind === 'red' ? spec.referenceRateBps : NaN
    }
    expect(reference({})).toBe(25e9)
    for (const written of [{ kmin: '50KB' }, { kmax: '500KB' }, { kmin: '5KB', kmax: '6KB' }]) {
      expect(reference(written)).toBe(0)
      expect(reference({ ...written, referenceRate: '40Gbps' })).toBe(40e9)
    }
    expect(reference({ referenceRate: '100Gbps' })).toBe(100e9)
    expect(reference({ referenceRate: 'none' })).toBe(0)
  })

  it('has kmin no higher than kmax, whichever of them is written', () => {
    expect(refusalOf({ kind: 'red', kmin: '500KB' })).toEqual([
      'kmin',
      'kmin (500KB) is above kmax (400KB); write kmin below or at kmax',
    ])
    expect(refusalOf({ kind: 'red', kmax: '50KB' })).toEqual([
      'kmax',
      'kmin (100KB) is above kmax (50KB); write kmin below or at kmax',
    ])
    expect(refusalOf({ kind: 'red', kmin: '60KB', kmax: '50KB' })[0]).toBe('kmin')
    expect(read({ kind: 'red', kmin: '50KB', kmax: '50KB' })).toMatchObject({ kminBytes: 50e3 })
    expect(read({ kind: 'red', kmin: 0 })).toMatchObject({ kminBytes: 0 })
  })

  it('is refused with a sentence where it cannot be', () => {
    expect(refusalOf({ kind: 'auto', k: '5KB' })[1]).toMatch(/automatic ECN marking/)
    expect(refusalOf({ kind: 'none', k: '5KB' })[1]).toMatch(/no ECN marking/)
    expect(refusalOf({ kind: 'threshold', kmin: '5KB' })[1]).toMatch(/threshold marking/)
    expect(refusalOf({ kind: 'red', k: '5KB' })[1]).toMatch(/RED marking/)
    expect(refusalOf({ kind: 'blue' })[1]).toMatch(/kind of ECN marking/)
    expect(refusalOf({ kind: 'red', pmax: 1.5 })[0]).toBe('pmax')
    expect(refusalOf({ kind: 'red', at: 'never' })[1]).toMatch(/a moment to mark/)
    expect(refusalOf({ kind: 'threshold', k: 0 })[0]).toBe('k')
  })
})
