/**
 * A document's figure as a program: it runs simulations, and returns what it measured beside what
 * the document published, with the curves to draw. `weir reproduce`, the report and the lab's
 * gallery all read this. A figure is drawn from runs, never from numbers typed in: published values
 * are the only literals, and each cites where it stands.
 *
 * Runs in Node and in a page: no Node API here.
 */
import { meanInterval } from '@weir/metrics'
import type { Result, ValidSpec } from '@weir/sim'

export interface Figure {
  /** `<document>/<item>`: `accurate/fig3`, `lecture/incast`. */
  readonly id: string
  readonly title: string
  /** Document, section and figure. */
  readonly cite: string
  /** What the document says that this shows, in a sentence or two. */
  readonly claim: string
  /** Whose claim it is, where the document would be wrong: 'Our question'. */
  readonly claimant?: string
  reproduce(context: FigureContext): Promise<FigureResult>
  /** How the name of the row begins that answers the claim; absent: the first that is judged. */
  readonly headline?: string | undefined
  /** Whatever was chosen because a figure then came out; absent: nothing was. */
  readonly fitted?: readonly Fitted[]
  /** Mechanisms that its checks rest on; a test takes each away and sees checks fail. */
  readonly switches?: readonly Switch[]
}

/** A value that no document gives. Only figures that it was not fitted to are evidence for it. */
export interface Fitted {
  readonly value: string
  /** The figure or number that it was chosen by. */
  readonly to: string
}

export interface Switch {
  /** What is taken away: 'congestion control'. */
  readonly name: string
  /** Settings that take it out of a run, `path=value`; none, or absent: this run is as it was. */
  without?(spec: ValidSpec): readonly string[]
  /** The figure's program without it, where no run has it; absent: `reproduce` itself. */
  reproduce?(context: FigureContext): Promise<FigureResult>
  /** How the names of the checks begin that agree with it, and differ without. */
  readonly breaks: readonly string[]
  /** Those that differ with it and agree without: it is why they differ. */
  readonly mends?: readonly string[]
}

export interface FigureContext {
  /** `quick`: a small version, under some ten seconds on one core, for CI; `full`: as published. */
  readonly size: 'quick' | 'full'
  /** At most so many seeds where a figure draws several; none: as many as its size has. */
  readonly seedsMax?: number
  /**
   * Runs one simulation; the caller may do it in a worker, so start many and await them together.
   */
  simulate(spec: ValidSpec): Promise<Result>
  /** Where the figure stands, 0..1. */
  progress(fraction: number, doing: string): void
}

export interface FigureResult {
  /** What is left to chance, and how often it was drawn: '5 seeds'; a check may say otherwise. */
  readonly draws?: string
  readonly checks: readonly Check[]
  readonly plots: readonly Plot[]
  /** What differs from the document and why; what is not modelled. */
  readonly notes: readonly string[]
}

/**
 * `ours`: nobody published it, so nothing can agree. `needs --full`: the small version is too small
 * to tell, and does not test something else instead.
 */
export type Verdict = 'agrees' | 'differs' | 'ours' | 'needs --full'

/** One published number, or claim, beside ours. A check that differs says why in its note. */
export interface Check {
  readonly name: string
  /** As the document has it: a number, or words where it has only words ('almost 2x lower'). */
  readonly published: number | string
  readonly measured: number
  /** Half of the 95% interval of `measured`, where it is a mean over draws. */
  readonly half?: number
  /** The least and the highest draw, where there are several. */
  readonly spread?: Range
  /** Between these ends it agrees, where it has any. */
  readonly bounds?: Range
  readonly unit: string
  readonly verdict: Verdict
  readonly note: string
  /** Where it differs from the figure's. */
  readonly draws?: string
}

export interface Plot {
  readonly title: string
  readonly kind: 'lines' | 'steps' | 'dots' | 'bars' | 'surface'
  readonly x: Axis
  readonly y: Axis
  /** Surfaces only: what the height is. */
  readonly z?: Axis
  /** Not the document's picture, nor one beside it: folded until somebody asks for it. */
  readonly isAside?: boolean
  readonly curves: readonly Curve[]
}

export interface Axis {
  readonly label: string
  readonly unit: string
  readonly scale?: 'linear' | 'log'
  /** Only the part of a y axis that curves are in, where zero would hide what they show. */
  readonly isMagnified?: boolean
}

export interface Curve {
  readonly name: string
  /** Words for bars, numbers otherwise. */
  readonly x: readonly (number | string)[]
  readonly y: readonly number[]
  /** Surfaces only: one height a point (x[i], y[i]); none of a published place without one. */
  readonly z?: readonly number[]
  /**
   * The document's own values, drawn as hollow marks. All are from its text unless it says so; none
   * depends on a run.
   */
  readonly isPublished?: boolean
  /** What follows from a rule or a theory, measured by nobody: drawn as dots, never hollow. */
  readonly isExpected?: boolean
  /** Half of each point's 95% interval, where points are means over draws. */
  readonly half?: readonly number[]
}

/** The two ends between which a claim holds, both included. */
export type Range = readonly [number, number]

/** A check that agrees if the measured value is within a fraction of the published one. */
export function within(
  name: string,
  published: number,
  measured: number,
  fraction: number,
  unit: string,
  note: string = '',
): Check {
  const reach = fraction * Math.abs(published)
  const isIn = Math.abs(measured - published) <= reach
  const bounds = [published - reach, published + reach] as const
  return { name, published, measured, bounds, unit, verdict: isIn ? 'agrees' : 'differs', note }
}

/** A check of words: it agrees if what they say holds of the measured value. */
export function holds(
  name: string,
  published: string,
  measured: number,
  doesHold: boolean,
  unit: string,
  note: string = '',
): Check {
  return { name, published, measured, unit, verdict: doesHold ? 'agrees' : 'differs', note }
}

/** A claim in words that asks for a value between two ends. */
export function inRange(
  name: string,
  published: string,
  measured: number,
  [low, high]: Range,
  unit: string,
  note: string = '',
): Check {
  const isIn = measured >= low && measured <= high
  return { ...holds(name, published, measured, isIn, unit, note), bounds: [low, high] }
}

/**
 * A claim over several draws: it agrees if all of the mean's 95% interval is between the ends; over
 * one, if the value is.
 */
export function drawn(
  name: string,
  published: number | string,
  values: readonly number[],
  [low, high]: Range,
  unit: string,
  note: string = '',
): Check {
  const { mean, half } = meanInterval(values)
  const reach = values.length === 1 ? 0 : half
  const isIn = mean - reach >= low && mean + reach <= high
  return {
    ...{ name, published, measured: mean, half, unit, note, ...spreadOf(values) },
    ...{ bounds: [low, high], verdict: isIn ? 'agrees' : 'differs' },
    draws: drawsOf(values),
  }
}

/** Five seeds, or in full as many as a figure asks for. */
export function seedsOf({ size, seedsMax = Infinity }: FigureContext, full: number = 5): number[] {
  const count = Math.min(size === 'full' ? full : 5, seedsMax)
  return Array.from({ length: count }, (_, i) => i + 1)
}

export function drawsOf({ length }: readonly number[]): string {
  return length === 1 ? 'one seed' : `${length} seeds`
}

/** What no document says, with its interval where there are draws. */
export function ours(
  name: string,
  values: number | readonly number[],
  unit: string,
  note: string = '',
): Check {
  const result = { name, published: 'not published', unit, verdict: 'ours' as const, note }
  if (typeof values === 'number') return { ...result, measured: values }
  const { mean, half } = meanInterval(values)
  return { ...result, measured: mean, half, ...spreadOf(values), draws: drawsOf(values) }
}

function spreadOf(values: readonly number[]): { readonly spread?: Range } {
  return values.length < 2 ? {} : { spread: [Math.min(...values), Math.max(...values)] }
}

/** A claim that this size of the figure cannot test. A number has a unit. */
export function needsFull(
  name: string,
  published: number | string,
  why: string,
  unit: string = '',
): Check {
  return { name, published, measured: NaN, unit, verdict: 'needs --full', note: why }
}
