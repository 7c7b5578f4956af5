/** A torus: a grid of servers whose rows and columns are closed to rings. See k-ary-n-cube.ts. */
import type { Graph, Topology } from './graph.ts'
import { cube, cubeCodec } from './k-ary-n-cube.ts'
import type { CubeParams } from './k-ary-n-cube.ts'

export const torus: Topology<CubeParams> = {
  name: 'torus',
  summary: 'k-ary n-cube of servers with wrap-around links, 1 to 4 dimensions',
  codec: cubeCodec('torus'),
  build: (params: CubeParams): Graph => cube('torus', params),
}
