/**
 * Genetic search (J. H. Holland, 1975), as R2C2, SIGCOMM 2015, section 3.4 has it: a population
 * of 100 with the current assignment and random ones; each generation keeps the best and fills up
 * with crossed and mutated ones, until time is up 'or until there has been no improvement over a
 * number of generations'. A gene mutates with probability 0.01.
 *
 * The paper leaves open, and ours are: the best fifth is kept; parents are the better of two drawn;
 * each gene comes from either parent (uniform crossover); 25 generations without improvement end
 * it. The random ones of the first population have a density of changes of their own each; with
 * `hasUniform` those in which all flows have one protocol are among them. No assignment is tried
 * twice: one that would be has a gene changed until it is new. Without that a population of few
 * flows became copies of one (a gene in a hundred mutates) and missed the best of all at times: 57
 * of 60 draws on a 4 x 4 torus found it (2,000 evaluations), and 60 do with it.
 */
import type { Random } from '@weir/engine'
import type { Assignment, RouteProblem } from './problem.ts'
import type { RouteSearch } from './search.ts'
import { otherProtocol } from './search.ts'

export interface GeneticParams {
  readonly population: number
  readonly mutation: number
  /** Fraction of a generation that goes on unchanged. */
  readonly elite: number
  /** Generations without improvement that end the search. */
  readonly patience: number
  /** Whether the first population has the assignments of one protocol for all flows. */
  readonly hasUniform?: boolean
}

export const GENETIC: GeneticParams = { population: 100, mutation: 0.01, elite: 0.2, patience: 25 }

interface Individual {
  readonly assignment: Assignment
  readonly utility: number
}

export function genetic(params: GeneticParams = GENETIC): RouteSearch {
  return {
    name: 'genetic',
    summary: 'a population that is crossed and mutated, the best kept',
    search(problem, { current, evaluationsMax, random }) {
      const before = problem.evaluations
      const isOver = (): boolean => problem.evaluations - before >= evaluationsMax
      const tried = new Set<string>()
      let living = firstGeneration(problem, current, params, random).map((assignment) =>
        measured(problem, assignment, tried, random),
      )
      rank(living)
      for (let idle = 0; idle < params.patience && !isOver();) {
        const best = living[0]!.utility
        const next = living.slice(0, Math.max(1, Math.round(params.elite * living.length)))
        while (next.length < living.length && !isOver()) {
          const child = crossed(drawn(living, random), drawn(living, random), random)
          mutate(child, problem.protocols, params.mutation, random)
          next.push(measured(problem, child, tried, random))
        }
        rank(next)
        living = next
        idle = living[0]!.utility > best ? 0 : idle + 1
      }
      return { ...living[0]!, evaluations: problem.evaluations - before }
    },
  }
}

function firstGeneration(
  problem: RouteProblem,
  current: Assignment,
  { population, hasUniform = false }: GeneticParams,
  random: Random,
): Assignment[] {
  const { protocols } = problem
  const uniform = Array.from({ length: hasUniform ? protocols : 0 }, (_, p) => current.map(() => p))
  const others = Array.from({ length: Math.max(0, population - 1 - uniform.length) }, () => {
    const density = random.uniform()
    return current.map((now) =>
      random.uniform() < density ? otherProtocol(now, protocols, random) : now,
    )
  })
  return [current.slice(), ...uniform, ...others]
}

/** With a gene changed, and another, while it is one that was tried; not for ever. */
function measured(
  problem: RouteProblem,
  assignment: Assignment,
  tried: Set<string>,
  random: Random,
): Individual {
  for (let i = 0; i < 4 * assignment.length && tried.has(assignment.join('')); i++) {
    const gene = random.below(assignment.length)
    assignment[gene] = otherProtocol(assignment[gene]!, problem.protocols, random)
  }
  tried.add(assignment.join(''))
  return { assignment, utility: problem.utilityOf(assignment) }
}

function rank(living: Individual[]): void {
  living.sort((a, b) => b.utility - a.utility)
}

function drawn(living: readonly Individual[], random: Random): Assignment {
  return living[Math.min(random.below(living.length), random.below(living.length))]!.assignment
}

function crossed(a: Assignment, b: Assignment, random: Random): Assignment {
  return a.map((gene, i) => (random.below(2) === 0 ? gene : b[i]!))
}

function mutate(genes: Assignment, protocols: number, chance: number, random: Random): void {
  for (let i = 0; i < genes.length; i++) {
    if (random.uniform() < chance) genes[i] = otherProtocol(genes[i]!, protocols, random)
  }
}
