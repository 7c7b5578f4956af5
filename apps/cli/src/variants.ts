/**
 * What `--schemes` names: schemes, and several presets or sets of parameters of one, side by side.
 * `dcqcn` is the scheme as the scenario has it; `dcqcn:firmware` a preset of it, and nothing that
 * the scenario says of its parameters; `dcqcn:firmware:g=1/16:rateAi=40Mbps` that with two values.
 */
import { UserError } from './errors.ts'
import { unknownName } from './near-miss.ts'
import { isModulePath } from './own/module-path.ts'
import type { Settings } from './scenario.ts'

export interface Variant {
  /** As it was written: the name of its row. */
  readonly label: string
  readonly scheme: string
  readonly preset: string | undefined
  /** `g=1/16`. */
  readonly params: readonly string[]
}

/** `own` says which schemes a file among them has; `known` are the names of all that there are. */
export function readVariants(
  text: string,
  known: readonly string[],
  own: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly Variant[] {
  const variants = labelsOf(text, known).flatMap((label) => {
    const variant = readVariant(label)
    const names = own.get(variant.scheme)
    if (names === undefined) return [variant]
    return names.map((name) => ({
      ...variant,
      scheme: name,
      label: name + label.slice(variant.scheme.length),
    }))
  })
  const asked = variants.filter(
    ({ label }, at) => variants.findIndex((one) => one.label === label) === at,
  )
  if (asked.length === 0) {
    throw new UserError("--schemes names none; write names with commas between, or 'all'.")
  }
  for (const { scheme } of variants) {
    if (known.includes(scheme)) continue
    throw new UserError(unknownName('scheme', scheme, known, "'weir list schemes' shows all."))
  }
  return asked
}

/** The files of a person's own among what `--schemes` names. */
export function pathsIn(text: string): string[] {
  return labelsOf(text, []).flatMap((label) => {
    const { scheme } = readVariant(label)
    return isModulePath(scheme) ? [scheme] : []
  })
}

function labelsOf(text: string, known: readonly string[]): string[] {
  const labels = text === 'all' ? known : text.split(',').map((label) => label.trim())
  return [...new Set(labels)].filter(Boolean)
}

function readVariant(label: string): Variant {
  const [scheme = '', ...parts] = label.split(':').map((part) => part.trim())
  const presets = parts.filter((part) => !part.includes('='))
  const params = parts.filter((part) => part.includes('='))
  if (presets.length > 1 || parts.includes('')) {
    throw new UserError(
      `--schemes ${label}: write a scheme, then at most one preset and values, with colons ` +
        `between, such as dcqcn:firmware:g=1/16.`,
    )
  }
  return { label, scheme, preset: presets[0], params }
}

/** It asks for more than a scheme by its name: what is wrong with that is a slip, and no misfit. */
export function isSpecial({ preset, params }: Variant): boolean {
  return preset !== undefined || params.length > 0
}

/** The settings of a command line with this variant over them. */
export function variantSettings(variant: Variant, settings: Settings): Settings {
  const params = variant.params.map((param) => `scheme.params.${param}`)
  if (variant.preset === undefined) {
    return { ...settings, scheme: variant.scheme, set: [...settings.set, ...params] }
  }
  const whole = `scheme={name: ${variant.scheme}, preset: ${variant.preset}}`
  return { ...settings, scheme: undefined, set: [whole, ...settings.set, ...params] }
}
