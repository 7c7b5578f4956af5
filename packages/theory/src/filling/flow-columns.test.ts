import { describe, expect, it } from 'vitest'
import { NO_LINK } from './filling-flow.ts'
import { FlowColumns, IN_RISE, OUTSIDE } from './flow-columns.ts'

const plain = { links: Int32Array.of(0), fractions: Float64Array.of(1) }

describe('columns of flows', () => {
  it('give a flow that says nothing weight 1 and no limit', () => {
    const columns = new FlowColumns()
    const slot = columns.add(plain)
    expect([columns.weights[slot], columns.demands[slot]]).toEqual([1, Infinity])
    expect(columns.aloneLevels[slot]).toBe(Infinity)
  })

  it('give one that does its own, and the level at which it has its demand', () => {
    const columns = new FlowColumns()
    const slot = columns.add({ ...plain, weight: 4, demandBps: 20 })
    expect([columns.weights[slot], columns.demands[slot]]).toEqual([4, 20])
    expect(columns.aloneLevels[slot]).toBe(5)
  })

  it('give the place of a flow that went to the next, of which nothing is left there', () => {
    const columns = new FlowColumns()
    const [first, second] = [columns.add(plain), columns.add(plain)]
    expect([first, second]).toEqual([0, 1])
    columns.rates[first] = columns.levels[first] = columns.owed[first] = 7
    columns.heldShares[first] = columns.bottlenecks[first] = columns.aloneLinks[first] = 7
    columns.remove(first)
    expect(columns.flows).toEqual([undefined, plain])
    expect(columns.states).toEqual([OUTSIDE, IN_RISE])
    const third = columns.add(plain)
    expect(third).toBe(first)
    expect(columns.flows).toEqual([plain, plain])
    expect(columns.states[third]).toBe(IN_RISE)
    expect([columns.rates[third], columns.levels[third], columns.owed[third]]).toEqual([0, 0, 0])
    expect([columns.heldShares[third], columns.bottlenecks[third]]).toEqual([0, NO_LINK])
    expect(columns.aloneLinks[third]).toBe(NO_LINK)
    expect(columns.add(plain)).toBe(2)
  })
})
