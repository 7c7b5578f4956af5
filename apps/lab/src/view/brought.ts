/** A link brings a scheme of its own: it is shown, and runs only when the person says so. */
import type { VNode } from 'preact'
import type { Experiment } from '../model/experiment.ts'
import { html } from './html.ts'

interface BroughtProps {
  readonly experiment: Experiment
  look(): void
  run(): void
}

export function Brought({ experiment, look, run }: BroughtProps): VNode {
  const lines = experiment.ownScheme.trim().split('\n').length
  return html`<div class="banner brought" role="alert">
    <p>
      <strong>This link brings a scheme of its own</strong>, ${lines} lines of code by whoever sent
      it. It has not been run. It would run in a sandbox without network and without access to this
      page.
    </p>
    <button onClick=${look} id="look-brought">Look at it</button>
    <button onClick=${run} id="run-brought">Run it</button>
  </div>`
}
