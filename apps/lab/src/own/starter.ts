/** The scheme that the editor begins with: the one that `weir new scheme` writes. */
import { starterText } from '@weir/schemes'

export const starter: string = starterText({ name: 'halving', from: 'packages' })
