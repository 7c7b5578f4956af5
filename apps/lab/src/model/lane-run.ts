/**
 * A lane and its run: what was recorded so far, its result, and the run whose place it took. While
 * a knob moves, the picture of the run before stays until the new one has come as far.
 */
import type { Result } from '@weir/sim'
import type { SchemeCard } from '@weir/schemes'
import type { Runner } from '../run/runner.ts'
import type { FromRun } from '../worker/protocol.ts'
import { laneSettings, OWN, textOf } from './experiment.ts'
import type { Experiment, Lane } from './experiment.ts'
import { Recording } from './recording.ts'

/** A result as a worker sends it: the time series are the recording. */
export type LaneResult = Omit<Result, 'series'> & {
  /** `worker/fair-shares.ts`; none: it was not computed. */
  readonly maxMinJain?: number
}

/** A run that was over when another took its place. */
export interface Before {
  readonly experiment: Experiment
  readonly lane: Lane
  readonly recording: Recording
  readonly result: LaneResult
}

export interface LaneRun {
  lane: Lane
  /** What decides its course: runs of the same key are the same. */
  readonly key: string
  recording: Recording | undefined
  /** Of a run that took another's place, as long as `recording` is still the other's. */
  fresh: Recording | undefined
  isStale: boolean
  result: LaneResult | undefined
  /** The last that stood in this place: shown, and called old, until there is a new one. */
  oldResult: LaneResult | undefined
  failure: { readonly sentence: string; readonly cause: string } | undefined
  runner: Runner | undefined
  before: Before | undefined
  /** It answers a knob that is still moving. */
  isLive: boolean
  /** It was asked to note packets that are no flow's. */
  hasPackets: boolean
}

export function runKey(experiment: Experiment, lane: Lane): string {
  const own = lane.scheme === OWN ? experiment.ownScheme : ''
  return JSON.stringify([textOf(experiment), laneSettings(experiment, lane), own])
}

export function newRun(experiment: Experiment, lane: Lane): LaneRun {
  return {
    lane,
    key: runKey(experiment, lane),
    recording: undefined,
    fresh: undefined,
    isStale: false,
    result: undefined,
    oldResult: undefined,
    failure: undefined,
    runner: undefined,
    before: undefined,
    isLive: false,
    hasPackets: false,
  }
}

/** A run in the place of another: the other's picture stays for now, and its lines as ghosts. */
export function runAfter(
  old: LaneRun,
  oldExperiment: Experiment,
  experiment: Experiment,
  lane: Lane,
): LaneRun {
  const run = newRun(experiment, lane)
  const { recording, result, isStale } = old
  const isOver = recording !== undefined && result !== undefined && !isStale
  // Of a knob that moves, the run before is the one from before it moved.
  run.before =
    isOver && !old.isLive
      ? { experiment: oldExperiment, lane: old.lane, recording, result }
      : old.before
  run.recording = recording
  run.oldResult = result ?? old.oldResult
  run.isStale = recording !== undefined
  return run
}

/** The same once more with its packets noted, if there are any; undefined: there is no need. */
export function runWithPackets(old: LaneRun, experiment: Experiment): LaneRun | undefined {
  const { recording, fresh, hasPackets, failure } = old
  const scene = (fresh ?? recording)?.scene
  const isNeedless = scene !== undefined && !old.isStale && scene.packets !== 'possible'
  if (hasPackets || isNeedless || failure !== undefined) return undefined
  old.runner?.end()
  const run = runAfter(old, experiment, experiment, old.lane)
  run.before = old.before
  run.isLive = old.isLive
  return run
}

/** Takes what a run says. `playheadPs`: a new picture is shown when it has come as far. */
export function hear(run: LaneRun, message: FromRun, playheadPs: number): void {
  switch (message.type) {
    case 'hello':
      return
    case 'scene':
      if (run.isStale) run.fresh = new Recording(message)
      else run.recording = new Recording(message)
      return
    case 'frames':
      own(run)?.add(message)
      break
    case 'circuit':
      own(run)?.circuits.add(message)
      break
    case 'packets':
      own(run)?.packets.add(message)
      break
    case 'halve':
      own(run)?.halve()
      break
    case 'done':
      run.result = JSON.parse(message.result, reviveNumber) as LaneResult
      end(own(run), run.result)
      break
    case 'failed':
      run.failure = { sentence: message.sentence, cause: message.cause }
      break
  }
  if (!run.isStale) return
  const isFar = run.fresh !== undefined && run.fresh.nowPs >= playheadPs
  if (!isFar && run.result === undefined && run.failure === undefined) return
  settle(run)
}

/** Where every flow has ended there is nothing more to see; a deadlock stays in the picture. */
function end(recording: Recording | undefined, { ended }: LaneResult): void {
  if (recording === undefined || ended.why !== 'completed') return
  if (recording.nowPs < recording.scene.untilPs) recording.overPs = recording.nowPs
}

/** From here on the picture is its own. */
export function settle(run: LaneRun): void {
  if (!run.isStale) return
  run.recording = run.fresh
  run.fresh = undefined
  run.isStale = false
}

function own(run: LaneRun): Recording | undefined {
  return run.isStale ? run.fresh : run.recording
}

/** JSON has no NaN: it is written as null, and no number of a result is ever null otherwise. */
function reviveNumber(_key: string, value: unknown): unknown {
  return value === null ? NaN : value
}

/**
 * The card of a user's scheme comes from its sandbox: what is no description of a knob is left out.
 */
export function cardFrom(json: string): SchemeCard {
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
