import { describe, expect, it } from 'vitest'
import { autoIntervalPs } from './defaults.ts'
import { loadSpec } from './load.ts'
import { testCards } from './test-cards.ts'
import type { ValidSpec } from './valid-spec.ts'

const WORKLOAD = 'workload: [{flows: [{from: h0, to: h1, size: 1MB}]}]\n'
const MINIMAL = `topology: {kind: star, hosts: 4}\n${WORKLOAD}`

function load(text: string, files: Record<string, string> = {}): ValidSpec {
  return loadSpec({ text, sourceName: 'x/mine.yaml', schemes: testCards, files: (n) => files[n] })
}

describe('a minimal spec', () => {
  const spec = load(MINIMAL)

  it('is a RoCE fabric by default', () => {
    expect(spec.topology).toEqual({ kind: 'star', hosts: 4, rateBps: 25e9, delayPs: 1e6 })
    expect(spec.fabric).toMatchObject({
      switch: 'shared-memory',
      classes: 8,
      buffer: { bytes: 32e6, threshold: { kind: 'dynamic', alpha: 1 }, dropAt: 'outputs' },
      flowControl: {
        kind: 'pfc',
        xoff: { kind: 'dynamic', alpha: 1 / 8 },
        xonGapBytes: 3072,
        headroomBytes: 'auto',
      },
      ecn: 'auto',
    })
    expect(spec.hosts).toMatchObject({
      mtuBytes: 1000,
      headerBytes: 48,
      ack: { every: 1, bytes: 60, class: 'data', path: 'reverse', ecn: 'none' },
      reliability: 'go-back-n',
      dataClass: 3,
    })
    expect(spec.scheme.name).toBe('dcqcn')
  })

  it('takes its name from the file', () => {
    expect(spec).toMatchObject({ name: 'mine', title: 'mine', seed: 1 })
  })

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec)
  })

  it('means the same written out: the default flow control is the word alone', () => {
    expect(load(`${MINIMAL}fabric: {flowControl: pfc, scheduler: strict}\n`)).toEqual(spec)
  })
})

describe('defaults that follow from others', () => {
  it('an input-buffered switch has credits, small buffers, and drops at inputs', () => {
    const { fabric } = load(`${MINIMAL}fabric: {switch: input-buffered}\n`)
    expect(fabric.flowControl).toEqual({ kind: 'credits', creditBytes: 1 })
    expect(fabric.buffer).toMatchObject({ bytes: 64_000, dropAt: 'inputs', inputQueue: 'fifo' })
  })

  it('per-flow queues stop flows, take what they need, and are served in turn by NICs too', () => {
    const { fabric, hosts } = load(`${MINIMAL}fabric: {switch: per-flow-queues}\n`)
    expect(fabric.flowControl).toEqual({ kind: 'per-flow', xoffBytes: 'auto' })
    expect(fabric.buffer.bytes).toBe(2e9)
    expect([hosts.service, hosts.rtoPs]).toEqual(['round-robin', 0])
    const own = load(
      `${MINIMAL}fabric: {switch: per-flow-queues}\nhosts: {service: shortest-first}`,
    )
    expect(own.hosts.service).toBe('shortest-first')
  })

  it('hosts have a timeout only where packets can be lost', () => {
    expect(load(MINIMAL).hosts.rtoPs).toBe(0)
    expect(load(`${MINIMAL}fabric: {flowControl: none}\n`).hosts.rtoPs).toBe(1e9)
    const byHand = 'fabric: {flowControl: {kind: pfc, headroom: 1KB}}\n'
    expect(load(MINIMAL + byHand).hosts.rtoPs).toBe(1e9)
  })

  it('data is in class 3 of 8, and in class 0 where 3 would be the control class', () => {
    expect(load(`${MINIMAL}fabric: {classes: 5}\n`).hosts.dataClass).toBe(3)
    expect(load(`${MINIMAL}fabric: {classes: 4}\n`).hosts.dataClass).toBe(0)
  })

  it('marking thresholds that are written do not scale; the default ones do', () => {
    expect(load(`${MINIMAL}fabric: {ecn: red}\n`).fabric.ecn).toMatchObject({
      kminBytes: 100_000,
      referenceRateBps: 25e9,
    })
    const written = load(`${MINIMAL}fabric: {ecn: {kind: red, kmin: 5KB, kmax: 200KB}}\n`)
    expect(written.fabric.ecn).toMatchObject({ kminBytes: 5000, referenceRateBps: 0 })
  })

  it('a run yields 200 to 500 samples', () => {
    for (const untilPs of [1e6, 3e6, 8e8, 1e9, 2.5e9, 5e9, 9.99e9, 1e10, 7e12]) {
      const samples = untilPs / autoIntervalPs(untilPs)
      expect(samples).toBeGreaterThanOrEqual(200)
      expect(samples).toBeLessThanOrEqual(500)
    }
  })

  it('flows without names are counted past the names that are written', () => {
    const flows = 'flows: [{from: h0, to: h1}, {name: f0, from: h1, to: h2}, {from: h2, to: h3}]'
    const [item] = load(`topology: {kind: star, hosts: 4}\nworkload: [{${flows}}]\n`).workload
    expect(item?.kind === 'flows' && item.flows.map(({ name }) => name)).toEqual(['f1', 'f0', 'f2'])
  })
})

describe('files', () => {
  it('flows come from CSV, and two files do not clash', () => {
    const csv = 'from,to,size,start\nh0,h1,1MB,0us\nh1,h2,,5us\n'
    const text =
      'topology: {kind: star, hosts: 4}\nworkload: [{flowsFile: a.csv}, {flowsFile: b.csv}]\n'
    const { workload } = load(text, { 'a.csv': csv, 'b.csv': csv })
    const names = workload.flatMap((item) => (item.kind === 'flows' ? [...item.flows] : []))
    expect(names.map(({ name }) => name)).toEqual(['f0', 'f1', 'f2', 'f3'])
    expect(names[1]).toMatchObject({ from: 'h1', sizeBytes: 0, startPs: 5e6 })
  })

  it('a graph comes from a list of links', () => {
    const text = `topology: {kind: graph, file: links.txt, rate: 10Gbps, delay: 2us}\n${WORKLOAD}`
    const { topology } = load(text, { 'links.txt': 'h0 s0\nh1 s0 40Gbps 5us\n' })
    expect(topology).toEqual({
      kind: 'graph',
      hosts: ['h0', 'h1'],
      switches: ['s0'],
      links: [
        { a: 'h0', b: 's0', rateBps: 10e9, delayPs: 2e6 },
        { a: 'h1', b: 's0', rateBps: 40e9, delayPs: 5e6 },
      ],
    })
  })

  it('sizes come from a CDF file, in per cent', () => {
    const text =
      'topology: {kind: star, hosts: 4}\n' +
      'workload: [{generate: {arrivals: once, sizes: {kind: cdf, file: s.txt}}}]\n'
    const [item] = load(text, { 's.txt': '1000 50\n2000 100\n' }).workload
    expect(item).toMatchObject({
      sizes: {
        kind: 'cdf',
        source: 's.txt',
        rows: [
          [1000, 0.5],
          [2000, 1],
        ],
      },
    })
  })
})
