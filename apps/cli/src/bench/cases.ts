/**
 * What is measured: a fabric of document E's size under its WebSearch traffic, and two saturated
 * fabrics, small and large, that show how the cost of an event grows with the fabric. Each case is
 * a fixed span of simulated time, long enough for some ten million packet-hops, of which the first
 * part is a warm-up; no series are sampled.
 */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
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
const QUICK_FRACTION = 0.1

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
    name: 'bare-loop-128',
    about: 'a yardstick: 128 hosts, FIFO ports, two events a hop on a heap, and nothing else',
    text: '',
    untilUs: 4000,
  },
]

/** What a case runs, and for how long. */
export function benchRun(
  { name, text, untilUs }: BenchCase,
  isQuick: boolean,
): { run: Steppable; untilPs: number } {
  const untilPs = untilUs * (isQuick ? QUICK_FRACTION : 1) * 1e6
  if (text === '') return { run: new BareLoop(8, 25e9, 1e6), untilPs }
  const settings = [`run.until=${untilPs / 1e6}us`, 'metrics.interval=none']
  const spec = loadSpec({ text, sourceName: name, files: () => undefined, settings })
  return { run: createRun(spec), untilPs }
}

/** Flows of 1 GB outlast the span: the fabric is full from the first microseconds on. */
function permutation(name: string, k: number): string {
  return `
name: ${name}
topology: { kind: fat-tree, k: ${k}, rate: 25Gbps, delay: 1us }
fabric: { buffer: 32MB, flowControl: pfc }
hosts: { mtu: 1000B, ack: { every: 1 } }
workload:
  - generate: { arrivals: once, sizes: 1GB, pattern: permutation }
scheme: dcqcn
`
}
