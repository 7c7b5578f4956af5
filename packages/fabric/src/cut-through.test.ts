import { describe, expect, it } from 'vitest'
import { CutThrough } from './cut-through.ts'
import { BYTES, DATA, HOP, KIND, PATH, PAUSE, Packets, ROUTED } from './packets.ts'
import { Paths } from './paths.ts'
import { Ports } from './ports.ts'
import { buildGraph } from './topologies/index.ts'

/** Links of 10 Gb/s from h0, of 40 Gb/s to h1 and of 5 Gb/s to h2: 800, 200 and 1,600 ps a byte. */
const graph = buildGraph({
  kind: 'graph',
  hosts: ['h0', 'h1', 'h2'],
  switches: ['s0'],
  links: [
    { a: 'h0', b: 's0', rateBps: 10e9, delayPs: 0 },
    { a: 's0', b: 'h1', rateBps: 40e9, delayPs: 0 },
    { a: 's0', b: 'h2', rateBps: 5e9, delayPs: 0 },
  ],
})
const FROM_H0 = 0
const TO_H1 = 2
const TO_H2 = 4
const HEADER = 48

function benchOf(kind: number, bytes: number, way: readonly number[]): [CutThrough, number] {
  const packets = new Packets()
  const ports = new Ports(graph, 0)
  const paths = new Paths()
  packets.allocate()
  const p = packets.allocate()
  packets.int[p + KIND] = kind
  packets.int[p + BYTES] = bytes
  packets.int[p + HOP] = 0
  packets.int[p + PATH] = way.length > 0 ? paths.add(way) : -1
  return [new CutThrough(graph, ports, packets, paths, HEADER), p]
}

/** Of 1,000 B from h0: when s0 may forward it, in ps after its transmission began. */
function headPs(way: readonly number[], kind: number = DATA, bytes: number = 1000): number {
  const [cut, p] = benchOf(kind, bytes, way)
  return cut.headPs(FROM_H0, p, bytes * 800)
}

describe('cut-through', () => {
  it('forwards to a slower link as soon as the header is in', () => {
    expect(headPs([FROM_H0, TO_H2])).toBe(HEADER * 800)
  })

  it('forwards to a faster link so late that it does not run dry', () => {
    // 1,000 B take 800 ns to come and 200 ns to go.
    expect(headPs([FROM_H0, TO_H1])).toBe(600_000)
  })

  it('goes by the way that is written into a packet', () => {
    const packets = new Packets(4, true)
    packets.allocate()
    const p = packets.allocate()
    packets.int[p + KIND] = DATA
    packets.int[p + BYTES] = 1000
    packets.int[p + HOP] = 1
    packets.int[p + PATH] = ROUTED
    packets.routes.set([TO_H1, FROM_H0, TO_H2], p << 2)
    const cut = new CutThrough(graph, new Ports(graph, 0), packets, new Paths(), HEADER)
    expect(cut.headPs(FROM_H0, p, 800_000)).toBe(HEADER * 800)
    packets.routes.set([TO_H2, FROM_H0, TO_H1], p << 2)
    expect(cut.headPs(FROM_H0, p, 800_000)).toBe(800_000 - 200_000)
  })

  it('takes the fastest output for that of a packet which has no path yet', () => {
    expect(headPs([])).toBe(600_000)
  })

  it('stores packets that are nothing but a header, and frames', () => {
    expect(headPs([FROM_H0, TO_H2], DATA, HEADER - 8)).toBe((HEADER - 8) * 800)
    expect(headPs([FROM_H0, TO_H2], DATA, HEADER)).toBe(HEADER * 800)
    expect(headPs([FROM_H0, TO_H2], DATA, HEADER + 1)).toBe(HEADER * 800)
    expect(headPs([FROM_H0, TO_H2], PAUSE, 64)).toBe(64 * 800)
  })
})
