/**
 * One sentence of ACCurate, section III-A: on the parking lot, with lossless TCP, 'the remote flows
 * get almost 2x lower bandwidth'; QCN and DCQCN have 'similar problems'. `accurate/fig3` and
 * `lecture/qcn-dcqcn-parking-lot` both judge by it, and read it alike: almost is less than twofold,
 * by one per cent at the least. The sentence and Fig. 3(b) are of lossless TCP; what the paper
 * calls Pause-only is in Fig. 4, on another network: PAUSE alone has nothing published here.
 */
import type { Range } from '../figure.ts'

/** The remote flows' rate over the local one's. */
export const ALMOST_HALF: Range = [0.505, 0.6]
/** The same the other way up: the local flow's rate over the remote ones'. */
export const ALMOST_TWICE: Range = [1 / ALMOST_HALF[1], 1 / ALMOST_HALF[0]]
