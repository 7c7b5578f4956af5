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
  readonly #to: Int32Array

  constructor({ nodes, starts, to }: Channels) {
    this.outputs = starts
    this.#to = to
    this.starts = new Int32Array(nodes + 1)
    for (let node = 0; node < nodes; node++) {
      const words = (starts[node + 1]! - starts[node]! + 31) >> 5
      this.starts[node + 1] = this.starts[node]! + words
    }
  }

  /** The words of a tree. */
  of({ arrivals }: BroadcastTree): Uint32Array {
    const { outputs, starts } = this
    const nodes = starts.length - 1
    const words = new Uint32Array(starts[nodes]!)
    for (let node = 0; node < nodes; node++) {
      for (let c = outputs[node]!; c < outputs[node + 1]!; c++) {
        if (arrivals[this.#to[c]!] !== c) continue
        const output = c - outputs[node]!
        words[starts[node]! + (output >> 5)]! |= 1 << (output & 31)
      }
    }
    return words
  }
}
