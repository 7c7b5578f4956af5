import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlowInput } from './contract.ts'
import { FlowList, LONG_LIST } from './flow-list.ts'

const flow = fc.record({
  name: fc.oneof(fc.constant(''), fc.string({ minLength: 1, maxLength: 4 })),
  from: fc.constantFrom('h0', 'h1', 'h2'),
  to: fc.constantFrom('h3', 'h4'),
  sizeBytes: fc.nat(),
  startPs: fc.integer({ min: 0, max: 2 ** 50 }),
  stopPs: fc.constantFrom(0, 0, 0, 7e12),
  path: fc.constantFrom<string[]>([], [], ['s0'], ['s0', 's1'], ['s0 s1']),
  class: fc.constantFrom(-1, -1, 0, 15),
  weight: fc.constantFrom(1, 1, 0.5),
})

/** The drawn ones over and over, each called by its number or by its name and that. */
function many(some: readonly FlowInput[], from: number = 0): FlowInput[] {
  return Array.from({ length: LONG_LIST + 1 }, (_, row) => {
    const one = some[row % some.length]!
    const own = row < from ? '' : one.name
    return { ...one, name: own === '' ? `f${row}` : `${own}${row}` }
  })
}

const plain: FlowInput = {
  ...{ name: '', from: 'h0', to: 'h1', sizeBytes: 1, startPs: 0, stopPs: 0 },
  ...{ path: [], class: -1, weight: 1 },
}

const lists = fc.tuple(fc.array(flow, { minLength: 1, maxLength: 9 }), fc.nat(LONG_LIST))

describe('a long list of flows', () => {
  it('knows how many begin within a time, in whatever order they are written', () => {
    const starts = Array.from({ length: 3 * LONG_LIST }, (_, i) => (i % 3 === 0 ? 1000 + i : i))
    const list = FlowList.from(starts.map((startPs, i) => ({ ...plain, name: `f${i}`, startPs })))
    if (!(list instanceof FlowList)) throw new Error('the list is short')
    for (const span of [1, 10, 999]) {
      const within = starts.map((at) => starts.filter((t) => t >= at && t < at + span).length)
      expect(list.mostWithin(span)).toBe(Math.max(...within))
    }
    expect(list.mostWithin(1e9)).toBe(starts.length)
  })

  it('gives back every flow, in JSON as an array does', () => {
    fc.assert(
      fc.property(lists, ([some, from]) => {
        const flows = many(some, from)
        const list = FlowList.from(flows)
        expect(list).toBeInstanceOf(FlowList)
        expect([...list]).toEqual(flows)
        expect(list.at(LONG_LIST)).toEqual(flows.at(LONG_LIST))
        expect(list.at(LONG_LIST + 1)).toBeUndefined()
        expect(JSON.stringify(list)).toBe(JSON.stringify(flows))
      }),
      { numRuns: 20, seed: 12 },
    )
  })

  it('is a list again in a thread that it was sent to', () => {
    const flows = many([{ ...plain, name: 'a', path: ['s0'] }])
    const sent = structuredClone(FlowList.from(flows))
    expect(sent).not.toBeInstanceOf(FlowList)
    expect([...FlowList.of(sent)]).toEqual(flows)
  })

  it('is a plain array where it is short', () => {
    const flows = many([plain]).slice(1)
    expect(Array.isArray(FlowList.from(flows))).toBe(true)
    expect(FlowList.of(flows)).toBe(flows)
  })

  it('takes 24 bytes for a flow that has a size and a start, and no name', () => {
    const flows = function* (): Generator<FlowInput> {
      for (let row = 0; row < 100_000; row++) {
        yield {
          ...{
            name: `f${row}`,
            from: `h${row % 64}`,
            to: 'h64',
            sizeBytes: row,
            startPs: row * 2e4,
          },
          ...{ stopPs: 0, path: [], class: -1, weight: 1 },
        }
      }
    }
    const list = FlowList.from(flows()) as FlowList
    const columns = Object.values(list).filter((value) => ArrayBuffer.isView(value))
    expect(columns).toHaveLength(4)
    expect(columns.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(24 * 100_000)
    expect(list.names).toBeUndefined()
    expect(list.hosts).toHaveLength(65)
  })
})
