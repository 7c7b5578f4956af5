import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../scenarios/index.ts'
import { loadSpec } from './load.ts'
import { csvText } from '@weir/metrics'
import { flowsAsRows } from '@weir/workloads'
import { printSpec, printSpecApart } from './print.ts'
import { resolvedEcn } from './resolved.ts'
import { allCards, testCards } from './test-cards.ts'
import type { ValidSpec } from './valid-spec.ts'

const again = (spec: ValidSpec, schemes = testCards): ValidSpec =>
  loadSpec({ text: printSpec(spec, schemes), sourceName: 'again.yaml', schemes })

/** Texts that between them use every kind there is. */
const every = [
  'fabric: {switch: input-buffered, forwarding: cut-through, switchDelay: 130ns}',
  'fabric: {switch: input-buffered, buffer: {size: 9KiB, inputQueue: voq, dropAt: outputs}}',
  'fabric: {switch: input-buffered, buffer: {inputQueue: voq, outputQueue: 4KiB}}',
  'fabric: {switch: per-flow-queues}',
  'fabric: {switch: per-flow-queues, flowControl: {kind: per-flow, xoff: 6KB}}',
  'fabric: {lanes: {kind: by-link, changes: [{from: s0, to: h0, class: 3, becomes: 4}]}}',
  'fabric: {flowControl: none, ecn: none, buffer: {threshold: 1MB}}\nscheme: none',
  'fabric: {flowControl: {kind: pause, xoff: 64KB, headroom: 40KB}, ecn: red}',
  'fabric: {ecn: {kind: threshold, k: 97500B}, classes: 2, scheduler: round-robin}',
  'fabric: {classes: 2, scheduler: {kind: weighted-round-robin, weights: [1, 1/3]}}',
  'hosts: {ack: none, injection: shared-fifo, rateCap: 13Gbps}\nscheme: none',
  'hosts: {rateCap: {send: 13Gbps, take: 13.7Gbps, counts: payload}}',
  'hosts: {rateCap: {take: 5Gbps}}',
  'hosts: {reliability: selective-repeat, rto: 320us}',
  'hosts: {burst: 0, service: round-robin}',
  'hosts: {reliability: tcp, tcp: {sack: true, granularity: none}}\nscheme: none',
  'hosts: {tcp: {connection: persistent, idleRestart: false}}\nscheme: none',
  'hosts: {ack: {every: 2, class: control, path: own, ecn: heard}}',
  'seed: 3\nchanceSeed: 4',
  'fabric: {flowControl: {kind: pfc, reserve: 4KiB, referenceRate: 25Gbps, headroomDelays: 3}}',
  'fabric: {flowControl: {kind: pfc, lossless: [3, 1]}}',
  'routing: packet-spray',
  'routing: shortest-path\nrun: {until: 123456789ps, eventsMax: 1000}',
  'run: {until: 2ms, drain: 70us}',
  'metrics: {interval: none, series: [], buckets: [1KB, 1MiB], convergenceWithin: 5%}',
  'scheme: {name: dcqcn, preset: paper, params: {timer: 55.5us, variant: mellanox, clamp: true}}',
]

const generators = [
  'arrivals: {kind: poisson, load: 30%}, sizes: websearch, pattern: all-to-all',
  'arrivals: {kind: poisson, interval: 1.5us}, sizes: {kind: cdf, rows: [[10, 0.5], [20, 1]]}',
  'arrivals: {kind: periodic, period: 1us}, sizes: 1KiB, pattern: {kind: incast, senders: 2}',
  'arrivals: once, sizes: 1B, pattern: {kind: hot-spot, host: h1, fraction: 1/3}, hosts: h0..h2',
  'arrivals: once, sizes: {kind: pareto, shape: 1.05, mean: 100KB, max: 10MB}, flowsMax: 3',
  'arrivals: once, sizes: {kind: mixture, parts: [{weight: 80%, size: 20KB}]}, class: 1, stop: 2ms',
]

const topologies = [
  'star, hosts: 4',
  'dumbbell, left: 2, right: 2, bottleneckRate: 10Gbps',
  'leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2, fabricDelay: 2us',
  'fat-tree, k: 4',
  'three-tier',
  'torus, dimensions: [4, 4]',
  'mesh, dimensions: [3, 3], injectionRate: 40Gbps',
  'two-blade',
  'folded-clos, hosts: 8, radix: 4',
  'graph, hosts: [h0, h1], switches: [s], links: [h0 s, {a: h1, b: s, rate: 1Mbps}]',
]

describe('what auto comes to', () => {
  const specOf = (scheme: string, more = ''): ValidSpec =>
    loadSpec({
      text:
        'topology: {kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2}\n' +
        `workload: [{flows: [{from: h0, to: h1, size: 1KB}]}]\nscheme: ${scheme}\n${more}`,
      sourceName: 'it.yaml',
    })

  it('is said beside ecn, for each rate of the links, and read back as nothing', () => {
    const spec = specOf('dcqcn')
    const text = printSpec(spec, undefined, resolvedEcn(spec))
    expect(text).toMatch(/ecn: auto # by link: 25Gbps red kmin 3\.125KB .*; 100Gbps red/)
    expect(loadSpec({ text, sourceName: 'it.yaml' })).toEqual(spec)
  })

  it('is a threshold for some, nothing for others, and not there where ecn is given', () => {
    expect(resolvedEcn(specOf('dctcp'))).toMatch(/25Gbps threshold k \d+/)
    expect(resolvedEcn(specOf('hpcc'))).toBe('none: hpcc asks for no marking')
    expect(resolvedEcn(specOf('dcqcn', 'fabric: {ecn: red}'))).toBe('')
  })
})

describe('printSpec', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario.text]))(
    'gives the text of %s from which the same spec is read',
    (name, text) => {
      const spec = loadSpec({ text, sourceName: name, schemes: allCards })
      expect(again(spec, allCards)).toEqual(spec)
    },
  )

  const flows = 'workload: [{flows: [{from: h0, to: h1, start: 1ns, weight: 1/3}]}]'
  it.each([
    ...every.map((text) => `topology: {kind: star, hosts: 4}\n${flows}\n${text}`),
    ...generators.map(
      (text) => `topology: {kind: star, hosts: 4}\nworkload: [{generate: {${text}}}]`,
    ),
    ...topologies.map((text) => `topology: {kind: ${text}}\n${flows}`),
  ])('round trip: %s', (text) => {
    const spec = loadSpec({ text, schemes: testCards })
    expect(again(spec)).toEqual(spec)
    expect(printSpec(again(spec), testCards)).toBe(printSpec(spec, testCards))
  })

  it('writes a long list of flows into a file beside the text, and both give the same spec', () => {
    const rows = Array.from({ length: 1500 }, (_, i) => `{from: h${i % 3}, to: h3, start: ${i}ns}`)
    const text = `topology: {kind: star, hosts: 4}
workload: [{flows: [{from: h0, to: h1, size: 1B}]}, {flows: [${rows.join(', ')}]}]`
    const spec = loadSpec({ text, schemes: testCards })
    const written = printSpecApart(spec, testCards)
    expect(written.text.length).toBeLessThan(4000)
    expect(written.apart.map(({ file }) => file)).toEqual(['workload-1.csv'])
    const files = (name: string): string | undefined => {
      const apart = written.apart.find(({ file }) => file === name)
      return apart && csvText(flowsAsRows(apart.flows))
    }
    const read = loadSpec({
      text: written.text,
      sourceName: 'spec.yaml',
      schemes: testCards,
      files,
    })
    expect(read).toEqual(spec)
  })

  it('keeps any quantity, name and text exactly', () => {
    const quantity = fc.integer({ min: 1, max: 2 ** 50 })
    fc.assert(
      fc.property(
        fc.record({
          size: quantity,
          rate: quantity,
          delay: quantity,
          start: fc.integer({ min: 0, max: 1e9 }),
          alpha: fc.double({ min: 0.001, max: 1000, noNaN: true }),
          title: fc.string({ unit: 'grapheme', maxLength: 200 }),
          name: fc.stringMatching(/^[!-~]{1,12}$/u),
        }),
        ({ size, rate, delay, start, alpha, title, name }) => {
          const spec = loadSpec({
            text: JSON.stringify({
              title,
              description: `${title}\n${title}`.trim(),
              topology: { kind: 'star', hosts: 2, rate: `${rate}bps`, delay: `${delay}ps` },
              fabric: { buffer: { threshold: { kind: 'dynamic', alpha } } },
              workload: [
                { flows: [{ name, from: 'h0', to: 'h1', size: `${size}B`, start: `${start}ps` }] },
              ],
            }),
            schemes: testCards,
          })
          expect(again(spec)).toEqual(spec)
        },
      ),
      { numRuns: 200 },
    )
  })
})
