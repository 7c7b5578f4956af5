/**
 * A guided story: a few steps, each an experiment with text beside it. Stories are data: a document
 * that is still to come adds a file here and a line in index.ts, and touches nothing else.
 */
export interface Story {
  readonly name: string
  readonly title: string
  /** One sentence for the list. */
  readonly about: string
  readonly steps: readonly StoryStep[]
}

export interface StoryStep {
  readonly title: string
  /** Paragraphs; *words* are set off. */
  readonly text: readonly string[]
  /** A built-in scenario's name, or a spec's text. */
  readonly scenario?: string
  readonly spec?: string
  /**
   * Lanes by scheme; those that are not registered are left out and named. Empty: the spec's own.
   */
  readonly schemes?: readonly StoryLane[]
  readonly settings?: readonly string[]
  /** What is pinned: `switch->h0` is a port, `f1` a flow. */
  readonly look?: readonly string[]
}

export type StoryLane =
  | string
  | {
      readonly scheme: string
      readonly preset?: string
      readonly params?: Readonly<Record<string, string>>
    }
