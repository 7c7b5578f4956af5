export { GENETIC, genetic, type GeneticParams } from './genetic.ts'
export {
  hillClimbing,
  logLinearLearning,
  simulatedAnnealing,
  type AnnealingParams,
} from './local-search.ts'
export { RouteProblem, type Assignment, type RoutableFlow, type Utility } from './problem.ts'
export {
  noSearch,
  randomAssignment,
  type RouteSearch,
  type SearchOptions,
  type SearchResult,
} from './search.ts'
