/**
 * The spec as text: edited with completion, checked as it is typed, opened from and saved to files.
 */
import { loadSpec } from '@weir/sim'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { save } from '../export/save.ts'
import { fileNameOf } from '../model/command.ts'
import type { Experiment } from '../model/experiment.ts'
import { laneOf, sourceNameOf, textOf } from '../model/experiment.ts'
import type { Session } from '../model/session.ts'
import { CodeEditor } from './code-editor.ts'
import type { Source } from './code-editor.ts'
import { html, useSession } from './html.ts'

interface SpecProps {
  readonly session: Session
  onChange(experiment: Experiment): void
}

const FILE_BYTES_MAX = 1e6

export function SpecPanel({ session, onChange }: SpecProps): VNode {
  useSession(session, 'experiment')
  const { experiment } = session
  const [draft, keep] = useState(session.draftOf('spec', textOf(experiment)))
  const setDraft = (text: string): void => {
    session.drafts.set('spec', { base: textOf(session.experiment), text })
    keep(text)
  }
  const [source, setSource] = useState<Source>({ text: draft })
  const replace = (text: string): void => {
    setSource({ text })
    setDraft(text)
  }
  // Another experiment was opened, here or by the URL: its text replaces the draft.
  const shown = useRef(textOf(experiment))
  useEffect(() => {
    if (textOf(experiment) === shown.current) return
    shown.current = textOf(experiment)
    if (textOf(experiment) !== draft) replace(textOf(experiment))
  }, [textOf(experiment)])
  const problem = problemOf(draft, sourceNameOf(experiment))
  const run = (): void => {
    if (problem === '') onChange({ ...experiment, text: draft })
  }
  const open = async (event: Event): Promise<void> => {
    const file = (event.target as HTMLInputElement).files?.[0]
    if (file === undefined || file.size > FILE_BYTES_MAX) return
    const text = await file.text()
    replace(text)
    if (problemOf(text, file.name) !== '') return
    const scheme = loadSpec({ text }).scheme.name
    onChange({ ...experiment, scenario: '', text, settings: [], lanes: [laneOf(scheme)] })
  }
  return html`<section class="spec" aria-label="Spec">
    <h2>Spec</h2>
    <p class="hint">
      A fabric, its traffic and a scheme. Press Ctrl-Space for what can stand at the cursor.
    </p>
    <${CodeEditor}
      kind="spec"
      id="spec-editor"
      label="Spec, YAML"
      source=${source}
      onChange=${setDraft}
    />
    <p class=${problem === '' ? 'fine' : 'failure'} role="status" id="spec-problem">
      ${problem === '' ? 'The spec is complete.' : problem}
    </p>
    <div class="row wrap">
      <button class="primary" onClick=${run} disabled=${problem !== ''} id="run-spec">
        Run it
      </button>
      <label class="button">
        Open a file
        <input type="file" accept=".yaml,.yml,.json" onChange=${open} class="off-screen" />
      </label>
      <button onClick=${() => save(fileNameOf(experiment), draft, 'text/yaml')}>Save</button>
    </div>
  </section>`
}

export function problemOf(text: string, sourceName: string): string {
  try {
    loadSpec({ text, sourceName })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
