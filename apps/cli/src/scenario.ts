/**
 * A scenario as a person names it: a file, '-' for standard input, or a built-in name. Settings are
 * `path=value` texts that are put over the scenario, in order.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { LoadOptions, ValidSpec } from '@weir/sim'
import type { Scheme } from '@weir/schemes'
import { systemReason, UserError } from './errors.ts'
import { unknownName } from './near-miss.ts'
import type { OwnData } from './own/own-data.ts'

export interface ScenarioText {
  /** What it is called in reports and in the names of files. */
  readonly label: string
  /** What the person wrote, for the command that repeats the run. */
  readonly argument: string
  readonly text: string
  readonly sourceName: string
  /** Where files that the scenario names are looked for. */
  readonly folder: string
}

export interface Settings {
  readonly scheme?: string | undefined
  readonly preset?: string | undefined
  readonly seed?: number | undefined
  readonly set: readonly string[]
  /** What modules of the person's own put in place of parts of the scenario. */
  readonly data?: readonly OwnData[]
}

export async function readScenario(argument: string): Promise<ScenarioText> {
  if (argument === '-') {
    const text = readFileSync(0, 'utf8')
    return { label: 'stdin', argument, text, sourceName: 'standard input', folder: '.' }
  }
  const { scenarios } = await import('@weir/sim')
  const builtIn = scenarios.find((scenario) => scenario.name === argument)
  if (builtIn !== undefined) {
    return { label: argument, argument, text: builtIn.text, sourceName: argument, folder: '.' }
  }
  if (existsSync(argument)) return readScenarioFile(argument)
  if (/[/\\]|\.(ya?ml|json)$/i.test(argument)) {
    throw new UserError(`there is no file '${argument}'.`)
  }
  const names = scenarios.map((scenario) => scenario.name)
  throw new UserError(
    unknownName('scenario', argument, names, "'weir list scenarios' shows all, or name a file."),
  )
}

function readScenarioFile(path: string): ScenarioText {
  return {
    label: path.replace(/^.*[/\\]/, '').replace(/\.(ya?ml|json)$/i, ''),
    argument: path,
    text: readText(path, path),
    sourceName: path,
    folder: dirname(path),
  }
}

/** A file that the scenario names; if there is none, its reader says so, with the place. */
function fileBeside({ folder }: ScenarioText, name: string): string | undefined {
  const path = resolve(folder, name)
  if (!existsSync(path) || statSync(path).isDirectory()) return undefined
  return readText(path, name)
}

/** The text of a file that is there; throws a sentence if it cannot be read. */
function readText(path: string, name: string): string {
  const about = statSync(path)
  if (about.isDirectory()) throw new UserError(`'${name}' is a folder, not a file.`)
  // Some devices have no end; pipes and what a shell puts in place of a file are read.
  if (about.isCharacterDevice()) throw new UserError(`'${name}' is a device, not a file.`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UserError(`'${name}' cannot be read: ${systemReason(error)}.`)
  }
}

/**
 * The scenario with the settings over it, every default filled in; a mistake throws a sentence.
 * `cards` are the schemes that it may name, if they are not Weir's alone.
 */
export async function validSpec(
  scenario: ScenarioText,
  settings: Settings,
  cards?: readonly Scheme[],
): Promise<ValidSpec> {
  const { loadSpec } = await import('@weir/sim')
  const load = (given: Settings): ValidSpec => loadText(scenario, given, loadSpec, cards)
  if (settings.scheme === undefined) return load(settings)
  const own = ownScheme(load, settings)
  // Naming the scenario's own scheme keeps the parameters that the scenario gives it.
  return load(own === settings.scheme ? { ...settings, scheme: undefined } : settings)
}

/** The scheme that the scenario names; undefined if it is in error, which the caller will meet. */
function ownScheme(
  load: (given: Settings) => ValidSpec,
  { seed, data = [] }: Settings,
): string | undefined {
  try {
    return load({ seed, set: [], data }).scheme.name
  } catch {
    return undefined
  }
}

function loadText(
  scenario: ScenarioText,
  settings: Settings,
  loadSpec: (options: LoadOptions) => ValidSpec,
  cards: readonly Scheme[] | undefined,
): ValidSpec {
  const { data = [] } = settings
  const options: LoadOptions = {
    ...(cards === undefined ? {} : { schemes: cards }),
    text: scenario.text,
    sourceName: scenario.sourceName,
    files: (name: string) => fileBeside(scenario, name),
    settings: [...data.map(({ setting }) => setting), ...settingTexts(settings)],
  }
  try {
    return loadSpec(options)
  } catch (error) {
    throw named(error, data, settings)
  }
}

/**
 * A mistake is said of what the person wrote: of the module, not of the text that it became, and of
 * `--scheme dcqnc`, not of the setting that stands for it.
 */
function named(
  error: unknown,
  data: readonly OwnData[],
  { scheme, preset, seed }: Settings,
): unknown {
  if (!(error instanceof Error)) return error
  const say = (setting: string, written: string): void => {
    error.message = error.message.replace(setting, () => written)
  }
  for (const { path, setting } of data) say(`--set ${setting}`, path)
  say(`--set scheme=${scheme}: scheme.name: `, `--scheme ${scheme}: `)
  say(`--set scheme=${scheme}: `, `--scheme ${scheme}: `)
  say(`--set scheme.preset=${preset}: scheme.preset: `, `--preset ${preset}: `)
  say(`--set seed=${seed}: seed: `, `--seed ${seed}: `)
  return error
}

/** `--scheme` and a setting of the same: one of them would be passed over without a word. */
export function refuseSchemeTwice({ set }: Pick<Settings, 'set'>, remedy: string): void {
  const text = set.find((one) => /^scheme(?:\.name)?\s*=/u.test(one))
  if (text !== undefined) throw new UserError(`--set ${text}: ${remedy}`)
}

/**
 * `--set` comes last, so that it can correct what the short options say; but a scheme set that way
 * comes before `--preset`, which would be lost with the scheme that it replaces.
 */
export function settingTexts(settings: Settings): string[] {
  const texts: string[] = []
  const isScheme = (text: string): boolean => /^scheme\s*=/u.test(text)
  if (settings.scheme !== undefined) texts.push(`scheme=${settings.scheme}`)
  texts.push(...settings.set.filter(isScheme))
  if (settings.preset !== undefined) texts.push(`scheme.preset=${settings.preset}`)
  if (settings.seed !== undefined) texts.push(`seed=${settings.seed}`)
  return [...texts, ...settings.set.filter((text) => !isScheme(text))]
}

/** The options that repeat these settings on another command line. */
export function settingOptions(settings: Settings): string[] {
  const words: string[] = []
  if (settings.scheme !== undefined) words.push('--scheme', settings.scheme)
  if (settings.preset !== undefined) words.push('--preset', settings.preset)
  if (settings.seed !== undefined) words.push('--seed', String(settings.seed))
  for (const text of settings.set) words.push('--set', text)
  return words
}

/** Words as a shell takes them. */
export function shellLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
