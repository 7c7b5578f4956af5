/**
 * The test bed of Gran et al. 2010 as the figures use it: its scenarios with phases of some length
 * and settings, and what is read off their series.
 */
import { loadSpec, scenarioByName } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import type { Check, Curve, FigureContext, Fitted, Switch } from '../figure.ts'

export const CITE = 'E. G. Gran et al., IPDPS 2010'
export const MS = 1e9
const GIGA = 1e9

/** What the document does not give of its test bed; docs/schemes/infiniband.md says more. */
export const FITTED: readonly Fitted[] = [
  { value: 'hosts take 13.7 Gb/s of payload', to: 'fig. 7(a): just below 7' },
  { value: 'virtual output queues', to: 'fig. 7(b): the victim is free' },
  { value: '24 KB per input and lane', to: 'fig. 11, before the other values' },
  { value: 'a FIFO of 24 KB per output and lane', to: 'Table III: ping-pong latency, column b)' },
  { value: 'a BECN for 20 packets', to: 'fig. 11: the edge near 150 us' },
  { value: 'the congestion state ends at the threshold', to: "fig. 13, Table II's deviation" },
]

/** What a value was fitted to, or put in for: no evidence, so that it agrees with nothing. */
export function fittedCheck(check: Check, value: string): Check {
  return { ...check, verdict: 'ours', note: `no check: ${value}` }
}

/** Congestion control taken out of the runs that have it. */
export function withoutControl(breaks: readonly string[]): Switch {
  return {
    name: 'congestion control',
    without: ({ scheme }) => (scheme.name === 'infiniband' ? ['scheme=none'] : []),
    breaks,
  }
}

/** Runs without congestion control get it: the congestion that they show goes. */
export function withControlEverywhere(breaks: readonly string[]): Switch {
  return {
    name: 'the absence of control',
    without: ({ scheme }) => (scheme.name === 'none' ? ['scheme=infiniband'] : []),
    breaks,
  }
}

/** PCIe no longer bounds what hosts send and take. */
export function withoutHostCap(breaks: readonly string[]): Switch {
  return { name: 'the cap of PCIe', without: () => ['hosts.rateCap=none'], breaks }
}

/** Hosts that send and take a third of what they do. */
export function withSlowHosts(breaks: readonly string[]): Switch {
  return { name: 'hosts of 13 Gb/s (4)', without: () => ['hosts.rateCap=4Gbps'], breaks }
}

export interface BedOptions {
  readonly scheme: 'none' | 'infiniband'
  /** Time between the starts of flows; the last phase lasts as long. */
  readonly phasePs: number
  readonly intervalPs: number
  readonly settings?: readonly string[]
}

/** Scenario 1: F1 to H4, F2 to F5 to H5, one more each phase. */
export function scenario1(options: BedOptions): ValidSpec {
  return bed('infiniband-testbed', 5, 5, options)
}

/** Scenario 2: F1 to F3 between the switches, one more each phase; the last phase lasts twice. */
export function scenario2(options: BedOptions): ValidSpec {
  return bed('infiniband-testbed-2', 3, 4, options)
}

function bed(name: string, flows: number, phases: number, options: BedOptions): ValidSpec {
  const { scheme, phasePs, intervalPs, settings = [] } = options
  const starts = Array.from(
    { length: flows - 1 },
    (_, i) => `workload.0.flows.${i + 1}.start=${(i + 1) * phasePs}ps`,
  )
  return loadSpec({
    text: textOf(name),
    sourceName: name,
    settings: [
      `scheme=${scheme}`,
      ...starts,
      `run.until=${phases * phasePs}ps`,
      `metrics.interval=${intervalPs}ps`,
      'metrics.series=[rate.*]',
      ...settings,
    ],
  })
}

/** The test bed's fabric with other traffic: `workload` and what follows it, as YAML. */
export function bedWith(name: string, rest: string, settings: readonly string[] = []): ValidSpec {
  const text = textOf('infiniband-testbed')
  const fabric = text.slice(text.indexOf('topology:'), text.indexOf('workload:'))
  return loadSpec({ text: `name: ${name}\n${fabric}${rest}`, sourceName: name, settings })
}

function textOf(name: string): string {
  const scenario = scenarioByName(name)
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  return scenario.text
}

/** As published, phases last a second and perftest reports regularly; small ones are in scale. */
export function phases(context: FigureContext): { phasePs: number; intervalPs: number } {
  return context.size === 'full'
    ? { phasePs: 1000 * MS, intervalPs: 10 * MS }
    : { phasePs: 60 * MS, intervalPs: 1 * MS }
}

/** The document's words for a flow's rate in each phase, as marks in the middle of the phases. */
export function publishedRates(
  flow: string,
  rates: readonly number[],
  firstPhase: number,
  phasePs: number,
): Curve {
  return {
    name: flow,
    x: rates.map((_, i) => ((firstPhase + i + 0.5) * phasePs) / 1e12),
    y: rates,
    isPublished: true,
  }
}

/** Rates of a flow in Gb/s in samples that end within (fromPs, toPs]. */
export function ratesOf(result: Result, flow: string, fromPs: number, toPs: number): number[] {
  const series = result.series.find(({ name }) => name === `rate.${flow}`)
  if (series === undefined) return []
  return series.values
    .filter((_, i) => {
      const atPs = series.startPs + i * series.intervalPs
      return atPs > fromPs && atPs <= toPs
    })
    .map((value) => value / GIGA)
}

/** The flows of scenario 1 that end at H5. */
export const CONTRIBUTORS = ['F2', 'F3', 'F4', 'F5'] as const

/** Section VII-B: the highest less the lowest throughput at each point in time. */
export function spreads(rates: readonly (readonly number[])[]): number[] {
  return rates[0]!.map((_, i) => {
    const now = rates.map((values) => values[i] ?? 0)
    return Math.max(...now) - Math.min(...now)
  })
}

/** Mean rate in phase `phase` (0 is the first), after its first quarter: flows have settled. */
export function settledRate(result: Result, flow: string, phase: number, phasePs: number): number {
  return mean(ratesOf(result, flow, (phase + 0.25) * phasePs, (phase + 1) * phasePs))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Of all values, not of a sample. */
export function variance(values: readonly number[]): number {
  const centre = mean(values)
  return mean(values.map((value) => (value - centre) * (value - centre)))
}

/** Throughput over time, a curve a flow. */
export function rateCurves(result: Result): Curve[] {
  return result.series
    .filter(({ name }) => name.startsWith('rate.'))
    .map(({ name, startPs, intervalPs, values }) => ({
      name: name.slice(5),
      x: values.map((_, i) => (startPs + i * intervalPs) / 1e12),
      y: values.map((value) => value / GIGA),
    }))
}
