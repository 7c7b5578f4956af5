/**
 * What every scheme must do, whatever its idea: the first call of each scheme's test. A scheme that
 * cannot comply lists the case and the reason.
 *
 * The fabric is a dumbbell of 10 Gb/s links on which the scheme's needs are met: shared memory and
 * PFC, or inputs with credits. What is expected of long flows is the scheme's own: it passes bounds
 * with their source. Without bounds only the least is asked: that the bottleneck is used and that
 * no flow starves.
 */
import type { FabricNeed, Param, ParamValue, Scheme } from '@weir/schemes'
import { resolveParams, schemeByName, schemes } from '@weir/schemes'
import { jain } from '@weir/metrics'
import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { audit } from './testing/audit.ts'
import { simulateTogether } from './testing/together.ts'
import { validateSpec } from './spec/validate.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import type { Tree } from './testing/specs.ts'

/** What long flows must show over the later half of a run. */
export interface Bounds {
  /** Least share of the bottleneck's bits that is used. */
  readonly utilisation?: number
  /** Least Jain index of the flows' rates. */
  readonly jain?: number
  /** Most bytes of the bottleneck's queue, on average. */
  readonly queueBytes?: number
  /** Where these come from: a paper's figure, an analysis. */
  readonly source: string
}

export type ConformsCase =
  | 'card'
  | 'determinism'
  | 'nodes apart'
  | 'long flows'
  | 'no loss'
  | 'recovery'
  | 'line rate'
  | 'single packets'
  | 'single bytes'
  | 'no delay'
  | 'internals'

export interface ConformsOptions {
  /** A scheme from outside Weir, which has no line in registry.ts. */
  readonly isOwn?: boolean
  readonly skip?: readonly { readonly case: ConformsCase; readonly reason: string }[]
  /** For 2, 4, 8 and 16 long flows; those of one count stand above those of all. */
  readonly bounds?: Bounds
  readonly boundsOf?: Readonly<Partial<Record<2 | 4 | 8 | 16, Bounds>>>
  /** How long 16 flows take to settle, twice over: the later half is judged. Default 20 ms. */
  readonly until?: string
  /** Share of the link that a lone flow must have again after congestion; default a half. */
  readonly recovered?: number
  /** What the scheme needs besides: `{reliability: tcp}`. */
  readonly hosts?: Tree
  readonly fabric?: Tree
  readonly preset?: string
}

const RATE_BPS = 10e9
const SHARES =
  'a point or agent reads what another node wrote: state belongs to one flow end, port or node, ' +
  'or is declared (shared) and published'
const COUNTS = [2, 4, 8, 16] as const
const NEEDS: readonly FabricNeed[] = [
  'ecn',
  'telemetry',
  'credits',
  'lossless',
  'acks',
  'input-buffered',
  'verdicts',
]

export function conforms(scheme: Scheme, options: ConformsOptions = {}): void {
  const suite = new Suite(scheme, options)
  describe(`${scheme.name}, as every scheme,`, () => {
    suite.case('card', 'has a card on which everything has a meaning and a source', () => {
      if (options.isOwn !== true) expect(schemeByName(scheme.name), 'registry.ts').toBe(scheme)
      expectCard(scheme)
      suite.expectDeclared()
    })
    suite.case('determinism', 'does the same twice', () => {
      const spec = suite.long(4, '2ms')
      expect(suite.simulate(spec).fingerprint).toBe(suite.simulate(spec).fingerprint)
    })
    suite.case('nodes apart', 'does the same where its nodes share nothing but packets', () => {
      const spec = suite.long(4, '1ms')
      const { fingerprint } = simulateTogether(spec, 2, scheme)
      expect(fingerprint, SHARES).toBe(suite.simulate(spec).fingerprint)
    })
    for (const count of COUNTS) {
      suite.case('long flows', `shares a bottleneck among ${count} long flows`, () => {
        suite.expectShared(count)
      })
    }
    suite.case('no loss', 'loses nothing on a lossless fabric', () => {
      const result = suite.simulate(suite.burst(8, '200KB'))
      expect(result.counters.packetsDropped).toBe(0)
      expect(result.ended).toEqual({ why: 'completed' })
    })
    suite.case('recovery', 'takes the link again when others have left', () =>
      suite.expectRecovery(),
    )
    suite.case('line rate', 'never sends above line rate, nor forbids sending for ever', () => {
      watch(suite.run(suite.long(8, '5ms')), expectLimits)
    })
    suite.case('single packets', 'lets flows of a single packet pass', () => {
      expectAllEnd(suite.simulate(suite.burst(16, '1000B')))
    })
    suite.case('single bytes', 'lets flows of a single byte pass', () => {
      expectAllEnd(suite.simulate(suite.burst(16, '1B')))
    })
    suite.case('no delay', 'works on links without delay', () => {
      const run = suite.run(suite.burst(4, '100KB', { delay: '0ps', bottleneckDelay: '0ps' }))
      watch(run, audit)
      expectAllEnd(run.result())
    })
    suite.case('internals', 'shows finite numbers for all that it says it has inside', () => {
      watch(suite.run(suite.long(4, '2ms')), expectInternals)
    })
  })
}

class Suite {
  readonly #scheme: Scheme
  readonly #options: ConformsOptions

  constructor(scheme: Scheme, options: ConformsOptions) {
    this.#scheme = scheme
    this.#options = options
  }

  case(name: ConformsCase, title: string, test: () => void): void {
    const skipped = this.#options.skip?.find((one) => one.case === name)
    if (skipped === undefined) it(title, test, 120_000)
    else it.skip(`${title} (not here: ${skipped.reason})`, test)
  }

  run(spec: ValidSpec): Run {
    return createRun(spec, this.#scheme)
  }

  simulate(spec: ValidSpec): Result {
    const run = this.run(spec)
    while (run.advance(1e6)) continue
    return run.result()
  }

  /** A dumbbell with flows from each left host to a right one of its own. */
  #spec(count: number, flow: (i: number) => Tree, until: string, more: Tree = {}): ValidSpec {
    const { needs, name } = this.#scheme
    const { fabric, hosts, preset } = this.#options
    const isInput = needs.includes('credits') || needs.includes('input-buffered')
    const rate = `${RATE_BPS}bps`
    const tree = {
      topology: {
        kind: 'dumbbell',
        left: count,
        right: count,
        rate,
        bottleneckRate: rate,
        delay: '1us',
        bottleneckDelay: '1us',
        ...more,
      },
      fabric: {
        ...(isInput
          ? { switch: 'input-buffered', flowControl: 'credits' }
          : { flowControl: 'pfc' }),
        ...fabric,
      },
      ...(hosts !== undefined && { hosts }),
      workload: [
        {
          flows: Array.from({ length: count }, (_, i) => ({
            name: `f${i}`,
            from: `l${i}`,
            to: `r${i}`,
            ...flow(i),
          })),
        },
      ],
      scheme: preset === undefined ? name : { name, preset },
      run: { until },
      metrics: {
        interval: '10us',
        series: ['rate.*', 'queue.left->right.*', 'utilisation.left->*'],
      },
    }
    const cards = [...schemes.filter((one) => one.name !== name), this.#scheme]
    return validateSpec(tree, { schemes: cards })
  }

  /** Flows without end, which start a little after one another. */
  long(count: number, until: string): ValidSpec {
    return this.#spec(count, (i) => ({ start: `${i * 7}us` }), until)
  }

  /** Flows of one size, all at once. */
  burst(count: number, size: string, more: Tree = {}): ValidSpec {
    return this.#spec(count, () => ({ size }), '500ms', more)
  }

  /** Packets are judged only by schemes that say so: credits cannot have them. */
  expectDeclared(): void {
    const { contention } = this.run(this.long(2, '1ms')).network.fabric
    if (!contention.some((point) => point?.admits === true)) return
    expect(this.#scheme.needs, 'its contention points judge packets (admits)').toContain('verdicts')
  }

  expectShared(count: 2 | 4 | 8 | 16): void {
    const { bounds, boundsOf, until = '20ms' } = this.#options
    const bound = boundsOf?.[count] ?? bounds ?? { utilisation: 0.5, source: '' }
    const result = this.simulate(this.long(count, until))
    const rates = laterMeans(result, 'rate.')
    const used = laterMeans(result, 'utilisation.left->right')[0]!
    const queueBytes = laterMeans(result, 'queue.left->right').reduce((sum, one) => sum + one, 0)
    const say = `${count} flows (bounds: ${bound.source || 'the least that is asked'})`
    if (bound.utilisation !== undefined) {
      expect(used, `utilisation of ${say}`).toBeGreaterThanOrEqual(bound.utilisation)
    }
    if (bound.jain !== undefined) {
      expect(jain(rates), `Jain index of ${say}`).toBeGreaterThanOrEqual(bound.jain)
    }
    if (bound.queueBytes !== undefined) {
      expect(queueBytes, `mean queue of ${say}`).toBeLessThanOrEqual(bound.queueBytes)
    }
    const fairBps = RATE_BPS / count
    expect(Math.min(...rates), `the slowest of ${say}`).toBeGreaterThan(fairBps / 50)
  }

  expectRecovery(): void {
    const { until = '20ms', recovered = 0.5 } = this.#options
    const flows = (i: number): Tree => (i === 0 ? {} : { start: '500us', stop: '1500us' })
    const result = this.simulate(this.#spec(4, flows, until))
    const rate = result.series.find(({ name }) => name === 'rate.f0')!.values
    const last = rate.slice(-Math.ceil(rate.length / 10))
    const mean = last.reduce((sum, one) => sum + one, 0) / last.length
    expect(mean / RATE_BPS, 'the lone flow in the last tenth').toBeGreaterThan(recovered)
  }
}

/** Of each series whose name begins so: its mean over the later half of its samples. */
function laterMeans(result: Result, prefix: string): number[] {
  return result.series
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ values }) => {
      const later = values.slice(Math.floor(values.length / 2))
      return later.reduce((sum, one) => sum + one, 0) / later.length
    })
}

/** Runs to the end and looks in at some hundred moments. */
function watch(run: Run, look: (run: Run) => void): void {
  while (run.advance(503)) look(run)
  look(run)
}

function expectAllEnd(result: Result): void {
  expect(result.ended).toEqual({ why: 'completed' })
  expect(result.flows.deliveredBytes).toEqual(result.flows.sizeBytes)
}

function expectLimits({ network }: Run): void {
  for (const flow of network.hosts.flows) {
    if (flow === undefined || flow.isDone) continue
    const { rateBps, windowBytes } = flow.reaction
    const where = `flow ${flow.flow}: a rate of ${rateBps} bit/s, a window of ${windowBytes} B`
    const isRate = rateBps === Infinity || rateBps <= flow.lineRateBps * (1 + 1e-9)
    expect(rateBps > 0 && windowBytes > 0 && isRate, where).toBe(true)
  }
}

function expectInternals({ network }: Run): void {
  const { control, fabric, hosts } = network
  for (const flow of hosts.flows) {
    if (flow === undefined || flow.isDone) continue
    control.flowInternals.forEach((name, i) => {
      const value = flow.reaction.observe(i)
      expect(Number.isFinite(value), `${name} of flow ${flow.flow} is ${value}`).toBe(true)
    })
  }
  fabric.contention.forEach((point, port) => {
    control.portInternals.forEach((name, i) => {
      const value = point?.observe(i) ?? 0
      expect(Number.isFinite(value), `${name} of port ${port} is ${value}`).toBe(true)
    })
  })
}

function expectCard(scheme: Scheme): void {
  expect(scheme.name).toMatch(/^[a-z][a-z0-9-]*$/u)
  expect(scheme.title.length * scheme.cite.length).toBeGreaterThan(0)
  for (const need of scheme.needs) expect(NEEDS).toContain(need)
  for (const [name, param] of Object.entries(scheme.params)) {
    expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/u)
    expect(param.about, `${name} says what it does`).toMatch(/^[A-Z].*\.$/u)
    expect(param.source.length, `${name} has a source`).toBeGreaterThan(3)
    expectWithin(name, param, param.default)
  }
  for (const [name, preset] of Object.entries(scheme.presets)) {
    expect(preset.about.length, `preset ${name} says what it is`).toBeGreaterThan(3)
    expect(preset.source.length, `preset ${name} has a source`).toBeGreaterThan(3)
    for (const [key, value] of Object.entries(preset.values)) {
      const param = scheme.params[key]
      expect(param, `${name}.${key} is a parameter`).toBeDefined()
      expectWithin(`${name}.${key}`, param as Param, value)
    }
    const values = resolveParams(scheme.params, preset, {})
    expect(Object.keys(values)).toEqual(Object.keys(scheme.params))
  }
}

function expectWithin(name: string, param: Param, value: ParamValue): void {
  switch (param.unit) {
    case 'boolean':
      expect(typeof value, name).toBe('boolean')
      return
    case 'choice':
      expect(param.choices, name).toContain(value)
      return
    case 'text':
      expect(typeof value, name).toBe('string')
      return
    case 'count':
      expect(Number.isInteger(value), `${name} is whole`).toBe(true)
      break
    case 'time':
    case 'size':
    case 'rate':
    case 'fraction':
    case 'number':
      expect(typeof value, name).toBe('number')
  }
  const max = param.max ?? (param.unit === 'fraction' ? 1 : Infinity)
  const min = param.min ?? (param.unit === 'number' ? -Infinity : 0)
  const isWithin = Number(value) >= min && Number(value) <= max
  expect(isWithin, `${name} = ${value} lies in ${min}..${max}`).toBe(true)
}
