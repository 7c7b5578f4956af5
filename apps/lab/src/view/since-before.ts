/** Under the clock: what was turned since the run before, what came of it, and the way back. */
import type { VNode } from 'preact'
import type { Experiment } from '../model/experiment.ts'
import { outcome, turned } from '../model/since-before.ts'
import type { LaneResult, LaneRun, Session } from '../model/session.ts'
import { html } from './html.ts'
import { letterOf } from './lanes.ts'

interface SinceProps {
  readonly session: Session
  onChange(experiment: Experiment): void
}

export function SinceBefore({ session, onChange }: SinceProps): VNode | undefined {
  const { lanes, experiment } = session
  const changed = lanes.flatMap((run, i) => (run.before === undefined ? [] : [{ run, i }]))
  const first = changed[0]?.run.before
  if (first === undefined) return undefined
  return html`<div class="since" id="since">
    <ul role="status">
      ${changed.map(({ run, i }) => {
        const { before, lane } = run
        const result = answerOf(run)
        const letter = lanes.length > 1 ? `${letterOf(i)}: ` : ''
        return html`<li key=${i}>
          <strong>${letter}${turned(before!, experiment, lane)}</strong>
          <span>${result === undefined ? 'running' : outcome(before!.result, result)}</span>
        </li>`
      })}
    </ul>
    <span class="hint"><i class="ghost-key"></i>faint lines: the run before</span>
    <button onClick=${() => onChange(first.experiment)}>Turn it back</button>
    <button onClick=${() => session.forgetBefore()}>Hide</button>
  </div>`
}

/** While a knob moves one run follows another: the last that is over is the answer so far. */
function answerOf({ result, oldResult, isLive, before }: LaneRun): LaneResult | undefined {
  if (result !== undefined || !isLive) return result
  return oldResult === before?.result ? undefined : oldResult
}
