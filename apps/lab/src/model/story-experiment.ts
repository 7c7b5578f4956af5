/** A story's step as an experiment, with what of it this lab cannot show. */
import { parseSize, parseTime } from '@weir/engine'
import { schemes } from '@weir/schemes'
import type { SceneNote } from '../scene/notes.ts'
import type { Level } from '../scene/tanks.ts'
import type { StoryStep } from '../stories/story.ts'
import { experimentOf, laneOf, ownSchemeOf } from './experiment.ts'
import type { Experiment, Lane } from './experiment.ts'
import type { Pin } from './session.ts'

export function storyExperiment(step: StoryStep): { experiment: Experiment; missing: string[] } {
  const wanted = (step.schemes ?? []).map((lane): Lane => {
    if (typeof lane === 'string') return laneOf(lane)
    return { scheme: lane.scheme, preset: lane.preset ?? '', params: lane.params ?? {} }
  })
  const isKnown = ({ scheme }: Lane): boolean => schemes.some(({ name }) => name === scheme)
  const missing = wanted.filter((lane) => !isKnown(lane)).map(({ scheme }) => scheme)
  const lanes = wanted.filter(isKnown)
  const settings = step.settings ?? []
  const base = experimentOf(step.scenario ?? '', [], settings)
  const text = step.spec ?? ''
  const own =
    lanes.length > 0 ? lanes : text === '' ? base.lanes : [laneOf(ownSchemeOf(text, settings))]
  return { experiment: { ...base, text, lanes: own }, missing }
}

export function storyPins({ look = [] }: StoryStep): Pin[] {
  return look.map((name) => ({ kind: name.includes('->') ? 'port' : 'flow', name }))
}

/** What a story's step sets besides the experiment. */
export interface Told {
  readonly atPs: number
  readonly speed: number
  readonly zoomPs: readonly [number, number] | undefined
  /** Ids of plot rows, in order; none: the usual ones. */
  readonly plotted: readonly string[]
  /** Number of the lane that it is about. */
  readonly lane: number
  readonly inside: string
  /** Flows that are plotted; none: as many as there is room for. */
  readonly flows: readonly string[]
  readonly notes: readonly SceneNote[]
  readonly levels: readonly Level[]
  /** Flows that stand out; none: all are alike. */
  readonly bright: ReadonlySet<string>
  /** Rates are means of this part of the run. */
  readonly windowPart: number
  readonly hasPackets: boolean
  readonly hasCredits: boolean
  readonly hasCircuit: boolean
}

/** A number keeps its unit on its line. */
export function withUnits(text: string): string {
  return text.replaceAll(/(\d) (?=(?:%|[GM]b\/s|[num]s|KB|bytes)(?!\w))/gu, '$1\u00A0')
}

export function storyTold(step: StoryStep): Told {
  const ps = (text: string | undefined, or: number): number =>
    text === undefined ? or : parseTime(text)
  const inside = step.plot?.find((id) => id.startsWith('inside '))?.slice('inside '.length) ?? ''
  return {
    atPs: ps(step.at, 0),
    speed: step.speed ?? 1,
    zoomPs: step.zoom === undefined ? undefined : [ps(step.zoom[0], 0), ps(step.zoom[1], 0)],
    plotted: step.plot ?? [],
    lane: 'ABC'.indexOf(step.lane ?? 'A'),
    flows: step.flows ?? [],
    inside,
    notes: (step.notes ?? []).map(({ at, text, side = 'below', from, to }) => ({
      ...{
        at,
        side,
        text: withUnits(text),
      },
      fromPs: ps(from, 0),
      toPs: ps(to, Infinity),
    })),
    levels: (step.levels ?? []).map(([name, size]) => ({ name, bytes: parseSize(size) })),
    bright: new Set(step.bright ?? []),
    windowPart: step.smooth === true ? 1 / 15 : step.sharp === true ? 1 / 640 : 1 / 60,
    hasPackets: step.packets ?? false,
    hasCredits: step.credits ?? true,
    hasCircuit: step.circuit ?? true,
  }
}
