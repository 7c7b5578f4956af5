/** Long flows over one bottleneck under a scheme, for tests: utilisation, fairness, queue. */
import type { Result } from '../result.ts'
import { simulate } from '../run.ts'
import { loadSpec } from '../spec/index.ts'

export interface DumbbellRun {
  readonly result: Result
  /** Share of the bottleneck's bits that was used in the later half. */
  readonly utilisation: number
  /** Of the bottleneck's queue, over the later half. */
  readonly queueBytesMean: number
  /** Jain index of the rates over the later half. */
  readonly jain: number
}

export function onDumbbell(
  scheme: string,
  flows: number,
  options: { readonly until: string; readonly rate: string; readonly delay?: string },
): DumbbellRun {
  const { until, rate, delay = '1us' } = options
  const list = Array.from({ length: flows }, (_, i) => `{from: l${i}, to: r${i}, start: ${i}us}`)
  const text = `
topology: {kind: dumbbell, left: ${flows}, right: ${flows},
  rate: ${rate}, bottleneckRate: ${rate}, delay: ${delay}}
workload: [flows: [${list.join(', ')}]]
scheme: ${scheme}
run: {until: ${until}}
metrics: {series: [queue.left->right.c3, utilisation.left->right]}
`
  const spec = loadSpec({ text, sourceName: 'dumbbell', files: () => undefined, settings: [] })
  const result = simulate(spec)
  const later = (name: string): number => {
    const values = result.series.find((one) => one.name === name)?.values ?? []
    const half = values.slice(Math.floor(values.length / 2))
    return half.reduce((sum, value) => sum + value, 0) / half.length
  }
  return {
    result,
    utilisation: later('utilisation.left->right'),
    queueBytesMean: later('queue.left->right.c3'),
    jain: result.summary.jain,
  }
}
