/**
 * The scheme that `weir new scheme` and the lab's editor begin with, as text: small, complete, and
 * worse than the others on purpose.
 */

export interface StarterOptions {
  /** Of the scheme, as the command line knows it: `my-scheme`. */
  readonly name: string
  /** What it imports from; the lab has the packages one by one. */
  readonly from: 'weir' | 'packages'
}

export function starterText({ name, from }: StarterOptions): string {
  return `${from === 'weir' ? FROM_WEIR : FROM_PACKAGES}
/** Halve the rate when a mark comes back, at most once per two round trips; else add a little. */
class Halving extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #stepBps: number
  #cutPs = 0

  constructor(flow: FlowContext, stepBps: number) {
    super()
    this.#flow = flow
    this.#stepBps = stepBps
    this.rateBps = flow.lineRateBps
  }

  override onAck(ack: Readonly<Ack>, nowPs: number): void {
    if (!ack.marked) {
      this.rateBps = Math.min(this.#flow.lineRateBps, this.rateBps + this.#stepBps)
    } else if (nowPs - this.#cutPs > 2 * this.#flow.baseRttPs) {
      this.rateBps = Math.max(1e8, this.rateBps / 2)
      this.#cutPs = nowPs
    }
  }

  /** For time series: the first, and only, of \`flowInternals\`. */
  override observe(): number {
    return this.rateBps
  }
}

export const ${constantOf(name)}: Scheme = defineScheme({
  name: '${name}',
  title: 'halve on a mark, add on none',
  cite: 'my own, unpublished',
  needs: ['ecn', 'acks'],
  params: {
    step: {
      unit: 'rate',
      default: 10e6,
      min: 1e5,
      max: 1e9,
      about: 'Added to the rate with every unmarked acknowledgement.',
      source: 'a guess',
    },
  },
  presets: {},
  create: (values): Control => ({
    ...inertControl,
    ecnCapable: true,
    flowInternals: ['rate'],
    // Mark every packet that finds more before it than the link sends in 5 us.
    marking: (rateBps) => {
      const bytes = (rateBps * 5e-6) / 8
      return { kminBytes: bytes, kmaxBytes: bytes, pmax: 1, at: 'enqueue' }
    },
    reaction: (flow) => new Halving(flow, values.step),
  }),
})
`
}

/** Its test, for vitest. */
export function starterTestText(name: string): string {
  const constant = constantOf(name)
  return `import { describe, expect, it } from 'vitest'
import { ackOf, conforms, FakeFlow, fakeContext, valuesOf } from 'weir/testing'
import { ${constant} } from './${name}.ts'

// What every scheme must do: use the link, starve nobody, lose nothing, do the same twice.
conforms(${constant})

describe('${name}', () => {
  it('halves its rate on a marked ACK', () => {
    const control = ${constant}.create(valuesOf(${constant}), fakeContext())
    const reaction = control.reaction(new FakeFlow(10e9, 20e6))
    reaction.onAck(ackOf({ marked: true }), 1e9)
    expect(reaction.rateBps).toBe(5e9)
  })
})
`
}

/** `my-scheme` is exported as `myScheme`. */
function constantOf(name: string): string {
  return name.replaceAll(/-+(\w?)/gu, (_, letter: string) => letter.toUpperCase())
}

const FROM_WEIR = `import { defineScheme, inertControl, ReactionPoint } from 'weir'
import type { Ack, Control, FlowContext, Scheme } from 'weir'
`

const FROM_PACKAGES = `import { inertControl, ReactionPoint } from '@weir/fabric'
import type { Ack, Control, FlowContext } from '@weir/fabric'
import { defineScheme } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
`
