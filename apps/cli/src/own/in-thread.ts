/** A person's own scheme and routing in a thread: what it runs a spec with. */
import type { Scheme } from '@weir/schemes'
import type { ValidSpec } from '@weir/sim'
import type { OwnModule } from './own-schemes.ts'

/** The scheme of a spec if modules bring it or its routing; undefined: it is one of Weir's. */
export async function ownScheme(
  spec: ValidSpec,
  modules: readonly OwnModule[],
): Promise<Scheme | undefined> {
  if (modules.length === 0) return undefined
  const { importOwn } = await import('./own-schemes.ts')
  const { schemes, routing } = await importOwn(modules)
  const named = ({ name }: Scheme): boolean => name === spec.scheme.name
  const scheme = schemes.find(named)
  if (routing === undefined) return scheme
  const { schemes: known } = await import('@weir/schemes')
  return { ...((scheme ?? known.find(named)) as Scheme), routing }
}

/** What went wrong in a run of theirs, with file and line. */
export async function asOwn(error: unknown, modules: readonly OwnModule[]): Promise<Error> {
  const { ownFailure } = await import('./own-schemes.ts')
  return ownFailure(error, modules)
}
