/**
 * A guided story: a few steps, each an experiment with text beside it. A step asks before it tells,
 * and sets the scene: where the clock stands, how fast it plays, what stands out, which plots are
 * shown and what is written into the picture. Stories are data: a paper that is still to come adds
 * a file here and a line in index.ts, and touches nothing else.
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
  /** Asked first: the clock waits, and the text is shown when a guess is made. */
  readonly ask?: Question
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
  /** Of several lanes, the one that the words are about: on a phone it is the one in view. */
  readonly lane?: 'A' | 'B' | 'C'
  /** What is pinned: `switch->h0` is a port, `f1` a flow. */
  readonly look?: readonly string[]
  /** Where the clock stands when the step opens, such as '370us'; else at the start. */
  readonly at?: string
  /** 1 shows a run in 16 s. */
  readonly speed?: number
  readonly zoom?: readonly [from: string, to: string]
  /** Flows that stand out in the picture: the others are faint. None: all are alike. */
  readonly bright?: readonly string[]
  /**
   * Plots right under the clock: 'rates', 'queues', 'port a->b', 'inside ccti', 'fairness'; with
   * 'theory', the queue of the scheme's fluid over that of packets comes first.
   */
  readonly plot?: readonly string[]
  /** Flows that are plotted, where others would only be in the way. */
  readonly flows?: readonly string[]
  readonly notes?: readonly StoryNote[]
  /** What queues are read against besides marks and limits: a name, and a size such as '125KB'. */
  readonly levels?: readonly (readonly [name: string, size: string])[]
  /** Rates as means of a long part of the run, where single packets would hide them. */
  readonly smooth?: boolean
  /** Rates as means of a short part of the run, where the end of something is to be seen. */
  readonly sharp?: boolean
  /** Heartbeats and marks are drawn one by one. */
  readonly packets?: boolean
  /** With `packets`: credits too, unless they would hide what the step is about. */
  readonly credits?: boolean
  /** ACCurate's circuit is shown beside the network where there is one. */
  readonly circuit?: boolean
}

export interface Question {
  readonly question: string
  readonly guesses: readonly string[]
  /** Which guess is right. */
  readonly right: number
}

/** Words in the picture, at a node (`near`) or in the middle of a link (`far->near`). */
export interface StoryNote {
  readonly at: string
  readonly text: string
  readonly side?: 'above' | 'below'
  /** Only from and up to these times. */
  readonly from?: string
  readonly to?: string
}

export type StoryLane =
  | string
  | {
      readonly scheme: string
      readonly preset?: string
      readonly params?: Readonly<Record<string, string>>
    }
