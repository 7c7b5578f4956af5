/** What flows and generators are checked against, and the checks that both of them need. */
import { formatTime } from '@weir/engine'
import { show } from '@weir/engine/codec'
import type { Graph, NodeNames } from '@weir/fabric'
import type { Host } from '@weir/workloads'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'

export interface WorkloadContext {
  readonly graph: Graph
  readonly names: NodeNames
  readonly classes: number
  readonly untilPs: number
  /** 0: no bound. */
  readonly eventsMax: number
  readonly seed: number
  readonly files: (name: string) => string | undefined
}

/** Hosts as workloads want them; hosts come first in a graph and have one link. */
export function hostsOf({ nodes, links }: Graph): Host[] {
  const rates = new Map<number, number>()
  for (const { a, b, rateBps } of links) {
    rates.set(a, rateBps)
    rates.set(b, rateBps)
  }
  return nodes
    .filter(({ kind }) => kind === 'host')
    .map(({ name, aliases }, i) => ({ name, aliases, rateBps: rates.get(i) ?? 0 }))
}

/** Gives names by number, past those that are written, and refuses one that is written twice. */
export class Namer {
  readonly #letter: string
  readonly #what: string
  readonly #written: ReadonlySet<string>
  readonly #seen = new Set<string>()
  #count = -1

  constructor(letter: string, what: string, written: readonly string[]) {
    this.#letter = letter
    this.#what = what
    this.#written = new Set(written)
  }

  name(given: string | undefined, path: SpecPath): string {
    if (given === undefined) {
      let counted: string
      do counted = `${this.#letter}${++this.#count}`
      while (this.#written.has(counted) || this.#seen.has(counted))
      this.#seen.add(counted)
      return counted
    }
    if (this.#seen.has(given)) {
      throw new Refusal(
        path,
        `a ${this.#what} named ${show(given)} exists already; give another name`,
      )
    }
    this.#seen.add(given)
    return given
  }
}

export function checkTimes(
  { startPs, stopPs }: { startPs: number; stopPs: number },
  at: (key: string) => SpecPath,
  untilPs: number,
): void {
  if (startPs >= untilPs) {
    throw new Refusal(
      at('start'),
      `it starts at ${formatTime(startPs)}, and the run ends at ${formatTime(untilPs)}; ` +
        'start it sooner or raise run.until',
    )
  }
  if (stopPs !== 0 && stopPs <= startPs) {
    throw new Refusal(
      at('stop'),
      `it stops at ${formatTime(stopPs)}, not after its start at ${formatTime(startPs)}; ` +
        'write a later stop or an earlier start',
    )
  }
}

/** The text of a file that a spec names. */
export function readFile(
  file: string,
  path: SpecPath,
  { files }: Pick<WorkloadContext, 'files'>,
): string {
  const text = files(file)
  if (text === undefined) {
    throw new Refusal(
      path,
      `the file ${show(file)} cannot be read; give its path from the spec's folder`,
    )
  }
  if (text.trim() === '')
    throw new Refusal(path, `the file ${show(file)} is empty; fill it, or name another`)
  return text
}

/** Runs a check of a lower layer; what it throws is said at this place. */
export function refusing<T>(path: SpecPath, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof Error)) throw error
    // Sentences of lower layers begin with a capital; here they follow the place.
    throw new Refusal(
      path,
      error.message.replace(/^[A-Z](?=[a-z ])/u, (c) => c.toLowerCase()),
    )
  }
}
