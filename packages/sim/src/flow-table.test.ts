import { describe, expect, it } from 'vitest'
import { flowLists, keptFlows } from './flow-table.ts'
import { resultForThread, resultFromThread } from './from-thread.ts'
import { simulate } from './run.ts'
import { validateSpec } from './spec/index.ts'
import type { FlowTable, Result } from './result.ts'

const table = (): FlowTable => result().flows

function result(): Result {
  const flows = [
    { from: 'h1', to: 'h0', size: '10KB' },
    { name: 'endless', from: 'h2', to: 'h0', start: '3us' },
    { from: 'h2', to: 'h1', size: '3KB', start: '99us' },
  ]
  return simulate(
    validateSpec({
      topology: { kind: 'star', hosts: 3 },
      workload: [{ flows }],
      run: { until: '100us' },
    }),
  )
}

describe('the table of flows', () => {
  it('has arrays, each made once', () => {
    const flows = table()
    expect(Array.isArray(flows.endPs)).toBe(true)
    expect(flows.endPs).toBe(flows.endPs)
    expect(flows.name).toEqual(['f0', 'endless', 'f1'])
    expect(flows.throughputBps.every((bps) => bps >= 0)).toBe(true)
  })

  it('is plain in JSON, to a thread and copied by hand', () => {
    const plain = Object.fromEntries(Object.entries(table()))
    expect(JSON.stringify(table())).toBe(JSON.stringify(plain))
    expect(structuredClone(table())).toEqual(plain)
    expect({ ...table() }).toEqual(plain)
    expect(table()).toEqual(plain)
  })

  it('is read as lists without an array being made, in the order of its columns', () => {
    const flows = table()
    const lists = flowLists(flows)
    const made = Object.values(Object.getOwnPropertyDescriptors(flows))
    expect(made.every(({ value }) => value === undefined)).toBe(true)
    expect(Object.keys(lists)).toEqual(Object.keys(flows))
    for (const [key, list] of Object.entries(lists)) {
      expect([...list]).toEqual(flows[key as keyof FlowTable])
      expect(list.at(1)).toEqual(flows[key as keyof FlowTable][1])
    }
  })

  it('that is plain has its arrays for lists', () => {
    const plain = { ...table() }
    expect(flowLists(plain)).toBe(plain)
    expect(keptFlows(plain)).toBeUndefined()
  })

  it('goes to a thread with its memory, and is the same there', () => {
    const [here, there] = [result(), result()]
    const [sent, handedOver] = resultForThread(there)
    const arrived = resultFromThread(structuredClone(sent, { transfer: handedOver }))
    expect(handedOver.length).toBe(14)
    expect(handedOver.every(({ byteLength }) => byteLength === 0)).toBe(true)
    expect(arrived).toEqual(here)
    expect(JSON.stringify(arrived)).toBe(JSON.stringify(here))
  })

  it('that is plain goes to a thread as it is', () => {
    const plain = structuredClone(result())
    const [sent, handedOver] = resultForThread(plain)
    expect([sent, handedOver]).toEqual([plain, []])
    expect(resultFromThread(sent)).toEqual(plain)
  })
})
