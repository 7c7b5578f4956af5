/**
 * What is measured: a fabric of document E's size under its WebSearch traffic, and two saturated
 * fabrics, small and large, that show how the cost of an event grows with the fabric. Each case is
 * a fixed span of simulated time after a warm-up; no series are sampled.
 */

export interface BenchCase {
  readonly name: string
  readonly about: string
  readonly text: string
  /** Simulated, and not counted. */
  readonly warmUpPs: number
  /** The end of the run with `--quick`. */
  readonly quickUntil: string
}

const MICROSECOND_PS = 1e6

export const benchCases: readonly BenchCase[] = [
  {
    name: 'websearch-320',
    about: '320 hosts in three tiers, WebSearch at half load under DCQCN and PFC',
    warmUpPs: 200 * MICROSECOND_PS,
    quickUntil: '500us',
    text: `
name: websearch-320
topology: three-tier
fabric: { flowControl: pfc }
workload:
  - generate: { arrivals: { kind: poisson, load: 0.5 }, sizes: WebSearch, pattern: uniform }
scheme: dcqcn
run: { until: 3200us }
metrics: { interval: none }
`,
  },
  {
    name: 'permutation-128',
    about: '128 hosts in a fat tree, each sending to one other without end under DCQCN and PFC',
    warmUpPs: 100 * MICROSECOND_PS,
    quickUntil: '400us',
    text: permutation('permutation-128', 8, '3100us'),
  },
  {
    name: 'permutation-1024',
    about: 'the same with 1,024 hosts',
    warmUpPs: 50 * MICROSECOND_PS,
    quickUntil: '100us',
    text: permutation('permutation-1024', 16, '550us'),
  },
]

/** Flows of 1 GB outlast the span: the fabric is full from the first microseconds on. */
function permutation(name: string, k: number, until: string): string {
  return `
name: ${name}
topology: { kind: fat-tree, k: ${k} }
fabric: { flowControl: pfc }
workload:
  - generate: { arrivals: once, sizes: 1GB, pattern: permutation }
scheme: dcqcn
run: { until: ${until} }
metrics: { interval: none }
`
}
