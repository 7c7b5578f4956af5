/** What a story's step says, and what its run has to say to that. */
import type { Story, StoryStep } from '../stories/story.ts'
import { portByName } from '../scene/picture.ts'
import { TOTALS } from '../worker/protocol.ts'
import { meanIn } from './recorded.ts'
import type { RecordedLane } from './recorded.ts'

export const stepOf = ({ steps }: Story, title: string): StoryStep =>
  steps.find((step) => step.title === title)!

export const saidIn = ({ text }: StoryStep): string => text.join(' ')

/** Mean of what arrives of a flow, in Gb/s. */
export function gbps(lane: RecordedLane, flow: string, fromUs: number, toUs: number): number {
  const { recording } = lane
  const [rates] = recording.ratesOf([recording.rowOf.get(flow)!])
  return meanIn(recording, rates!, fromUs, toUs) / 1e9
}

/** Losses (0), marks (1) and pauses (2) of the whole run. */
export const totalOf = ({ recording }: RecordedLane, which: number): number =>
  recording.totals[(recording.count - 1) * TOTALS + which]!

/** A link's share that is used. */
export function useOf({ recording }: RecordedLane, port: string, from: number, to: number): number {
  return meanIn(recording, recording.utilisationOf(portByName(recording, port)), from, to)
}

export interface Held {
  readonly least: number
  readonly most: number
  readonly mean: number
}

/** What a queue holds within a time, in KB. */
export function heldIn(
  { recording }: RecordedLane,
  port: string,
  fromUs: number,
  toUs: number = Infinity,
): Held {
  const queue = recording.queueOf(portByName(recording, port))
  const us = recording.intervalPs / 1e6
  const kb = [...queue].filter((_, i) => i * us >= fromUs && (i + 1) * us <= toUs)
  const sum = kb.reduce((a, b) => a + b, 0)
  return { least: Math.min(...kb) / 1e3, most: Math.max(...kb) / 1e3, mean: sum / kb.length / 1e3 }
}

/** A variable of a flow's scheme, and when each value of it was first seen, in us. */
export function insideOf(
  { recording }: RecordedLane,
  flow: string,
  name: string,
): [number, number][] {
  const at = recording.scene.flowInternals.indexOf(name)
  const values = recording.internalOfFlow(recording.rowOf.get(flow)!, at)
  return values.flatMap((value, i): [number, number][] =>
    value === null || value === values[i - 1]
      ? []
      : [[((i + 1) * recording.intervalPs) / 1e6, value]],
  )
}
