import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../scenarios/index.ts'
import { loadSpec } from './load.ts'
import { parseText } from './parse.ts'
import { SpecError } from './spec-error.ts'
import { allCards } from './test-cards.ts'
import { validateSpec } from './validate.ts'

/** Small scenarios, as trees to damage. */
const trees = ['incast', 'parking-lot', 'leaf-spine-mix', 'dumbbell-fair'].map(
  (name) => parseText(scenarios.find((scenario) => scenario.name === name)!.text, name).tree,
)

/**
 * Seeds are fixed: a sentence may quote what was drawn, and a drawn 'NaN' would be a false alarm.
 */

/** Either it is a spec, or it is refused in one sentence: nothing else may come out. */
function judge(check: () => unknown): void {
  try {
    expect(JSON.stringify(check())).not.toMatch(/null|NaN/u)
  } catch (error) {
    expect(error).toBeInstanceOf(SpecError)
    expect((error as Error).message).not.toMatch(/\n|undefined|NaN|\[object|invalid_/u)
  }
}

/** Paths of all values in a tree. */
function paths(node: unknown, here: (string | number)[] = []): (string | number)[][] {
  if (typeof node !== 'object' || node === null) return [here]
  const children = Array.isArray(node)
    ? node.flatMap((item, i) => paths(item, [...here, i]))
    : Object.entries(node).flatMap(([key, value]) => paths(value, [...here, key]))
  return [here, ...children]
}

function damaged(tree: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  const copy = (Array.isArray(tree) ? [...(tree as unknown[])] : { ...(tree as object) }) as Record<
    string | number,
    unknown
  >
  copy[step] = damaged(copy[step], rest, value)
  return copy
}

const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1e300, true, [], {}, 'none', 'auto', '0', '1e9s', 'h0'),
  fc.constantFrom<unknown>(
    { kind: 'constructor' },
    '__proto__',
    'toString',
    [[]],
    ' ',
    '-1KB',
    '5',
  ),
  fc.jsonValue(),
)

describe('a damaged spec', () => {
  it('is refused in one sentence, or still means something', () => {
    const damage = fc
      .constantFrom(...trees)
      .chain((tree) => fc.tuple(fc.constant(tree), fc.constantFrom(...paths(tree)), oddValue))
    fc.assert(
      fc.property(damage, ([tree, path, value]) => {
        judge(() => validateSpec(damaged(tree, path, value), { schemes: allCards }))
      }),
      { numRuns: 600, seed: 1 },
    )
  })

  it('is refused in one sentence when it is any JSON at all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (tree) => {
        judge(() => validateSpec(tree, { schemes: allCards }))
      }),
      { seed: 3 },
    )
  })

  it('is refused in one sentence when its text is cut or has a letter wrong', () => {
    const texts = scenarios.slice(0, 4).map(({ text }) => text)
    const letter = fc.constantFrom(
      '\t',
      ':',
      '{',
      '}',
      '[',
      '"',
      '&',
      '*',
      '#',
      '-',
      '\n',
      '%',
      '|',
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(),
        letter,
        fc.boolean(),
        (text, at, put, cut) => {
          const place = at % text.length
          const wrong = cut
            ? text.slice(0, place)
            : text.slice(0, place) + put + text.slice(place + 1)
          judge(() => loadSpec({ text: wrong, schemes: allCards }))
        },
      ),
      { numRuns: 400, seed: 2 },
    )
  })
})
