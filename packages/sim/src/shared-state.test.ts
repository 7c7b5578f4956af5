/** State of a scheme that spans nodes: found where it is not declared, the same where it is. */
import type { Control, NodeContext } from '@weir/fabric'
import { inertControl, NodeAgent, ReactionPoint } from '@weir/fabric'
import type { Scheme } from '@weir/schemes'
import { none } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { Run } from './run.ts'
import { resultOf, joined, shuffled } from './testing/shuffled.ts'
import { specOf, type Tree } from './testing/specs.ts'
import { simulateTogether } from './testing/together.ts'

const US = 1e6

function schemeOf(make: () => Partial<Control>): Scheme {
  return { ...none, create: () => ({ ...inertControl, ...make() }) }
}

const INCAST = {
  topology: { kind: 'star', hosts: 7, rate: '10Gbps', delay: '1us' },
  workload: [1, 2, 3, 4, 5, 6].map((i) => ({
    flows: [{ from: `h${i}`, to: 'h0', size: `${20 * i}KB`, start: `${i % 3}us` }],
  })),
}

/** A flow sends at the line rate over the number of flows that `count` says. */
class Divided extends ReactionPoint {
  readonly #lineRateBps: number
  readonly #count: () => number
  /** Its first packet is sent. */
  began: (() => void) | undefined = undefined

  constructor(lineRateBps: number, count: () => number) {
    super()
    this.#lineRateBps = lineRateBps
    this.#count = count
  }

  override onSent(): void {
    this.began?.()
    this.began = undefined
    this.rateBps = this.#lineRateBps / Math.max(1, this.#count())
  }
}

describe('state that spans nodes and is not declared', () => {
  const undeclared = schemeOf(() => {
    let flows = 0
    return {
      reaction: (flow) => {
        flows++
        return new Divided(flow.lineRateBps, () => flows)
      },
    }
  })

  it('shows where nodes run apart, each with its own instance of the scheme', () => {
    const spec = specOf(INCAST)
    const alone = resultOf(new Run(spec, undeclared))
    expect(simulateTogether(spec, 2, undeclared).fingerprint).not.toBe(alone.fingerprint)
  })
})

describe('state that spans nodes and is declared', () => {
  /** Every node says how many flows have begun there, and adds up what all say. */
  class Counter extends NodeAgent {
    readonly #node: NodeContext
    readonly #nodes: number
    #flows = 0

    constructor(node: NodeContext, nodes: number) {
      super()
      this.#node = node
      this.#nodes = nodes
    }

    /** Every thread makes points of every flow; only one of them is at work. */
    isMade(): void {
      this.#node.publish(0, this.#flows)
    }

    began(): void {
      this.#node.publish(0, ++this.#flows)
    }

    all(): number {
      let sum = 0
      for (let node = 0; node < this.#nodes; node++) sum += this.#node.published(node, 0)
      return sum
    }
  }

  const nodes = 8
  const counted = (everyPs: number): Scheme =>
    schemeOf(() => ({
      shared: { words: 1, everyPs },
      agent: (node) => new Counter(node, nodes),
      reaction: (flow) => {
        const agent = flow.agent as Counter
        agent.isMade()
        const point = new Divided(flow.lineRateBps, () => agent.all())
        point.began = () => agent.began()
        return point
      },
    }))

  it.each([1, 1.7, 10])('is one result every %s us, in any order and by any threads', (every) => {
    const spec = specOf(INCAST)
    const scheme = counted(every * US)
    const result = resultOf(new Run(spec, scheme))
    expect(result.ended).toEqual({ why: 'completed' })
    const unshared = resultOf(new Run(spec))
    expect(result.fingerprint).not.toBe(unshared.fingerprint)
    for (const seed of [1, 2, 3]) {
      expect(resultOf(shuffled(spec, seed, scheme)).fingerprint).toBe(result.fingerprint)
      expect(resultOf(joined(spec, seed, scheme)).fingerprint).toBe(result.fingerprint)
    }
    for (const threads of [2, 3, 5]) {
      expect(simulateTogether(spec, threads, scheme).fingerprint).toBe(result.fingerprint)
    }
  })

  it('does not depend on when somebody looks at the run', () => {
    const scheme = counted(5 * US)
    const fingerprint = (metrics: Tree): string =>
      resultOf(new Run(specOf({ ...INCAST, metrics }), scheme)).fingerprint
    expect(fingerprint({ interval: '700ns' })).toBe(fingerprint({ interval: 'none' }))
  })

  it('is seen by all from the next time on that is published, and not before', () => {
    const seen: [string, number, number][] = []
    class Reader extends NodeAgent {
      readonly #node: NodeContext
      constructor(node: NodeContext) {
        super()
        this.#node = node
      }
      override onStart(): void {
        if (this.#node.name === 'h1') this.#node.setTimer(0, 1 * US)
        for (const [i, atPs] of [4_999_999, 5_000_000].entries()) this.#node.setTimer(i + 1, atPs)
      }
      override onTimer(which: number, nowPs: number): void {
        if (which === 0) this.#node.publish(1, 42)
        else seen.push([this.#node.name, nowPs, this.#node.published(1, 1)])
      }
    }
    const scheme = schemeOf(() => ({
      shared: { words: 2, everyPs: 5 * US },
      agent: (node) => new Reader(node),
    }))
    const run = new Run(specOf(INCAST), scheme)
    expect(run.network.graph.nodes[1]!.name).toBe('h1')
    run.step(10 * US)
    expect(seen.filter(([, atPs]) => atPs < 5 * US).map(([, , word]) => word)).toEqual(
      Array<number>(nodes).fill(0),
    )
    expect(seen.filter(([, atPs]) => atPs === 5 * US).map(([, , word]) => word)).toEqual(
      Array<number>(nodes).fill(42),
    )
  })

  it('is refused of a scheme that has not declared it, and beyond what it has', () => {
    const writing = (word: number, more: Partial<Control>): Scheme =>
      schemeOf(() => ({
        ...more,
        agent: (node) => {
          node.publish(word, 1)
          return undefined
        },
      }))
    const spec = specOf(INCAST)
    expect(() => new Run(spec, writing(0, {}))).toThrow(
      'the agent of h0 shares what its scheme does not declare (shared)',
    )
    const shared = { words: 2, everyPs: 1 * US }
    for (const word of [2, -1, 0.5]) {
      expect(() => new Run(spec, writing(word, { shared }))).toThrow(
        `word ${word} of node 0 is not among the shared 2 per node`,
      )
    }
  })
})
