/**
 * The way in for every command and the lab: text, and settings from outside it, to a `ValidSpec`.
 */
import { parseText } from './parse.ts'
import { applySetting, locateSettings } from './setting.ts'
import { validateSpec } from './validate.ts'
import type { ValidateOptions } from './validate.ts'
import type { ValidSpec } from './valid-spec.ts'

export interface LoadOptions extends Pick<ValidateOptions, 'files' | 'schemes'> {
  /** YAML or JSON. */
  readonly text: string
  /** What error sentences call the text: a file's name as the user gave it. */
  readonly sourceName?: string
  /** `path=value`, applied in order. */
  readonly settings?: readonly string[]
}

/** Throws a `SpecError`, one sentence, for the first thing that is wrong. */
export function loadSpec(options: LoadOptions): ValidSpec {
  const { text, sourceName = 'spec', settings = [], ...rest } = options
  const parsed = parseText(text, sourceName)
  const tree = settings.reduce(applySetting, parsed.tree)
  return validateSpec(tree, {
    ...rest,
    sourceName,
    locate: locateSettings(parsed.locate, settings),
  })
}
