import { describe, expect, it } from 'vitest'
import { FlowRows } from './flow-rows.ts'
import { flowTable } from './flow-table.ts'
import { createRun, simulate } from './run.ts'
import { validateSpec } from './spec/index.ts'
import type { Result } from './result.ts'
import { NameColumn, WordColumn } from './text-column.ts'

function run(scheme: unknown): Result {
  const flows = ['h1', 'h2', 'h3'].map((from) => ({ name: from, from, to: 'h0' }))
  return simulate(
    validateSpec({
      topology: { kind: 'star', hosts: 5, rate: '25Gbps', delay: '1us' },
      workload: [{ flows: [...flows, { name: 'alone', from: 'h0', to: 'h4', size: '1MB' }] }],
      scheme,
      run: { until: '1ms' },
    }),
  )
}

describe('notifications in the table of flows', () => {
  it.each([
    ['CNPs of a switch', { name: 'pacc' }],
    ['CNPs of a receiver', { name: 'dcqcn' }],
    ['fair rates', { name: 'rocc' }],
  ])('are what each sender heard: %s', (_what, scheme) => {
    const { flows, counters } = run(scheme)
    const [h1, h2, h3] = ['h1', 'h2', 'h3'].map((name) => {
      return flows.notifications[flows.name.indexOf(name)]!
    })
    for (const count of [h1, h2, h3]) expect(count).toBeGreaterThan(0)
    expect(flows.notifications[flows.name.indexOf('alone')]).toBe(0)
    // Some may be on their way when the run ends.
    const heard = h1! + h2! + h3!
    expect(heard).toBeLessThanOrEqual(counters.notifications)
    expect(heard).toBeGreaterThan(counters.notifications - 10)
  })

  it('are none where marks come back in ACKs', () => {
    const { flows, counters } = run({ name: 'dcqcn', preset: 'firmware' })
    expect(counters.packetsMarked).toBeGreaterThan(0)
    expect(flows.notifications).toEqual([0, 0, 0, 0])
  })
})

describe('the table of a run that is looked at', () => {
  const flows = [{ from: 'h1', to: 'h0', size: '100KB' }]
  const topology = { kind: 'star', hosts: 2 }
  const run = createRun(validateSpec({ topology, workload: [{ flows }], run: { until: '1ms' } }))

  it('says of a flow why it has not ended only until it has', () => {
    run.step(10e6)
    expect(run.result().flows.unfinished).toEqual([expect.stringContaining('of 100000 bytes')])
    while (run.advance(1e6)) continue
    expect(run.result().flows.unfinished).toEqual([''])
  })
})

describe('rows', () => {
  it('of a million flows that a spec lists take 73 bytes each, with their names', () => {
    const bytesOf = (thing: unknown): number => {
      if (ArrayBuffer.isView(thing)) return thing.byteLength
      if (!(
        thing instanceof FlowRows ||
        thing instanceof NameColumn ||
        thing instanceof WordColumn
      ))
        return 0
      return Object.values(thing).reduce<number>((sum, part) => sum + bytesOf(part), 0)
    }
    expect(bytesOf(new FlowRows(1e6))).toBe(73e6)
  })

  it('that nobody announced find room, and keep what is in them', () => {
    const rows = new FlowRows()
    const row = { item: 'flows', source: 'h0', target: 'h1', class: 3 }
    for (let i = 0; i < 1000; i++) {
      rows.add({ ...row, name: `f${i}`, sizeBytes: i, startPs: i, idealFctPs: 1 })
    }
    const { class: classes, endPs, name, sizeBytes, source } = flowTable(rows.kept(0, true))
    expect(sizeBytes).toEqual(Array.from({ length: 1000 }, (_, i) => i))
    expect(name).toEqual(Array.from({ length: 1000 }, (_, i) => `f${i}`))
    expect(new Set(source)).toEqual(new Set(['h0']))
    expect(new Set(classes)).toEqual(new Set([3]))
    expect(endPs.every(Number.isNaN)).toBe(true)
  })

  it('stay as they were in the result of a run that goes on', () => {
    const rows = new FlowRows()
    const row = { name: 'f0', item: 'flows', source: 'h0', target: 'h1', class: 3 }
    rows.add({ ...row, sizeBytes: 1, startPs: 0, idealFctPs: 1 })
    const [looked, over] = [rows.kept(5, false), rows.kept(5, true)]
    rows.endPs[0] = 5
    rows.add({ ...row, name: 'g', source: 'h2', sizeBytes: 1, startPs: 0, idealFctPs: 1 })
    const { endPs, fctPs, name, slowdown, source } = flowTable(looked)
    expect({ endPs, fctPs, name, slowdown, source }).toEqual({
      ...{ endPs: [NaN], fctPs: [NaN], name: ['f0'], slowdown: [NaN], source: ['h0'] },
    })
    expect(flowTable(over).fctPs).toEqual([5])
  })
})
