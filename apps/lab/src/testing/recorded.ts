/** A lane of a story's step as the page would record it, without a page. */
import { createRun } from '@weir/sim'
import { laneSpec } from '../model/experiment.ts'
import { Recording } from '../model/recording.ts'
import { storyExperiment } from '../model/story-experiment.ts'
import type { StoryStep } from '../stories/story.ts'
import { maxMinJain } from '../worker/fair-shares.ts'
import { Recorder } from '../worker/recorder.ts'
import type { LaneResult } from '../model/lane-run.ts'

export interface RecordedLane {
  readonly recording: Recording
  readonly result: LaneResult
}

/** `settings`: besides those of the step, such as an earlier end. */
export function recordedLanes(step: StoryStep, settings: readonly string[] = []): RecordedLane[] {
  const { experiment } = storyExperiment({
    ...step,
    settings: [...(step.settings ?? []), ...settings],
  })
  return experiment.lanes.map((lane) => {
    const spec = laneSpec(experiment, lane, undefined)
    const run = createRun({ ...spec, run: { ...spec.run, drainPs: 0 } })
    const recorder = new Recorder(run, step.packets ?? false)
    const recording = new Recording(recorder.scene('', ''))
    for (let nextPs = 0, goesOn = true; goesOn;) {
      nextPs += recorder.intervalPs
      goesOn = run.step(nextPs)
      recorder.take(goesOn ? nextPs : Math.min(run.nowPs, nextPs))
      const packets = recorder.packets?.hand(run.nowPs)
      if (packets !== undefined) recording.packets.add(packets)
      recording.add(recorder.hand().frames)
      if (recorder.kept < recorder.framesMax || !goesOn) continue
      recorder.halve()
      recording.halve()
    }
    return { recording, result: { ...run.result(), maxMinJain: maxMinJain(run) } }
  })
}

/** Mean over a part of time of what pictures hold; where there is nothing, it does not count. */
export function meanIn(
  { intervalPs }: Recording,
  values: ArrayLike<number | null>,
  fromUs: number,
  toUs: number,
): number {
  let [sum, count] = [0, 0]
  for (let i = Math.ceil((fromUs * 1e6) / intervalPs); i < values.length; i++) {
    const value = values[i] ?? null
    if ((i + 1) * intervalPs > toUs * 1e6) break
    if (value === null) continue
    sum += value
    count++
  }
  return sum / count
}
