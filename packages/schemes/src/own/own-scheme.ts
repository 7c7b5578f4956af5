/** A scheme that a person brings in a module of their own: found among its exports, or refused. */
import type { Scheme } from '../scheme.ts'

/** A mistake in a person's own scheme: a sentence for its author. */
export class OwnSchemeError extends Error {
  override readonly name = 'OwnSchemeError'
}

/** The module's schemes, in the order of its exports; throws if there is none. */
export function schemesIn(module: Readonly<Record<string, unknown>>): readonly Scheme[] {
  const found = [...new Set(Object.values(module))].filter(isScheme)
  if (found.length > 0) return found
  throw new OwnSchemeError(
    'no export of the module is a scheme: export const mine: Scheme = { name, title, cite, ' +
      'needs, params, presets, create }',
  )
}

function isScheme(value: unknown): value is Scheme {
  const it = value as Partial<Scheme> | null
  return (
    typeof it === 'object' &&
    it !== null &&
    typeof it.name === 'string' &&
    /^[a-z][\w-]*$/u.test(it.name) &&
    typeof it.title === 'string' &&
    Array.isArray(it.needs) &&
    typeof it.params === 'object' &&
    typeof it.presets === 'object' &&
    typeof it.create === 'function'
  )
}
