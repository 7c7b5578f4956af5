/**
 * Broadcast trees the other way round: by which outputs a broadcast goes on from each node. A bit
 * for each output, in words of 32, so that a node that passes one on looks at one word of the tree
 * and at nothing else that is not the same for all trees: a rack of 512 nodes has thousands.
 */
import type { BroadcastTree, Channels } from '@weir/theory'

export class Branches {
  /** The words of node n are those from `starts[n]` to before `starts[n + 1]`. */
  readonly starts: Int32Array
  /** Its first output is channel `outputs[n]`. */
  readonly outputs: Int32Array
  readonly #from: Int32Array

  constructor({ from, nodes, starts }: Channels) {
    this.outputs = starts
    this.#from = from
    this.starts = new Int32Array(nodes + 1)
    for (let node = 0; node < nodes; node++) {
      const words = (starts[node + 1]! - starts[node]! + 31) >> 5
      this.starts[node + 1] = this.starts[node]! + words
    }
  }

  /** The words of a tree. */
  of({ arrivals }: BroadcastTree): Uint32Array {
    const { outputs, starts } = this
    const words = new Uint32Array(starts[starts.length - 1]!)
    for (const channel of arrivals) {
      if (channel < 0) continue
      const node = this.#from[channel]!
      const output = channel - outputs[node]!
      words[starts[node]! + (output >> 5)]! |= 1 << (output & 31)
    }
    return words
  }
}
