/**
 * What `--schemes` names: schemes, and several presets or sets of parameters of one, side by side.
 * `dcqcn` is the scheme as the scenario has it; `dcqcn:firmware` a preset of it, and nothing that
 * the scenario says of its parameters; `dcqcn:firmware:g=1/16:rateAi=40Mbps` that with two values.
 */
import { UserError } from './errors.ts'
import { unknownName } from './near-miss.ts'
import type { Settings } from './scenario.ts'

export interface Variant {
  /** As it was written: the name of its row. */
  readonly label: string
  readonly scheme: string
  readonly preset: string | undefined
  /** `g=1/16`. */
  readonly params: readonly string[]
}

export async function readVariants(text: string): Promise<readonly Variant[]> {
  const { schemes } = await import('@weir/schemes')
  const known = schemes.map((scheme) => scheme.name)
  const labels = text === 'all' ? known : text.split(',').map((label) => label.trim())
  const variants = [...new Set(labels)].filter(Boolean).map(readVariant)
  if (variants.length === 0) {
    throw new UserError("--schemes names none; write names with commas between, or 'all'.")
  }
  for (const { scheme } of variants) {
    if (known.includes(scheme)) continue
    throw new UserError(unknownName('scheme', scheme, known, "'weir list schemes' shows all."))
  }
  return variants
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
