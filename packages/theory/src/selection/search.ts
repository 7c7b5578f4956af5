/** The contract of a search for routes, and the null member of the family. */
import type { Random } from '@weir/engine'
import type { Assignment, RouteProblem } from './problem.ts'

export interface SearchOptions {
  /** The assignment that holds now; the search begins there. */
  readonly current: Assignment
  /** It ends after so many evaluations: the same effort for every method. */
  readonly evaluationsMax: number
  readonly random: Random
}

export interface SearchResult {
  readonly assignment: Assignment
  readonly utility: number
  readonly evaluations: number
}

export interface RouteSearch {
  readonly name: string
  readonly summary: string
  search(problem: RouteProblem, options: SearchOptions): SearchResult
}

/** Leaves every flow as it is. */
export const noSearch: RouteSearch = {
  name: 'none',
  summary: 'keeps the current assignment',
  search(problem, { current }) {
    return { assignment: current.slice(), utility: problem.utilityOf(current), evaluations: 1 }
  },
}

/** Another protocol for one flow, any of the others equally likely. */
export function otherProtocol(now: number, protocols: number, random: Random): number {
  return protocols < 2 ? now : (now + 1 + random.below(protocols - 1)) % protocols
}

export function randomAssignment(flows: number, protocols: number, random: Random): Assignment {
  return Uint8Array.from({ length: flows }, () => random.below(protocols))
}
