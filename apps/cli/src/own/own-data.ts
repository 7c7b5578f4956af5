/**
 * A topology or a workload that a person's module computes: `--topology ./mine.ts` takes what it
 * exports as `topology`, an object of the form that a scenario has, or a function that returns it.
 */
import process from 'node:process'
import { UserError } from '../errors.ts'
import { compileModule } from './compile.ts'
import { placeIn } from './place-in.ts'

/** A setting of the scenario, and the file that it came from. */
export interface OwnData {
  readonly path: string
  readonly setting: string
}

export interface OwnDataOptions {
  readonly topology?: string
  readonly workload?: string
  readonly routing?: string
}

export async function loadOwnData(options: OwnDataOptions): Promise<readonly OwnData[]> {
  const data: OwnData[] = []
  for (const key of ['topology', 'workload'] as const) {
    const path = options[key]
    if (path !== undefined) data.push({ path, setting: `${key}=${await valueIn(path, key)}` })
  }
  return data
}

async function valueIn(path: string, key: string): Promise<string> {
  const { url, sources } = await compileModule(path)
  process.setSourceMapsEnabled(true)
  let value: unknown
  try {
    const made = ((await import(url)) as Record<string, unknown>)[key]
    value = await (typeof made === 'function' ? (made as () => unknown)() : made)
  } catch (error) {
    const { message, stack = '' } = error as Error
    throw new UserError(`${placeIn(stack, sources) ?? path}: the module threw: ${message}`)
  }
  if (typeof value !== 'object' || value === null) {
    throw new UserError(
      `${path}: it exports no '${key}'; write: export const ${key} = ${
        key === 'topology'
          ? "{ kind: 'star', hosts: 9 }"
          : "[{ flows: [{ from: 'h1', to: 'h0' }] }]"
      }`,
    )
  }
  return JSON.stringify(value)
}
