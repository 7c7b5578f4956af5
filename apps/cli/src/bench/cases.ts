/**
 * What is measured: a fabric of PACC's size under its WebSearch traffic, and two saturated
 * fabrics, small and large, that show how the cost of an event grows with the fabric. Each case is
 * a fixed span of simulated time, long enough for some ten million packet-hops, of which the first
 * part is a warm-up; no series are sampled.
 */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import { BareLoop } from './bare-loop.ts'
import type { Steppable } from './measure.ts'

export interface BenchCase {
  readonly name: string
  readonly about: string
  /** A scenario; empty: the bare loop. */
  readonly text: string
  readonly untilUs: number
}

/** Of the simulated time, and not counted: queues fill, rates settle, the compiler compiles. */
export const WARM_UP_FRACTION = 0.2
/** How much of a case is simulated: times its span. */
const SPANS = { quick: 0.1, usual: 1, long: 8 } as const
export type Span = keyof typeof SPANS

export const benchCases: readonly BenchCase[] = [
  {
    name: 'websearch-320',
    about: '320 hosts in three tiers, WebSearch at half load under DCQCN and PFC',
    text: scenarioByName('websearch-320')?.text ?? '',
    untilUs: 6000,
  },
  {
    name: 'permutation-128',
    about: '128 hosts in a fat tree, each sending to one other without end under DCQCN and PFC',
    text: permutation('permutation-128', 8),
    untilUs: 12_000,
  },
  {
    name: 'permutation-1024',
    about: 'the same with 1,024 hosts',
    text: permutation('permutation-1024', 16),
    untilUs: 2800,
  },
  {
    name: 'permutation-9826',
    about: 'the same with 9,826 hosts',
    text: permutation('permutation-9826', 34),
    untilUs: 300,
  },
  {
    name: 'pfc-only-128',
    about: '128 hosts at 100 Gb/s, each sending to one other at line rate, with PFC alone',
    text: permutation('pfc-only-128', 8, '100Gbps', 'none'),
    untilUs: 3000,
  },
  {
    name: 'torus-512',
    about:
      'an 8 x 8 x 8 torus at 10 Gb/s and 100 ns per link, each sending to one other; DCQCN, PFC',
    text: torus('torus-512'),
    untilUs: 4000,
  },
  {
    name: 'rack-512',
    about: 'that torus as a rack: sprayed flows, one each microsecond, under R2C2 with broadcasts',
    text: rack('rack-512'),
    untilUs: 5000,
  },
  {
    name: 'bare-loop-128',
    about: 'a yardstick: 128 hosts, FIFO ports, two events per hop on a heap, and nothing else',
    text: '',
    untilUs: 4000,
  },
]

/** The permutation on fat trees of 16 to 9,826 hosts: how the cost of a hop grows. */
export const curveCases: readonly BenchCase[] = [
  ...[4, 6, 8, 12, 16, 24, 34].map((k) => {
    const hosts = (k * k * k) / 4
    return {
      name: `hosts-${hosts}`,
      about: `${hosts} hosts in a fat tree, each sending to one other under DCQCN and PFC`,
      text: permutation(`hosts-${hosts}`, k),
      // The same number of packet-hops for each, more or less.
      untilUs: Math.round(Math.min(12_000, Math.max(300, 1_500_000 / hosts))),
    }
  }),
]

/** How long a case is, in simulated time. */
export function benchSpan({ untilUs }: BenchCase, span: Span): number {
  return untilUs * SPANS[span] * 1e6
}

/** What a case runs; undefined: the bare loop. */
export function benchSpec({ name, text }: BenchCase, untilPs: number): ValidSpec | undefined {
  if (text === '') return undefined
  const settings = [`run.until=${untilPs / 1e6}us`, 'metrics.interval=none']
  return loadSpec({ text, sourceName: name, files: () => undefined, settings })
}

export function benchRun(spec: ValidSpec | undefined): Steppable {
  return spec === undefined ? new BareLoop(8, 25e9, 1e6) : createRun(spec)
}

/** Flows of 1 GB outlast the span: the fabric is full from the first microseconds on. */
function permutation(name: string, k: number, rate = '25Gbps', scheme = 'dcqcn'): string {
  return `
name: ${name}
topology: { kind: fat-tree, k: ${k}, rate: ${rate}, delay: 1us }
fabric: { buffer: 32MB, flowControl: pfc }
hosts: { mtu: 1000B, ack: { every: 1 } }
workload:
  - generate: { arrivals: once, sizes: 1GB, pattern: permutation }
scheme: ${scheme}
`
}

function torus(name: string): string {
  return `
name: ${name}
topology: { kind: torus, dimensions: [8, 8, 8], rate: 10Gbps, delay: 100ns }
fabric: { buffer: 32MB, flowControl: pfc }
hosts: { mtu: 1000B, ack: { every: 1 } }
workload:
  - generate: { arrivals: once, sizes: 1GB, pattern: permutation }
scheme: dcqcn
`
}

/** As R2C2's Fig. 10 is run: nine in ten packet-hops are broadcasts that tell of flows. */
function rack(name: string): string {
  return `
name: ${name}
topology:
  { kind: torus, dimensions: [8, 8, 8], rate: 10Gbps, delay: 100ns, injectionRate: 60Gbps }
fabric: { flowControl: none, buffer: { size: 4MB, threshold: 1MB }, ecn: none }
hosts: { mtu: 1460B, header: 40B, ack: none, reliability: none }
routing: packet-spray
workload:
  - generate:
      arrivals: { kind: poisson, interval: 1us }
      sizes: { kind: pareto, shape: 1.05, mean: 100KB }
      pattern: uniform
scheme: { name: r2c2, preset: paper }
`
}
