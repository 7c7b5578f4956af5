/**
 * What is going on: the experiment, its lanes' runs and recordings, and the clock that all of them
 * share. Views listen for what they show: the experiment, the state of its runs, or the clock.
 * Runs simulate ahead; the clock plays their recordings back and waits where the slowest is.
 */
import { shortTime } from '@weir/engine'
import type { Result } from '@weir/sim'
import type { SchemeCard } from '@weir/schemes'
import { startRunner } from '../run/runner.ts'
import type { Runner } from '../run/runner.ts'
import type { FromRun } from '../worker/protocol.ts'
import { laneSettings, OWN, sourceNameOf, textOf } from './experiment.ts'
import type { Experiment, Lane } from './experiment.ts'
import { Recording } from './recording.ts'

/** A result as a worker sends it: the time series are the recording. */
export type LaneResult = Omit<Result, 'series'> & {
  /** `worker/fair-shares.ts`; none: it was not computed. */
  readonly maxMinJain?: number
}

export interface LaneRun {
  readonly lane: Lane
  recording: Recording | undefined
  result: LaneResult | undefined
  failure: { readonly sentence: string; readonly cause: string } | undefined
  runner: Runner | undefined
}

/** What is looked at: a port or a flow, by name, so that it is the same in every lane. */
export interface Pin {
  readonly kind: 'port' | 'flow'
  readonly name: string
}

/** A text that is being written, and the one that it was made from. */
export interface Draft {
  readonly base: string
  readonly text: string
}

export type Listener = () => void

/**
 * `experiment`: another one, or its own scheme is known; `state`: more of it; `tick`: the clock.
 */
export type Happening = 'experiment' | 'state' | 'tick'

/** Wall-clock seconds in which a whole run is shown at speed 1. */
const SHOW_SECONDS = 16

export class Session {
  experiment: Experiment
  lanes: LaneRun[] = []
  ownCard: SchemeCard | undefined = undefined
  playheadPs: number = 0
  isPlaying: boolean = false
  speed: number = 1
  framesPerSecond: number = 0
  pins: readonly Pin[] = []
  selected: Pin | undefined = undefined
  /** The variable of the schemes' inside that is plotted; '': the first. */
  inside: string = ''
  /** Texts that were changed and not run, by editor: they survive a change of tab. */
  /** Rates are means of this part of the run. */
  windowPart: number = 1 / 60
  readonly drafts: Map<string, Draft> = new Map()
  /** The part of time that plots show; undefined: all of it. */
  zoomPs: readonly [number, number] | undefined = undefined
  readonly #listeners: Record<Happening, Set<Listener>> = {
    experiment: new Set(),
    state: new Set(),
    tick: new Set(),
  }
  readonly #compile: (typescript: string) => Promise<string>
  #generation: number = 0
  #lastMs: number = 0
  #isStateDue: boolean = false
  readonly #later: Map<object, () => void> = new Map()

  constructor(experiment: Experiment, compile: (typescript: string) => Promise<string>) {
    this.experiment = experiment
    this.#compile = compile
    requestAnimationFrame(this.#onFrame)
  }

  /** The draft of an editor, as long as what it was made from is still what is shown. */
  draftOf(editor: string, base: string): string {
    const draft = this.drafts.get(editor)
    return draft?.base === base ? draft.text : base
  }

  listen(what: Happening, listener: Listener): () => void {
    this.#listeners[what].add(listener)
    return () => this.#listeners[what].delete(listener)
  }

  /** Ends what runs and begins the experiment from time 0. */
  start(experiment: Experiment, isPlaying: boolean = true): void {
    this.stop()
    const isSameScenario = experiment.scenario === this.experiment.scenario
    this.experiment = experiment
    this.playheadPs = 0
    this.isPlaying = isPlaying
    this.zoomPs = undefined
    if (!isSameScenario) {
      this.pins = []
      this.selected = undefined
    }
    this.lanes = experiment.lanes.map((lane) => ({
      lane,
      recording: undefined,
      result: undefined,
      failure: undefined,
      runner: undefined,
    }))
    const generation = ++this.#generation
    for (const run of this.lanes) void this.#startLane(run, experiment, generation)
    this.#tell('experiment')
    this.changed()
  }

  /** Ends what runs; what was simulated stays. */
  halt(): void {
    for (const run of this.lanes) {
      if (run.result !== undefined || run.failure !== undefined) continue
      run.runner?.end()
      const at = shortTime(run.recording?.nowPs ?? 0)
      run.failure = { sentence: `stopped at ${at}: what is shown is up to there`, cause: 'person' }
    }
    this.changed()
  }

  /** Zooms about the playhead; 2: half as much time is shown. */
  zoomBy(factor: number): void {
    const [from, to] = this.zoomPs ?? [0, this.endPs]
    const span = Math.min(this.endPs, Math.max((to - from) / factor, this.endPs / 500))
    const left = Math.max(0, Math.min(this.playheadPs - span / 2, this.endPs - span))
    this.zoom(span >= this.endPs ? undefined : [left, left + span])
  }

  stop(): void {
    this.#generation++
    for (const { runner } of this.lanes) runner?.end()
  }

  async #startLane(run: LaneRun, experiment: Experiment, generation: number): Promise<void> {
    const { lane } = run
    let ownScheme = ''
    if (lane.scheme === OWN) {
      try {
        ownScheme = await this.#compile(experiment.ownScheme)
      } catch (error) {
        const sentence = error instanceof Error ? error.message : String(error)
        run.failure = { sentence, cause: 'scheme' }
        this.changed()
        return
      }
    }
    if (generation !== this.#generation) return
    run.runner = startRunner(
      {
        type: 'start',
        text: textOf(experiment),
        sourceName: sourceNameOf(experiment),
        settings: laneSettings(experiment, lane),
        ownScheme,
      },
      (message) => {
        if (generation === this.#generation) this.#hear(run, message)
      },
    )
  }

  #hear(run: LaneRun, message: FromRun): void {
    switch (message.type) {
      case 'hello':
        return
      case 'scene':
        run.recording = new Recording(message)
        if (message.ownCard !== '') {
          this.ownCard = cardFrom(message.ownCard)
          this.#tell('experiment')
        }
        break
      case 'frames':
        run.recording?.add(message)
        break
      case 'circuit':
        run.recording?.circuits.add(message.steps)
        break
      case 'halve':
        run.recording?.halve()
        break
      case 'done':
        run.result = JSON.parse(message.result, reviveNumber) as LaneResult
        break
      case 'failed':
        run.failure = { sentence: message.sentence, cause: message.cause }
        break
    }
    this.changed()
  }

  /** Lanes that have something to show. */
  get shown(): (LaneRun & { recording: Recording })[] {
    return this.lanes.filter(
      (run): run is LaneRun & { recording: Recording } => run.recording !== undefined,
    )
  }

  /** The end of time: of the longest run, as far as it is known. */
  get endPs(): number {
    let end = 0
    for (const { recording, result } of this.shown) {
      const known = result === undefined ? recording.scene.untilPs : recording.nowPs
      end = Math.max(end, known)
    }
    return end
  }

  /** How far the clock may go: where the slowest run that goes on is. */
  get frontierPs(): number {
    let frontier = Infinity
    for (const { recording, result, failure } of this.lanes) {
      if (result !== undefined || failure !== undefined) continue
      frontier = Math.min(frontier, recording?.nowPs ?? 0)
    }
    return Math.min(frontier, this.endPs)
  }

  get isSimulating(): boolean {
    return this.lanes.some(({ result, failure }) => result === undefined && failure === undefined)
  }

  /** Simulated picoseconds a second of playing. */
  get pacePs(): number {
    return (this.endPs / SHOW_SECONDS) * this.speed
  }

  play(isPlaying: boolean): void {
    if (isPlaying && !this.isSimulating && this.playheadPs >= this.endPs) this.playheadPs = 0
    this.isPlaying = isPlaying
    this.changed()
  }

  seek(timePs: number): void {
    this.playheadPs = Math.max(0, Math.min(timePs, this.frontierPs))
    this.#tell('tick')
  }

  step(frames: number): void {
    this.isPlaying = false
    const interval = this.shown[0]?.recording.intervalPs ?? 0
    this.seek(this.playheadPs + frames * interval)
    this.changed()
  }

  select(pin: Pin | undefined): void {
    this.selected = pin
    this.changed()
  }

  togglePin(pin: Pin): void {
    const isPinned = this.pins.some(({ name }) => name === pin.name)
    this.pins = isPinned ? this.pins.filter(({ name }) => name !== pin.name) : [...this.pins, pin]
    this.changed()
  }

  showInside(variable: string): void {
    this.inside = variable
    this.changed()
  }

  zoom(rangePs: readonly [number, number] | undefined): void {
    this.zoomPs = rangePs
    this.changed()
  }

  /** Views draw at most once a picture, however often something changes. */
  changed(): void {
    this.#isStateDue = true
  }

  /**
   * Does something soon, one thing a picture, so that a lot of drawing never keeps a key waiting.
   * What was asked for with the same key before and is not done is forgotten.
   */
  later(key: object, task: () => void): void {
    this.#later.set(key, task)
  }

  readonly #onFrame = (nowMs: number): void => {
    requestAnimationFrame(this.#onFrame)
    const passedMs = Math.min(100, nowMs - this.#lastMs)
    this.#lastMs = nowMs
    if (passedMs > 0) {
      this.framesPerSecond += (1000 / passedMs - this.framesPerSecond) * 0.05
    }
    if (this.isPlaying) {
      const before = this.playheadPs
      this.playheadPs = Math.min(before + (this.pacePs * passedMs) / 1000, this.frontierPs)
      if (!this.isSimulating && this.playheadPs >= this.endPs) {
        this.isPlaying = false
        this.changed()
      }
      this.#tell('tick')
    }
    for (const [key, task] of this.#later) {
      this.#later.delete(key)
      task()
      break
    }
    if (!this.#isStateDue) return
    this.#isStateDue = false
    this.#tell('state')
  }

  #tell(what: Happening): void {
    for (const listener of this.#listeners[what]) listener()
  }
}

/** JSON has no NaN: it is written as null, and no number of a result is ever null otherwise. */
function reviveNumber(_key: string, value: unknown): unknown {
  return value === null ? NaN : value
}

/**
 * The card of a user's scheme comes from its sandbox: what is no description of a knob is left out.
 */
function cardFrom(json: string): SchemeCard {
  const card = JSON.parse(json) as SchemeCard
  const isTold = ([, param]: [string, unknown]): boolean => {
    const it = param as Record<string, unknown> | null
    return (
      typeof it === 'object' &&
      it !== null &&
      ['unit', 'about', 'source'].every((key) => typeof it[key] === 'string') &&
      ['number', 'boolean', 'string'].includes(typeof it['default']) &&
      (it['choices'] === undefined || Array.isArray(it['choices']))
    )
  }
  const params = Object.fromEntries(Object.entries(card.params ?? {}).filter(isTold))
  const presets = Object.fromEntries(
    Object.entries(card.presets ?? {}).filter(
      ([, preset]) => typeof preset === 'object' && preset !== null,
    ),
  )
  const words = { name: String(card.name), title: String(card.title), cite: String(card.cite) }
  return { ...words, needs: [], params, presets }
}
