/** Warnings say what is the case, and nothing where it is not. */
import type { Verdict } from '@weir/fabric'
import { ContentionPoint, DROP, KEEP } from '@weir/fabric'
import { none } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
import { incastOf, specOf, type Tree } from './testing/index.ts'

const warned = (what: RegExp, tree: Tree): number =>
  simulate(specOf(tree)).warnings.filter((text) => what.test(text)).length

describe('a warning', () => {
  it('speaks of PFC where there is PFC, and not where flows are stopped one by one', () => {
    const fired = /^PFC fired more often than ECN/
    const ecn = { kind: 'threshold', k: '1MB' }
    const tree = { ...incastOf(4, '100KB'), scheme: 'dcqcn' }
    expect(
      warned(fired, { ...tree, fabric: { ecn, flowControl: { kind: 'pfc', xoff: '8KB' } } }),
    ).toBe(1)
    expect(warned(fired, { ...tree, fabric: { ecn, switch: 'per-flow-queues' } })).toBe(0)
  })

  it('says that telemetry of a sprayed flow is of several ways', () => {
    const mixed = /^packets of a flow went several ways, and telemetry does not say which: hpcc/
    const tree = {
      topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 2, fabricRate: '10Gbps' },
      hosts: { reliability: 'unordered' },
      workload: [0, 1].map((i) => ({ flows: [{ from: `h${i}`, to: `h${i + 2}`, size: '300KB' }] })),
    }
    expect(warned(mixed, { ...tree, routing: 'packet-spray', scheme: 'hpcc' })).toBe(1)
    expect(warned(mixed, { ...tree, routing: 'ecmp', scheme: 'hpcc' })).toBe(0)
    expect(warned(mixed, { ...tree, routing: 'packet-spray', scheme: 'swift' })).toBe(0)
  })

  it('says that ACKs do not fit into what a scheme leaves free', () => {
    const full =
      /^h0->left and the way back are full: ACKs, 5\.7% of .* the 5\.0% that accurate leaves free/
    const across = (hosts: Tree, back = true): Tree => ({
      topology: { kind: 'dumbbell', left: 1, right: 1 },
      hosts,
      scheme: 'accurate',
      workload: [
        { flows: [{ from: 'h0', to: 'h1' }, ...(back ? [{ from: 'h1', to: 'h0' }] : [])] },
      ],
      run: { until: '2ms' },
    })
    expect(warned(full, across({}))).toBe(1)
    expect(warned(full, across({}, false))).toBe(0)
    expect(warned(full, across({ ack: { every: 4 } }))).toBe(0)
    expect(warned(full, { ...across({}), scheme: 'hpcc' })).toBe(0)
  })

  it('says that a link was to change after the run had ended', () => {
    const late = /^(a change of a link|2 changes of links) had no effect: the run had ended before/
    const at = (...times: string[]): Tree => {
      const changes = times.map((time) => ({ between: ['h0', 'switch'], at: time, errors: 1e-9 }))
      return { ...incastOf(2, '10KB'), links: { changes } }
    }
    expect(warned(late, at('1us'))).toBe(0)
    expect(warned(late, at('1us', '5ms'))).toBe(1)
    expect(warned(late, at('5ms', '6ms'))).toBe(1)
  })

  it('does not blame the buffer alone where the scheme refuses packets', () => {
    class Refusing extends ContentionPoint {
      readonly sees = 'nothing'
      override readonly admits = true
      override admit(_packet: number, queueBytes: number): Verdict {
        return queueBytes > 4000 ? DROP : KEEP
      }
    }
    const scheme = {
      ...none,
      create: (...given: Parameters<typeof none.create>) => ({
        ...none.create(...given),
        contention: () => new Refusing(),
      }),
    }
    const run = createRun(specOf(incastOf(4, '20KB')), scheme)
    while (run.advance(1e6)) continue
    expect(run.result().warnings.join()).toMatch(/\d+ packets were dropped .*none refused them, or/)
  })
})
