/**
 * Schemes that a person brings in files of their own: `--scheme ./mine.ts`, or a file among the
 * names of `--schemes`. They join Weir's own for one command. A routing of one's own (`--routing
 * ./mine.ts`) joins every scheme.
 */
import process from 'node:process'
import { OwnRoutingError, routingIn, type OwnRouting } from '@weir/routing'
import { guarded, OwnSchemeError, schemes, schemesIn, type Scheme } from '@weir/schemes'
import { UserError } from '../errors.ts'
import { compileModule } from './compile.ts'
import { placeIn, shownPath } from './place-in.ts'

export interface OwnSchemes {
  /** All schemes that a scenario may name: Weir's and the person's. */
  readonly cards: readonly Scheme[]
  /** By file as it was written: the names of its schemes. */
  readonly names: ReadonlyMap<string, readonly string[]>
  readonly modules: readonly OwnModule[]
  readonly routing?: OwnRouting
}

/** What a thread needs to know of one: plain data. */
export interface OwnModule {
  readonly brings: 'schemes' | 'routing'
  readonly path: string
  readonly url: string
  readonly sources: readonly string[]
}

export async function loadOwnSchemes(
  paths: readonly string[],
  routingPath?: string,
): Promise<OwnSchemes> {
  const names = new Map<string, readonly string[]>()
  const modules: OwnModule[] = []
  let cards: readonly Scheme[] = schemes
  for (const path of new Set(paths)) {
    const module: OwnModule = { brings: 'schemes', path, ...(await compileModule(path)) }
    const found = await importSchemes(module).catch((error: Error) => {
      throw new UserError(error.message)
    })
    for (const { name } of found) {
      if (!cards.some((card) => card.name === name)) continue
      throw new UserError(`${path}: there is a scheme '${name}' already; give yours another name.`)
    }
    names.set(
      path,
      found.map(({ name }) => name),
    )
    modules.push(module)
    cards = [...cards, ...found]
  }
  if (routingPath === undefined) return { cards, names, modules }
  const compiled = await compileModule(routingPath)
  const module: OwnModule = { brings: 'routing', path: routingPath, ...compiled }
  const routing = await importRouting(module).catch((error: Error) => {
    throw new UserError(error.message)
  })
  const routed = cards.map((card) => ({ ...card, routing }))
  return { cards: routed, names, modules: [...modules, module], routing }
}

async function importRouting(module: OwnModule): Promise<OwnRouting> {
  process.setSourceMapsEnabled(true)
  try {
    return routingIn((await import(module.url)) as Record<string, unknown>)
  } catch (error) {
    throw ownFailure(error, [module])
  }
}

/** What modules bring: their schemes, and their routing if there is one. */
export interface Own {
  readonly schemes: readonly Scheme[]
  readonly routing: OwnRouting | undefined
}

/** In this thread. */
export async function importOwn(modules: readonly OwnModule[]): Promise<Own> {
  const found: Scheme[] = []
  let routing: OwnRouting | undefined
  for (const module of modules) {
    if (module.brings === 'routing') routing = await importRouting(module)
    else found.push(...(await importSchemes(module)))
  }
  return { schemes: found, routing }
}

/** Guarded; in this thread. */
async function importSchemes(module: OwnModule): Promise<readonly Scheme[]> {
  // Stacks then name the lines that the person wrote.
  process.setSourceMapsEnabled(true)
  try {
    const exports = (await import(module.url)) as Record<string, unknown>
    return schemesIn(exports).map(guarded)
  } catch (error) {
    throw ownFailure(error, [module])
  }
}

/** Whatever went wrong in a run of a scheme of one's own, as a sentence with file and line. */
export function ownFailure(error: unknown, modules: readonly OwnModule[]): Error {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const sources = modules.flatMap((module) => module.sources)
  const words = message.trim().replace(/\s*\n\s*/gu, ' ')
  const isSaid = error instanceof OwnSchemeError || error instanceof OwnRoutingError
  const who = modules.every(({ brings }) => brings === 'routing') ? 'routing' : 'scheme'
  const sentence = isSaid ? words : `the ${who} threw: ${words}`
  const place = placeIn(stack, sources) ?? shownPath(sources[0] ?? '')
  const failure = new OwnSchemeError(`${place}: ${sentence}`)
  failure.stack = stack
  return failure
}
