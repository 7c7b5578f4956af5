/**
 * The searches that R2C2, SIGCOMM 2015, section 3.4 tried before the genetic one. Each changes the
 * protocol of one flow at a time; what the paper does not give is a parameter with our default.
 *
 * - `hillClimbing`: keeps a change if it is better; begins anew at random where a flow after flow
 *   brings nothing.
 * - `simulatedAnnealing`: also keeps one that is worse by D with probability exp(-D / T), and T
 *   falls
 *   geometrically (D. Bertsimas and J. Tsitsiklis, "Simulated Annealing", 1993).
 * - `logLinearLearning`: a flow drawn at random takes another protocol, drawn too, or keeps its
 *   own, each p of the two with a probability proportional to exp(U(p) / T), all others held:
 *   binary log-linear learning (J. Marden and J. Shamma, 2012). All flows have the rack's utility
 *   for their own, so it prefers what is good for all.
 *
 * Temperatures are fractions of the current assignment's utility over the number of flows.
 */
import { exp, pow } from '@weir/engine'
import type { Assignment, RouteProblem } from './problem.ts'
import type { RouteSearch, SearchOptions } from './search.ts'
import { otherProtocol, randomAssignment } from './search.ts'

export function hillClimbing(): RouteSearch {
  return {
    name: 'hill climbing',
    summary: 'one change at a time, kept if it is better',
    search(problem, options) {
      const walk = new Walk(problem, options)
      const { random } = options
      let idle = 0
      while (!walk.isOver) {
        // Twice as many tries in vain as there are flows: most have been tried.
        if (idle > 2 * walk.at.length) {
          walk.moveTo(randomAssignment(walk.at.length, problem.protocols, random))
          idle = 0
          continue
        }
        const flow = random.below(walk.at.length)
        idle = walk.tryChange(flow, random, (gain) => gain > 0) ? 0 : idle + 1
      }
      return walk.result
    },
  }
}

export interface AnnealingParams {
  readonly start: number
  readonly end: number
}

export function simulatedAnnealing(
  { start, end }: AnnealingParams = { start: 1, end: 0.01 },
): RouteSearch {
  return {
    name: 'simulated annealing',
    summary: 'one change at a time, kept if it is better and at times if it is worse',
    search(problem, options) {
      const walk = new Walk(problem, options)
      const { random, evaluationsMax } = options
      const unit = walk.utility / Math.max(1, walk.at.length)
      while (!walk.isOver) {
        const temperature = unit * start * pow(end / start, walk.evaluations / evaluationsMax)
        const flow = random.below(walk.at.length)
        walk.tryChange(
          flow,
          random,
          (gain) => gain > 0 || random.uniform() < exp(gain / temperature),
        )
      }
      return walk.result
    },
  }
}

export function logLinearLearning(temperature = 0.05): RouteSearch {
  return {
    name: 'log-linear learning',
    summary: 'a flow at a time takes a protocol by what it is worth to all',
    search(problem, options) {
      const walk = new Walk(problem, options)
      const { random } = options
      const unit = (temperature * walk.utility) / Math.max(1, walk.at.length)
      while (!walk.isOver) {
        const flow = random.below(walk.at.length)
        walk.tryChange(flow, random, (gain) => random.uniform() < 1 / (1 + exp(-gain / unit)))
      }
      return walk.result
    },
  }
}

/** An assignment on its way, and the best one that it has been. */
class Walk {
  at: Assignment
  utility: number
  #best: Assignment
  #bestUtility: number
  readonly #problem: RouteProblem
  readonly #begin: number
  readonly #evaluationsMax: number

  constructor(problem: RouteProblem, { current, evaluationsMax }: SearchOptions) {
    this.#problem = problem
    this.#begin = problem.evaluations
    this.#evaluationsMax = evaluationsMax
    this.at = current.slice()
    this.utility = problem.utilityOf(current)
    this.#best = current.slice()
    this.#bestUtility = this.utility
  }

  get evaluations(): number {
    return this.#problem.evaluations - this.#begin
  }

  get isOver(): boolean {
    return this.at.length === 0 || this.evaluations >= this.#evaluationsMax
  }

  get result(): { assignment: Assignment; utility: number; evaluations: number } {
    const { evaluations } = this
    return { assignment: this.#best, utility: this.#bestUtility, evaluations }
  }

  /** Gives a flow another protocol, and takes it back unless it is accepted. */
  tryChange(
    flow: number,
    random: SearchOptions['random'],
    isAccepted: (gain: number) => boolean,
  ): boolean {
    const before = this.at[flow]!
    this.at[flow] = otherProtocol(before, this.#problem.protocols, random)
    const utility = this.#problem.utilityOf(this.at)
    if (!isAccepted(utility - this.utility)) {
      this.at[flow] = before
      return false
    }
    this.#note(utility)
    return true
  }

  moveTo(assignment: Assignment): void {
    this.at = assignment
    this.#note(this.#problem.utilityOf(assignment))
  }

  #note(utility: number): void {
    this.utility = utility
    if (utility <= this.#bestUtility) return
    this.#bestUtility = utility
    this.#best = this.at.slice()
  }
}
