/**
 * A scheme of the user's own, from JavaScript text to a `Scheme`. It runs in a worker inside a
 * sandboxed frame: no network (content security policy), no storage, no page.
 *
 * The text may import from '@weir/engine', '@weir/fabric' and '@weir/schemes': what it names is
 * handed to it, because a blob has no place to resolve names from.
 */
import * as engine from '@weir/engine'
import * as fabric from '@weir/fabric'
import * as schemesPackage from '@weir/schemes'
import { guarded, OwnSchemeError, schemesIn, type Scheme } from '@weir/schemes'
import { takeAway } from './buffer-budget.ts'

const PACKAGES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '@weir/engine': engine,
  '@weir/fabric': fabric,
  '@weir/schemes': schemesPackage,
}

export { OwnSchemeError }

export interface OwnScheme {
  readonly scheme: Scheme
  /** What stacks call its module. */
  readonly url: string
}

export async function loadOwnScheme(javascript: string): Promise<OwnScheme> {
  ;(globalThis as Record<string, unknown>)['__weir'] = PACKAGES
  const url = URL.createObjectURL(new Blob([linked(javascript)], { type: 'text/javascript' }))
  takeAway()
  let module: Record<string, unknown>
  try {
    module = (await import(url)) as Record<string, unknown>
  } catch (error) {
    throw new OwnSchemeError(`the scheme's module cannot be loaded: ${wordsOf(error)}`)
  } finally {
    URL.revokeObjectURL(url)
  }
  return { scheme: guarded(schemesIn(module)[0]!), url }
}

/** `import { a, b as c } from '@weir/x'` becomes `const { a, b: c } = __weir['@weir/x']`. */
function linked(javascript: string): string {
  return javascript.replaceAll(
    /^\s*import\s*(?:\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*['"]([^'"]+)['"]\s*;?/gmu,
    (whole, all: string | undefined, names: string | undefined, from: string) => {
      if (PACKAGES[from] === undefined) {
        throw new OwnSchemeError(
          `the scheme imports from '${from}'; in the lab there are ` +
            `${Object.keys(PACKAGES).join(', ')}`,
        )
      }
      const source = `globalThis.__weir[${JSON.stringify(from)}]`
      const taken = (names ?? '').replaceAll(/\s+as\s+/gu, ': ').replaceAll(/\s*\n\s*/gu, ' ')
      // Lines below stay where they are: errors are named by them.
      const lines = '\n'.repeat(whole.split('\n').length - 1)
      return `${lines}const ${all ?? `{${taken}}`} = ${source};`
    },
  )
}

export function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s*\n\s*/gu, ' ').slice(0, 500)
}
