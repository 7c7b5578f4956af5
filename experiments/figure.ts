/**
 * A document's figure as a program: it runs simulations, and returns what it measured beside what
 * the document published, with the curves to draw. `weir reproduce`, the report and the lab's
 * gallery all read this. A figure is drawn from runs, never from numbers typed in: published values
 * are the only literals, and each cites where it stands.
 *
 * Runs in Node and in a page: no Node API here.
 */
import type { Result, ValidSpec } from '@weir/sim'

export interface Figure {
  /** `<document>/<item>`: `accurate/fig3`, `lecture/incast`. */
  readonly id: string
  readonly title: string
  /** Document, section and figure. */
  readonly cite: string
  /** What the document says that this shows, in a sentence or two. */
  readonly claim: string
  reproduce(context: FigureContext): Promise<FigureResult>
}

export interface FigureContext {
  /** `quick`: a small version, under some ten seconds on one core, for CI; `full`: as published. */
  readonly size: 'quick' | 'full'
  /**
   * Runs one simulation; the caller may do it in a worker, so start many and await them together.
   */
  simulate(spec: ValidSpec): Promise<Result>
  /** Where the figure stands, 0..1. */
  progress(fraction: number, doing: string): void
}

export interface FigureResult {
  readonly checks: readonly Check[]
  readonly plots: readonly Plot[]
  /** What differs from the document and why; what is not modelled. */
  readonly notes: readonly string[]
}

/** One published number, or claim, beside ours. A check that differs says why in its note. */
export interface Check {
  readonly name: string
  /** As the document has it: a number, or words where it has only words ('almost 2x lower'). */
  readonly published: number | string
  readonly measured: number
  readonly unit: string
  readonly verdict: 'agrees' | 'differs'
  readonly note: string
}

export interface Plot {
  readonly title: string
  readonly kind: 'lines' | 'steps' | 'dots' | 'bars' | 'surface'
  readonly x: Axis
  readonly y: Axis
  /** Surfaces only: what the height is. */
  readonly z?: Axis
  readonly curves: readonly Curve[]
}

export interface Axis {
  readonly label: string
  readonly unit: string
  readonly scale?: 'linear' | 'log'
}

export interface Curve {
  readonly name: string
  /** Words for bars, numbers otherwise. */
  readonly x: readonly (number | string)[]
  readonly y: readonly number[]
  /** Surfaces only: one height a point (x[i], y[i]). */
  readonly z?: readonly number[]
  /** The document's own curve, read off its figure or text; drawn apart from ours. */
  readonly isPublished?: boolean
}

/** A check that agrees if the measured value is within a fraction of the published one. */
export function within(
  name: string,
  published: number,
  measured: number,
  fraction: number,
  unit: string,
  note: string = '',
): Check {
  const isIn = Math.abs(measured - published) <= fraction * Math.abs(published)
  return { name, published, measured, unit, verdict: isIn ? 'agrees' : 'differs', note }
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
