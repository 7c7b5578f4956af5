/** Every topology by kind: the index is the catalogue. A topology is added with one line here. */
import { kinds } from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import { checkGraph } from './check-graph.ts'
import { dumbbell } from './dumbbell.ts'
import type { DumbbellParams } from './dumbbell.ts'
import { explicitGraph } from './explicit-graph.ts'
import type { ExplicitGraphParams, GraphFile } from './explicit-graph.ts'
import { fatTree } from './fat-tree.ts'
import type { FatTreeParams } from './fat-tree.ts'
import { foldedClos } from './folded-clos.ts'
import type { FoldedClosParams } from './folded-clos.ts'
import type { Graph, Topology } from './graph.ts'
import type { CubeParams } from './k-ary-n-cube.ts'
import { leafSpine } from './leaf-spine.ts'
import type { LeafSpineParams } from './leaf-spine.ts'
import { mesh } from './mesh.ts'
import { star } from './star.ts'
import type { StarParams } from './star.ts'
import { threeTier } from './three-tier.ts'
import type { ThreeTierParams } from './three-tier.ts'
import { torus } from './torus.ts'
import { twoBlade } from './two-blade.ts'
import type { TwoBladeParams } from './two-blade.ts'

export interface TopologyParamsByKind {
  readonly star: StarParams
  readonly dumbbell: DumbbellParams
  readonly 'leaf-spine': LeafSpineParams
  readonly 'fat-tree': FatTreeParams
  readonly 'three-tier': ThreeTierParams
  readonly torus: CubeParams
  readonly mesh: CubeParams
  readonly 'two-blade': TwoBladeParams
  readonly 'folded-clos': FoldedClosParams
  readonly graph: ExplicitGraphParams
}

export type TopologyKind = keyof TopologyParamsByKind

/** The parameters of any topology with its kind; a spec's `topology` is one. */
export type TopologyParams = {
  [Kind in TopologyKind]: { readonly kind: Kind } & TopologyParamsByKind[Kind]
}[TopologyKind]

export const topologies: {
  readonly [Kind in TopologyKind]: Topology<TopologyParamsByKind[Kind], unknown>
} = {
  star,
  dumbbell,
  'leaf-spine': leafSpine,
  'fat-tree': fatTree,
  'three-tier': threeTier,
  torus,
  mesh,
  'two-blade': twoBlade,
  'folded-clos': foldedClos,
  graph: explicitGraph,
}

/** A graph may still be in a file, which whoever has files reads. */
export type TopologyDraft = TopologyParams | GraphFile

/** `topology:` of a scenario. */
export const topologyCodec: Codec<TopologyDraft> = kinds<TopologyDraft>({
  what: 'a kind of topology',
  members: Object.values(topologies).map(({ codec }) => codec),
})

/** Builds the graph of a spec's `topology`, checked; throws one sentence if it cannot be. */
export function buildGraph(params: TopologyParams): Graph {
  // The record pairs each kind with the topology that takes its parameters.
  const topology = topologies[params.kind] as Topology<TopologyParams> | undefined
  if (topology === undefined)
    throw new Error(
      `there is no topology "${(params as { kind: string }).kind}": ` +
        `choose one of ${Object.keys(topologies).join(', ')}`,
    )
  return checkGraph(topology.build(params))
}

export { checkGraph } from './check-graph.ts'
export { dumbbell } from './dumbbell.ts'
export type { DumbbellParams } from './dumbbell.ts'
export { parseEdgeList } from './edge-list.ts'
export { explicitGraph } from './explicit-graph.ts'
export type { ExplicitGraphParams, GraphFile } from './explicit-graph.ts'
export { fatTree } from './fat-tree.ts'
export type { FatTreeParams } from './fat-tree.ts'
export { foldedClos } from './folded-clos.ts'
export type { FoldedClosParams } from './folded-clos.ts'
export { cubeCoordinates, cubeIndex } from './k-ary-n-cube.ts'
export type { CubeParams } from './k-ary-n-cube.ts'
export { leafSpine } from './leaf-spine.ts'
export type { LeafSpineParams } from './leaf-spine.ts'
export { mesh } from './mesh.ts'
export { NodeNames } from './node-names.ts'
export { star } from './star.ts'
export type { StarParams } from './star.ts'
export { threeTier } from './three-tier.ts'
export type { ThreeTierParams } from './three-tier.ts'
export { torus } from './torus.ts'
export { twoBlade } from './two-blade.ts'
export type { TwoBladeParams } from './two-blade.ts'
