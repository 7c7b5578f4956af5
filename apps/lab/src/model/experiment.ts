/**
 * An experiment: a spec's text, settings for all, and one to four lanes that differ in their
 * scheme. It is what the URL holds, what a story's step gives, and what the command line repeats.
 * Settings are the command line's own `path=value`.
 */
import { loadSpec, scenarioByName } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import { schemes } from '@weir/schemes'
import type { SchemeCard } from '@weir/schemes'

export interface Lane {
  /** Name of the scheme; '@own' is the user's own. */
  readonly scheme: string
  readonly preset: string
  /** Parameter name to text, as the command line would take it. */
  readonly params: Readonly<Record<string, string>>
}

export interface Experiment {
  /** Name of a built-in scenario; '' if the text is the user's own. */
  readonly scenario: string
  /** YAML; '' if it is the built-in scenario's, unchanged. */
  readonly text: string
  readonly settings: readonly string[]
  readonly lanes: readonly Lane[]
  /** TypeScript of the user's own scheme; '' if there is none. */
  readonly ownScheme: string
}

export const OWN = '@own'
export const LANES_MAX = 4

export function laneOf(scheme: string): Lane {
  return { scheme, preset: '', params: {} }
}

/** A scenario with lanes for those of the schemes that exist; its own scheme if none is named. */
export function experimentOf(
  scenario: string,
  schemeNames: readonly string[] = [],
  settings: readonly string[] = [],
): Experiment {
  const known = schemeNames.filter((name) => schemes.some((scheme) => scheme.name === name))
  const text = scenarioByName(scenario)?.text ?? ''
  const names = known.length > 0 ? known : [ownSchemeOf(text, settings)]
  return { scenario, text: '', settings, lanes: names.map(laneOf), ownScheme: '' }
}

/** Does it run code that came with it? */
export function bringsOwn({ lanes, ownScheme }: Experiment): boolean {
  return ownScheme !== '' && lanes.some(({ scheme }) => scheme === OWN)
}

/** The same without running it; its text stays to be looked at. */
export function withoutOwn(experiment: Experiment): Experiment {
  const others = experiment.lanes.filter(({ scheme }) => scheme !== OWN)
  const own = laneOf(ownSchemeOf(textOf(experiment), experiment.settings) || 'none')
  return { ...experiment, lanes: others.length > 0 ? others : [own] }
}

export function textOf({ scenario, text }: Experiment): string {
  return text !== '' ? text : (scenarioByName(scenario)?.text ?? '')
}

export function sourceNameOf({ scenario, text }: Experiment): string {
  if (text === '') return scenario
  return scenario === '' ? 'spec' : `${scenario}.yaml`
}

/** The scheme that a text names itself; '' if the text cannot be read. */
export function ownSchemeOf(text: string, settings: readonly string[] = []): string {
  try {
    return loadSpec({ text, settings }).scheme.name
  } catch {
    return ''
  }
}

/**
 * The settings that make the experiment's text this lane's. The text's own scheme keeps the
 * parameters that the text gives it, as on the command line.
 */
export function laneSettings(experiment: Experiment, lane: Lane): string[] {
  const settings = [...experiment.settings]
  const own = ownSchemeOf(textOf(experiment), experiment.settings)
  if (lane.scheme !== own) settings.push(`scheme=${lane.scheme}`)
  if (lane.preset !== '') settings.push(`scheme.preset=${lane.preset}`)
  for (const [name, text] of Object.entries(lane.params)) {
    settings.push(`scheme.params.${name}=${text}`)
  }
  return settings
}

/** The checked spec of a lane; throws the command line's sentence. */
export function laneSpec(
  experiment: Experiment,
  lane: Lane,
  ownCard: SchemeCard | undefined,
): ValidSpec {
  const settings = laneSettings(experiment, lane)
  const named = settings.map((setting) => setting.replace(OWN, ownCard?.name ?? OWN))
  const cards =
    ownCard === undefined
      ? schemes
      : [...schemes.filter(({ name }) => name !== ownCard.name), ownCard]
  return loadSpec({
    text: textOf(experiment),
    sourceName: sourceNameOf(experiment),
    settings: named,
    schemes: cards,
  })
}

/** Replaces `path=...` among settings, or takes it away with ''. */
export function withSetting(settings: readonly string[], path: string, value: string): string[] {
  const others = settings.filter((setting) => !setting.startsWith(`${path}=`))
  return value === '' ? others : [...others, `${path}=${value}`]
}

export function settingOf(settings: readonly string[], path: string): string {
  const found = settings.findLast((setting) => setting.startsWith(`${path}=`))
  return found === undefined ? '' : found.slice(path.length + 1)
}
