export { heaviestMatching, type Matching } from './assignment.ts'
export { broadcastTree, type BroadcastTree, type TreeOptions } from './broadcast-tree.ts'
export { Channels, graphChannels } from './channels.ts'
export { channelLoads, maxLoad, throughput } from './channel-loads.ts'
export { permutations, product } from './combinations.ts'
export { Cube, type Step } from './cube.ts'
export {
  destinationTag,
  ecmpPath,
  ecmpRouting,
  hopSpraying,
  spraying,
  type Ties,
} from './minimal.ts'
export { rlb, romm, valiant, type QuadrantOptions } from './non-minimal.ts'
export { fractionsOf, noRouting, type LinkFractions, type ObliviousRouting } from './oblivious.ts'
export { patternNames, patternOf, type Demand, type PatternName } from './patterns.ts'
export { ShortestWays, UNREACHED } from './shortest-ways.ts'
export { Translated } from './translated.ts'
export { worstCase, type WorstCase } from './worst-case.ts'
