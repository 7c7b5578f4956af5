/**
 * What is going on: the experiment, its lanes' runs and recordings, and the clock that all of them
 * share. Views listen for what they show: the experiment, the state of its runs, or the clock.
 * Runs simulate ahead; the clock plays their recordings back and waits where the slowest is.
 */
import { shortTime } from '@weir/engine'
import type { SchemeCard } from '@weir/schemes'
import { startRunner } from '../run/runner.ts'
import type { FromRun } from '../worker/protocol.ts'
import { laneSettings, OWN, sourceNameOf, textOf } from './experiment.ts'
import type { Experiment, Lane } from './experiment.ts'
import { cardFrom, hear, newRun, runAfter, runKey, runWithPackets, settle } from './lane-run.ts'
import type { LaneRun } from './lane-run.ts'
import { toggled } from './pins.ts'
import type { Pin } from './pins.ts'
import type { Recording } from './recording.ts'
import type { Told } from './story-experiment.ts'
import { zoomedAbout, zoomedBy } from './zoom.ts'

export type { LaneResult, LaneRun } from './lane-run.ts'
export type { Pin } from './pins.ts'

/** A text that is being written, and the one that it was made from. */
export interface Draft {
  readonly base: string
  readonly text: string
}

export type Listener = () => void

/** What a person chooses of how a run is shown. */
type Choice = 'windowPart' | 'hasTotal' | 'isOverlaid' | 'inside' | 'hasPackets' | 'openRack'

/** `experiment`: another one, or its own scheme is known; `state`: more of it; `tick`: time. */
export type Happening = 'experiment' | 'state' | 'tick'

/** Wall-clock seconds in which a whole run is shown at speed 1. */
const SHOW_SECONDS = 16
/** A run of more events, some two seconds, answers a knob when it is let go. */
const LIVE_EVENTS = 2e6

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
  /** What a story's step sets; undefined outside stories. */
  told: Told | undefined = undefined
  /** A question is open: the future is hidden. */
  isAsking: boolean = false
  /** In a large network: the switch whose rack is drawn host by host; '': none. */
  openRack: string = ''
  /** Heartbeats and marks are drawn. */
  hasPackets: boolean = false
  /** The variable of the schemes' inside that is plotted; '': the first. */
  inside: string = ''
  /** Rates are means of this part of the run. */
  windowPart: number = 1 / 60
  /** The total and the link that flows share are in plots of rates; undefined: if they fit. */
  hasTotal: boolean | undefined = undefined
  /** Lanes over each other in one plot, instead of beside each other. */
  isOverlaid: boolean = false
  /** Texts that were changed and not run, by editor: they survive a change of tab. */
  readonly drafts: Map<string, Draft> = new Map()
  /** Schemes that the person wrote, or has said may run. */
  readonly trusted: Set<string> = new Set()
  /** The part of time that plots show; undefined: all of it. */
  zoomPs: readonly [number, number] | undefined = undefined
  readonly #listeners: Record<Happening, Set<Listener>> = {
    experiment: new Set(),
    state: new Set(),
    tick: new Set(),
  }
  readonly #compile: (typescript: string) => Promise<string>
  /** What a knob that moves has come to while a run answers what it was before. */
  #asked: Experiment | undefined = undefined
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

  /** Begins the experiment from time 0. Lanes that are what they were do not run again. */
  start(experiment: Experiment, isPlaying: boolean = true): void {
    const isSameScenario = experiment.scenario === this.experiment.scenario
    this.playheadPs = 0
    this.isPlaying = isPlaying
    this.zoomPs = undefined
    if (!isSameScenario) {
      this.openRack = ''
      this.pins = []
      this.selected = undefined
    }
    this.#asked = undefined
    this.#replace(experiment, (lane) => newRun(experiment, lane))
    for (const run of this.lanes) run.before = undefined
  }

  /**
   * The same scenario with other knobs: time and zoom stay, only lanes that changed run again, and
   * the runs before them stay as ghosts. `isLive`: the knob still moves, so that a run which is
   * under way is waited for, and only the last of what was asked meanwhile follows it.
   */
  change(experiment: Experiment, isLive: boolean = false): void {
    if (isLive && this.isSimulating) {
      this.#asked = experiment
      return
    }
    this.#asked = undefined
    const old = this.experiment
    const isSameLanes = experiment.lanes.length === this.lanes.length
    this.#replace(experiment, (lane, i) => {
      const place = isSameLanes ? this.lanes[i] : undefined
      const run =
        place === undefined ? newRun(experiment, lane) : runAfter(place, old, experiment, lane)
      run.isLive = isLive
      return run
    })
    if (!isLive) for (const run of this.lanes) run.isLive = false
  }

  /** Sets the scene of a story's step; the runs are under way. */
  tell(told: Told, pins: readonly Pin[], isAsking: boolean): void {
    this.told = told
    this.isAsking = isAsking
    this.pins = pins
    this.selected = undefined
    this.playheadPs = told.atPs
    this.speed = told.speed
    this.zoomPs = told.zoomPs
    const { inside, windowPart, hasPackets } = told
    this.show({ inside, windowPart, hasPackets, hasTotal: undefined })
  }

  /** The question is answered: time goes on. */
  answer(isPlaying: boolean): void {
    this.isAsking = false
    this.isPlaying = isPlaying
    this.changed()
  }

  /** The story is left; the experiment stays. */
  untell(): void {
    this.told = undefined
    this.isAsking = false
    this.changed()
  }

  /** Ghosts are let go. */
  forgetBefore(): void {
    for (const run of this.lanes) run.before = undefined
    this.changed()
  }

  /** Small and quick enough that a knob is answered while it moves. */
  get answersWhileMoving(): boolean {
    return (
      this.lanes.length > 0 &&
      this.lanes.every(
        ({ recording }) => recording?.close !== undefined && recording.events < LIVE_EVENTS,
      )
    )
  }

  #replace(experiment: Experiment, make: (lane: Lane, index: number) => LaneRun): void {
    const left = [...this.lanes]
    const begun: LaneRun[] = []
    const lanes = experiment.lanes.map((lane, i) => {
      const key = runKey(experiment, lane)
      const at = left.findIndex((run) => run.key === key && run.failure === undefined)
      const [same] = at < 0 ? [] : left.splice(at, 1)
      if (same !== undefined) {
        same.lane = lane
        return same
      }
      const run = make(lane, i)
      begun.push(run)
      return run
    })
    for (const { runner } of left) runner?.end()
    this.experiment = experiment
    this.lanes = lanes
    for (const run of begun) void this.#startLane(run, experiment)
    this.#tell('experiment')
    this.changed()
  }

  /** Ends what runs; what was simulated stays. */
  halt(): void {
    for (const run of this.lanes) {
      if (run.result !== undefined || run.failure !== undefined) continue
      run.runner?.end()
      settle(run)
      const at = shortTime(run.recording?.nowPs ?? 0)
      run.failure = { sentence: `stopped at ${at}: what is shown is up to there`, cause: 'person' }
    }
    this.changed()
  }

  /** Zooms about the playhead; 2: half as much time is shown. */
  zoomBy(factor: number): void {
    this.zoom(zoomedBy(this.zoomPs, this.endPs, factor, this.playheadPs))
  }

  /** Zooms about a moment, which stays where it is, and moves what is shown. */
  zoomAbout(factor: number, aboutPs: number, moveByPs: number): void {
    this.zoom(zoomedAbout(this.zoomPs, this.endPs, factor, aboutPs, moveByPs))
  }

  async #startLane(run: LaneRun, experiment: Experiment): Promise<void> {
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
    if (!this.lanes.includes(run)) return
    run.runner = startRunner(
      {
        type: 'start',
        text: textOf(experiment),
        sourceName: sourceNameOf(experiment),
        settings: laneSettings(experiment, lane),
        ownScheme,
        hasPackets: (run.hasPackets = this.hasPackets),
      },
      (message) => {
        if (this.lanes.includes(run)) this.#hear(run, message)
      },
    )
  }

  #hear(run: LaneRun, message: FromRun): void {
    hear(run, message, this.playheadPs)
    if (message.type === 'scene' && message.ownCard !== '') {
      this.ownCard = cardFrom(message.ownCard)
      this.#tell('experiment')
    }
    this.changed()
    if (!this.isSimulating) this.playheadPs = Math.min(this.playheadPs, this.endPs)
    if (this.#asked !== undefined && !this.isSimulating) this.change(this.#asked, true)
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
    for (const { recording, result, failure } of this.shown) {
      // Of a run that was stopped there is what it came to, and no more.
      const isOver = result !== undefined || failure !== undefined
      end = Math.max(end, isOver ? recording.nowPs : recording.scene.untilPs)
    }
    return end
  }

  /** How far the clock may go: where the slowest run that goes on is. */
  get frontierPs(): number {
    let frontier = Infinity
    for (const { recording, result, failure, isStale } of this.lanes) {
      if (result !== undefined || failure !== undefined || isStale) continue
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

  /** Time waits while a question is open: what would pass is its answer. */
  play(isPlaying: boolean): void {
    if (this.isAsking) return
    if (isPlaying && !this.isSimulating && this.playheadPs >= this.endPs) this.playheadPs = 0
    this.isPlaying = isPlaying
    this.changed()
  }

  seek(timePs: number): void {
    if (this.isAsking) return
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
    this.pins = toggled(this.pins, pin)
    this.changed()
  }

  /** Another way to show what there is. */
  show(choice: Partial<Pick<Session, Choice>>): void {
    Object.assign(this, choice)
    if (choice.hasPackets === true) this.#notePackets()
    this.changed()
  }

  #notePackets(): void {
    const before = new Set(this.lanes)
    this.lanes = this.lanes.map((run) => runWithPackets(run, this.experiment) ?? run)
    const begun = this.lanes.filter((run) => !before.has(run))
    for (const run of begun) void this.#startLane(run, this.experiment)
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
      const next = Math.min(this.playheadPs + (this.pacePs * passedMs) / 1000, this.frontierPs)
      // Where a new run is not yet, the clock waits; it never goes back by itself.
      this.playheadPs = Math.max(this.playheadPs, next)
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
