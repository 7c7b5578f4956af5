/**
 * Two flows to one node: what keeping to the routing's fractions costs, and what choosing routes
 * gives back.
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, section 3.3.1, Fig. 4 (after B. Radunovic and J.-Y. Le
 * Boudec): links of capacity 1; f1 from node 1 to 4 takes 1->4 and 1->3->4 equally often, f2 takes
 * 2->3->4.
 */
import type { PrioritizedFlow } from '@weir/theory'
import { Channels, IncrementalFilling, waterFill } from '@weir/theory'
import { within } from '../figure.ts'
import type { Check, Figure, FigureResult } from '../figure.ts'
import { CITE } from './cite.ts'

/** Nodes 1 to 4 are 0 to 3 here. */
const fabric = new Channels(4, [
  [0, 2],
  [0, 3],
  [1, 2],
  [2, 3],
])
const link = (from: number, to: number): number => fabric.between(from - 1, to - 1)

const SPLIT = flow([link(1, 4), link(1, 3), link(3, 4)], [0.5, 0.5, 0.5])
const DIRECT = flow([link(1, 4)], [1])
const AROUND = flow([link(1, 3), link(3, 4)], [1, 1])
const F2 = flow([link(2, 3), link(3, 4)], [1, 1])

export const fig4: Figure = {
  id: 'r2c2/fig4',
  title: 'The max-min fair allocation among rates that routing allows',
  cite: `${CITE}, section 3.3.1, Fig. 4`,
  claim:
    'With the split of f1 as given, both flows get 2/3; after its routing is changed to the ' +
    'direct ' +
    'path, both get 1.',
  switches: [
    {
      name: 'route selection',
      reproduce: () => Promise.resolve(reproduce(SPLIT, [SPLIT])),
      breaks: ['f1, after', 'f2, after'],
    },
    {
      name: 'the split of f1',
      reproduce: () => Promise.resolve(reproduce(AROUND, [SPLIT, DIRECT, AROUND])),
      breaks: ['f1, as routed', 'f2, as routed'],
    },
  ],
  reproduce: () => Promise.resolve(reproduce(SPLIT, [SPLIT, DIRECT, AROUND])),
}

/** With f1 on this route at first, and then on the best of those. */
function reproduce(first: PrioritizedFlow, selectable: readonly PrioritizedFlow[]): FigureResult {
  const given = ratesOf(first, F2)
  const choices = selectable.map((route) => ({ route, rates: ratesOf(route, F2) }))
  const chosen = choices.reduce((best, choice) =>
    sum(choice.rates) > sum(best.rates) ? choice : best,
  )
  const steps = Array.from({ length: 21 }, (_, i) => i / 20)
  return {
    checks: [
      ...pair('as routed', [2 / 3, 2 / 3], given),
      ...pair('after route selection', [1, 1], chosen.rates),
    ],
    plots: [
      {
        title: 'Fig. 4 (b), (c): feasible rates',
        kind: 'lines',
        x: { label: 'f1', unit: 'links' },
        y: { label: 'the most that f2 can get', unit: 'links' },
        curves: [
          {
            name: 'any split',
            x: steps.map((s) => 2 * s),
            y: steps.map((s) => Math.min(1, 2 - 2 * s)),
            isExpected: true,
          },
          {
            name: 'the given split',
            x: steps.map((s) => 2 * s),
            y: steps.map((s) => f2Beside(2 * s)),
            isExpected: true,
          },
          { name: 'max-min, given split', x: [given[0]!], y: [given[1]!] },
          {
            name: 'max-min, after route selection',
            ...{ x: [chosen.rates[0]!], y: [chosen.rates[1]!] },
          },
          { name: 'published', x: [2 / 3, 1], y: [2 / 3, 1], isPublished: true },
        ],
      },
    ],
    draws: 'no chance',
    notes: [
      'Route selection tries the three routes that f1 can have, and keeps the one with the most ' +
        'aggregate throughput.',
    ],
  }
}

function flow(links: number[], fractions: number[]): PrioritizedFlow {
  return { links: Int32Array.from(links), fractions: Float64Array.from(fractions) }
}

/** By both algorithms, which have to agree. */
function ratesOf(...flows: PrioritizedFlow[]): number[] {
  const filling = new IncrementalFilling([1, 1, 1, 1])
  const handles = flows.map((flow) => filling.add(flow))
  filling.settle()
  const plain = waterFill(
    [1, 1, 1, 1],
    flows.map(({ links, fractions }) => ({ links: [...links], fractions: [...fractions] })),
  ).ratesBps
  return handles.map((handle, i) => {
    const rate = filling.rateBps(handle)
    if (Math.abs(rate - plain[i]!) > 1e-12) throw new Error('the two water-fillings disagree')
    return rate
  })
}

/** What f2 can have at most beside this rate of f1, by the capacity of 3->4. */
function f2Beside(f1: number): number {
  return Math.max(0, 1 - f1 / 2)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function pair(when: string, published: readonly [number, number], got: readonly number[]): Check[] {
  return [0, 1].map((i) => within(`f${i + 1}, ${when}`, published[i]!, got[i]!, 1e-9, 'of a link'))
}
