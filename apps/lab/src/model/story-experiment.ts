/** A story's step as an experiment, with what of it this lab cannot show. */
import { schemes } from '@weir/schemes'
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
