/** Write a scheme in TypeScript, see its type errors, and run it beside the others. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { save } from '../export/save.ts'
import { OWN } from '../model/experiment.ts'
import type { Session } from '../model/session.ts'
import { askTypes } from '../own/compile.ts'
import { starter } from '../own/starter.ts'
import type { Problem } from '../own/types-worker.ts'
import { CodeEditor } from './code-editor.ts'
import type { Source } from './code-editor.ts'
import { html, useSession } from './html.ts'

interface OwnProps {
  readonly session: Session
  onRun(code: string): void
}

const CHECK_AFTER_MS = 400
const FILE_BYTES_MAX = 1e6

export function OwnScheme({ session, onRun }: OwnProps): VNode {
  useSession(session, 'state')
  const base = session.experiment.ownScheme || starter
  const [code, keep] = useState(session.draftOf('own', base))
  const setCode = (text: string): void => {
    session.drafts.set('own', { base: session.experiment.ownScheme || starter, text })
    keep(text)
  }
  const [source, setSource] = useState<Source>({ text: code })
  const replace = (text: string): void => {
    setSource({ text })
    setCode(text)
  }
  const [problems, setProblems] = useState<readonly Problem[]>([])
  useEffect(() => {
    let isOld = false
    const timer = setTimeout(() => {
      void askTypes('check', code).then((answer) => {
        if (!isOld) setProblems(answer.problems)
      })
    }, CHECK_AFTER_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [code])
  const open = async (event: Event): Promise<void> => {
    const file = (event.target as HTMLInputElement).files?.[0]
    if (file !== undefined && file.size < FILE_BYTES_MAX) replace(await file.text())
  }
  const failure = session.lanes.find(({ lane }) => lane.scheme === OWN)?.failure
  return html`<section class="own" aria-label="Your scheme">
    <h2>Your scheme</h2>
    <p class="hint">
      A scheme is code at three places: what a switch port does (contention point), what the
      receiver sends back (notification point), what the sender does about it (reaction point). It
      runs in a sandbox without network and never leaves this page. Ctrl-Space completes.
    </p>
    <${CodeEditor}
      kind="scheme"
      id="own-editor"
      label="Scheme, TypeScript"
      source=${source}
      onChange=${setCode}
    />
    <ul class="problems" role="status" id="own-problems">
      ${
        problems.length === 0
          ? html`<li class="fine">No type errors.</li>`
          : problems
              .slice(0, 6)
              .map(({ line, message }) => html`<li class="failure">Line ${line}: ${message}</li>`)
      }
    </ul>
    ${failure !== undefined && html`<p class="failure" role="alert">${failure.sentence}</p>`}
    <div class="row wrap">
      <button class="primary" id="run-own" onClick=${() => onRun(code)}>
        Run beside the others
      </button>
      <label class="button">
        Open a file
        <input type="file" accept=".ts" onChange=${open} class="off-screen" />
      </label>
      <button onClick=${() => save('my-scheme.ts', code, 'text/typescript')}>Save</button>
      <button onClick=${() => replace(starter)}>Begin anew</button>
    </div>
  </section>`
}
