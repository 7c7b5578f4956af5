/** The short way in: a scenario and what to change of it, to a run or its result. */
import {
  createRun,
  loadSpec,
  printSpec,
  scenarioByName,
  type Result,
  type Run,
  type ValidSpec,
} from '@weir/sim'
import type { OwnRouting } from '@weir/routing'
import { guarded, schemes, type Scheme } from '@weir/schemes'

export interface ScenarioOptions {
  /** A scheme by name, or one of your own; without it, the scenario's. */
  readonly scheme?: string | Scheme
  /** A routing of your own, instead of the scenario's. */
  readonly routing?: OwnRouting
  /** The random streams' seed; without it, the scenario's. */
  readonly seed?: number
  /** Values to change, as `weir run --set` takes them: `run.until=2ms`. */
  readonly settings?: readonly string[]
  /** The text of a file that the scenario names, or undefined; without it, there are none. */
  readonly files?: (name: string) => string | undefined
}

/**
 * Runs a scenario to its end. The scenario is the name of a built-in one, a text in YAML or JSON,
 * a plain object of the same form, or a spec that `loadSpec` has made.
 *
 * @throws SpecError with one sentence where the scenario is wrong; OwnSchemeError where a scheme
 * of your own sets a rate, window or timer that cannot be.
 */
export function simulate(scenario: string | object, options: ScenarioOptions = {}): Result {
  const run = start(scenario, options)
  while (run.advance(EVENTS_AT_A_TIME)) continue
  return run.result()
}

/** The same as a run that you advance yourself: by events (`advance`) or to a time (`step`). */
export function start(scenario: string | object, options: ScenarioOptions = {}): Run {
  const { routing, scheme } = options
  const spec = specOf(scenario, options)
  const own = typeof scheme === 'object' ? guarded(scheme) : undefined
  if (routing === undefined) return createRun(spec, own)
  const at = own ?? (schemes.find(({ name }) => name === spec.scheme.name) as Scheme)
  return createRun(spec, { ...at, routing })
}

const EVENTS_AT_A_TIME = 1e6

function specOf(scenario: string | object, options: ScenarioOptions): ValidSpec {
  const { routing, scheme, seed, settings = [], files } = options
  const own = typeof scheme === 'object' ? scheme : undefined
  const name = own?.name ?? (scheme as string | undefined)
  const given = [
    ...(name === undefined ? [] : [`scheme=${name}`]),
    ...(seed === undefined ? [] : [`seed=${seed}`]),
    ...(routing === undefined ? [] : [`routing={kind: own, name: ${routing.name}}`]),
    ...settings,
  ]
  const cards = own === undefined ? schemes : [...schemes.filter((s) => s.name !== name), own]
  if (typeof scenario === 'object' && isValid(scenario) && given.length === 0) return scenario
  return loadSpec({
    ...textOf(scenario),
    settings: given,
    schemes: routing === undefined ? cards : cards.map((card) => ({ ...card, routing })),
    ...(files === undefined ? {} : { files }),
  })
}

/** JSON is YAML, so an object is a text as well. */
function textOf(scenario: string | object): { text: string; sourceName: string } {
  if (typeof scenario === 'object') {
    const text = isValid(scenario) ? printSpec(scenario) : JSON.stringify(scenario)
    return { text, sourceName: 'scenario' }
  }
  const builtIn = scenarioByName(scenario)
  return { text: builtIn?.text ?? scenario, sourceName: builtIn?.name ?? 'scenario' }
}

function isValid(scenario: object): scenario is ValidSpec {
  return (scenario as Partial<ValidSpec>).run?.untilPs !== undefined
}
