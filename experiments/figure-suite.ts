/**
 * The tests that every figure passes, small: what is known to differ and nothing else, reasons for
 * it, curves without holes; and without a mechanism that a figure names, the checks that rest on it
 * fail, and those that it makes differ agree.
 */
import { describe, expect, it } from 'vitest'
import type { Figure, FigureContext, FigureResult, Plot } from './figure.ts'
import { differing, notOf, quickContext, reproduceWithout, switchesOf } from './testing.ts'

/** A shared machine may be slow; nothing here depends on how slow. */
const PATIENCE_MS = 600_000

/** By figure, the checks that differ, with their reasons in their notes; a change of it is news. */
export type Differs = Readonly<Record<string, readonly string[]>>

/** By name: the values that are drawn as published. */
function publishedIn(plots: readonly Plot[]): Map<string, Set<number>> {
  const values = new Map<string, Set<number>>()
  for (const { isPublished, name, y, z = [] } of plots.flatMap(({ curves }) => curves)) {
    if (isPublished !== true) continue
    const known = values.get(name) ?? new Set()
    values.set(name, known)
    for (const value of [...y, ...z]) known.add(value)
  }
  return values
}

/** One spelling of each unit: as in the papers' own tables, Gb/s. */
function wordsOf({ checks, plots, notes }: FigureResult): string[] {
  return [
    ...checks.flatMap(({ name, published, note, unit }) => [name, `${published}`, note, unit]),
    ...plots.flatMap(({ title, x, y, curves }) => [
      ...[title, x.label, x.unit, y.label, y.unit],
      ...curves.flatMap((curve) => [curve.name, ...curve.x.map(String)]),
    ]),
    ...notes,
  ]
}

function beginningWith(words: string): unknown {
  return expect.stringMatching(new RegExp(`^${words.replace(/[^a-z0-9 ]/giu, String.raw`\$&`)}`))
}

function endsInNumber(published: number | string): boolean {
  return /(below|above|than|almost|about|within|[:,]) [\d.]+$/u.test(String(published))
}

/** Curves without holes, and whatever they say of a point said of each. */
function expectWhole({ curves, kind }: Plot): void {
  for (const { x, y, z, half, isPublished } of curves) {
    expect(y).toHaveLength(x.length)
    if (half !== undefined) expect(half).toHaveLength(x.length)
    if (kind === 'surface' && (z !== undefined || isPublished !== true)) {
      expect(z).toHaveLength(x.length)
    }
    expect([...y, ...(z ?? [])].every((value) => Number.isFinite(value))).toBe(true)
  }
}

/** A check that agrees whatever is taken away tests nothing; but for those that chance decides. */
function describeMechanisms(
  title: string,
  figures: readonly Figure[],
  reproduced: (figure: Figure) => Promise<FigureResult>,
  byChance: readonly string[],
): void {
  const judged = figures.filter(({ switches = [] }) => switches.length > 0)
  if (judged.length === 0) return
  describe(`${title}: mechanisms`, () => {
    it.each(judged.map((figure) => [figure.id, figure] as const))(
      '%s: each check that agrees rests on one that is taken away',
      async (_id, figure) => {
        const { checks } = await reproduced(figure)
        const taken = (figure.switches ?? []).flatMap(({ breaks }) => breaks)
        const free = checks.filter(
          ({ name, verdict }) =>
            verdict === 'agrees' &&
            !byChance.includes(name) &&
            !taken.some((beginning) => name.startsWith(beginning)),
        )
        expect(free.map(({ name }) => name)).toEqual([])
      },
      PATIENCE_MS,
    )
  })
}

/** Returns what reproduces a figure once, for tests of one's own. */
export function describeFigures(
  title: string,
  figures: readonly Figure[],
  differs: Differs,
  context: FigureContext = quickContext(),
  /** Checks that agree with the one seed of the tests, and differ with five. */
  byChance: readonly string[] = [],
): (figure: Figure) => Promise<FigureResult> {
  const results = new Map<Figure, Promise<FigureResult>>()
  const reproduced = (figure: Figure): Promise<FigureResult> => {
    const result = results.get(figure) ?? figure.reproduce(context)
    results.set(figure, result)
    return result
  }
  describeMechanisms(title, figures, reproduced, byChance)
  describe(title, () => {
    it.each(figures.map((figure) => [figure.id, figure] as const))(
      '%s shows what it must, and draws curves without holes',
      async (id, figure) => {
        const result = await reproduced(figure)
        const { checks, plots, draws } = result
        expect(wordsOf(result).filter((words) => /\d ?[KMG]bps/u.test(words))).toEqual([])
        expect(differing(checks)).toEqual(differs[id] ?? [])
        expect(draws).not.toBe('')
        const { headline = checks[0]?.name ?? '' } = figure
        expect(checks.map(({ name }) => name)).toContainEqual(beginningWith(headline))
        for (const { name, note, published, unit, verdict } of checks) {
          if (verdict === 'differs' || verdict === 'needs --full') expect(note).not.toBe('')
          // Words that end in a bare number leave out what it is of.
          if (unit !== '') expect(published, name).not.toSatisfy(endsInNumber)
          if (verdict === 'needs --full' && typeof published === 'number') {
            expect(unit, name).not.toBe('')
          }
        }
        plots.forEach(expectWhole)
      },
      PATIENCE_MS,
    )

    const switches = switchesOf(figures)
    if (switches.length === 0) return
    it.each(switches)(
      '%s: checks turn over without %s',
      async (_id, _name, figure, off) => {
        const { breaks, mends = [] } = off
        expect([...breaks, ...mends]).not.toEqual([])
        const { checks, plots } = await reproduced(figure)
        expect(notOf('agrees', checks, breaks)).toEqual([])
        expect(notOf('differs', checks, mends)).toEqual([])
        const without = await reproduceWithout(figure, off, context)
        expect(notOf('differs', without.checks, breaks)).toEqual([])
        expect(notOf('agrees', without.checks, mends)).toEqual([])
        // What a document published does not depend on what we run; whether it is drawn may.
        const published = publishedIn(plots)
        for (const [name, values] of publishedIn(without.plots)) {
          for (const value of published.has(name) ? values : []) {
            expect([...published.get(name)!], name).toContain(value)
          }
        }
      },
      PATIENCE_MS,
    )
  })
  return reproduced
}
