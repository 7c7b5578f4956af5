/** A mesh: a grid of servers with open edges. See k-ary-n-cube.ts. */
import type { Graph, Topology } from './graph.ts'
import { cube, cubeCodec } from './k-ary-n-cube.ts'
import type { CubeParams } from './k-ary-n-cube.ts'

export const mesh: Topology<CubeParams> = {
  name: 'mesh',
  summary: 'k-ary n-cube of servers without wrap-around links, 1 to 4 dimensions',
  codec: cubeCodec('mesh'),
  build: (params: CubeParams): Graph => cube('mesh', params),
}
