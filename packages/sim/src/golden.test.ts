/**
 * Golden results: what every built-in scenario gives under every scheme that fits it, kept as text
 * in `packages/sim/golden/`, so that a change of results is a diff that a person reads. The two
 * hashes tell more than the numbers: the trajectory of every packet, and every flow of the result.
 *
 * After a change that is meant: `npx vitest run packages/sim/src/golden -u`, read the diff, and say
 * in the commit under `Results change:` what moved and why. Large scenarios are cut short.
 */
import { describe, expect, it } from 'vitest'
import { schemes } from '@weir/schemes'
import { Fingerprint } from '@weir/engine'
import type { Result } from './result.ts'
import { simulate } from './run.ts'
import { scenarios } from './scenarios/index.ts'
import { loadSpec } from './spec/load.ts'
import { SpecError } from './spec/spec-error.ts'

/** Enough of a large scenario to see marks, pauses and flows that end. */
const CUT: Readonly<Record<string, string>> = {
  'websearch-320': '150us',
  'hadoop-320': '100us',
  'permutation-1024': '8us',
  'leaf-spine-mix': '1ms',
  permutation: '50us',
  'torus-uniform': '300us',
  'torus-per-flow': '80us',
  'pfc-unfair': '5ms',
  'pfc-deadlock-lanes': '5ms',
}
/** Scenarios whose flows start one by one: every time in ms is divided by this. */
const SHORTEN: Readonly<Record<string, number>> = {
  'dumbbell-fair': 4,
  'infiniband-testbed': 10,
  'infiniband-testbed-2': 10,
}
const MINUTES = 600_000

describe('golden results', () => {
  for (const { name, text } of scenarios) {
    it(
      name,
      async () => {
        const whole = text.replace(/(\d+)ms/g, (_, ms) => `${Number(ms) / (SHORTEN[name] ?? 1)}ms`)
        const blocks = schemes.map((scheme) => block(name, whole, scheme.name))
        const file = `../golden/${name}.txt`
        await expect(blocks.join('\n')).toMatchFileSnapshot(file)
      },
      MINUTES,
    )
  }
})

function block(scenario: string, text: string, scheme: string): string {
  const own = /^scheme:\s*(?:\{.*?name:\s*)?([\w-]+)/m.exec(text)?.[1]
  const settings = [`seed=1`]
  if (CUT[scenario] !== undefined) {
    // Cut means cut: a drain would take as long as the whole.
    settings.push(`run.until=${CUT[scenario]}`, 'run.drain=none')
  }
  // Naming the scenario's own scheme would drop the parameters that it gives it.
  if (scheme !== own) settings.push(`scheme=${scheme}`)
  let result: Result
  try {
    result = simulate(loadSpec({ text, sourceName: scenario, files: () => undefined, settings }))
  } catch (error) {
    if (!(error instanceof SpecError)) throw error
    return `${scheme}: refused: ${error.message}\n`
  }
  return `${scheme}\n${lines(result)}`
}

function lines(result: Result): string {
  const { ended, fingerprint, summary, warnings } = result
  // How many events a trajectory takes is the engine's own business.
  const { events: _events, ...counters } = result.counters
  const { buckets, items, classes: _classes, ...plain } = summary
  const rows: [string, unknown][] = [
    ['fingerprint', fingerprint],
    ['flows', flowsHash(result)],
    ['ended', ended.why === 'completed' ? ended.why : ended.sentence],
    ['simulatedPs', result.simulatedPs],
    ...Object.entries(counters).map(([key, value]): [string, unknown] => [key, value]),
    ...Object.entries(plain).filter(([key]) => !(key in counters)),
    ...buckets
      .filter(({ flows }) => flows > 0)
      .map((b): [string, unknown] => [
        `bucket ${b.fromBytes}`,
        `${b.flows} flows, slowdown ${b.slowdownP50} p50, ${b.slowdownP99} p99`,
      ]),
    ...(items.length < 2 ? [] : items).map((item): [string, unknown] => [
      `item ${item.name}`,
      `${item.flows} flows, slowdown ${item.slowdownP50} p50, ${item.slowdownP99} p99`,
    ]),
    ...warnings.map((warning): [string, unknown] => ['warning', warning]),
  ]
  return rows.map(([key, value]) => `  ${key}: ${String(value)}\n`).join('')
}

/** Of when each flow ended and what it delivered, by name: the order of rows does not matter. */
function flowsHash({ flows }: Result): string {
  const hash = new Fingerprint(1)
  const order = flows.name.map((_, row) => row)
  order.sort((a, b) => (flows.name[a]! < flows.name[b]! ? -1 : 1))
  for (const row of order) {
    const endPs = flows.endPs[row]!
    hash.add(
      0,
      Number.isNaN(endPs) ? -1 : endPs,
      flows.deliveredBytes[row]! | 0,
      flows.startPs[row]!,
    )
  }
  return hash.toString()
}
