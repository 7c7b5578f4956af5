/** A code editor that is loaded when it is first shown; until then, and without it, a text area. */
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { EditorHandle, EditorKind } from '../editor/editor.ts'
import { html } from './html.ts'

/** A text to begin with. Another object replaces what was typed; drafts are the owner's to keep. */
export interface Source {
  readonly text: string
}

interface CodeEditorProps {
  readonly kind: EditorKind
  readonly source: Source
  readonly label: string
  readonly id: string
  onChange(text: string): void
}

export function CodeEditor({ kind, source, label, id, onChange }: CodeEditorProps): VNode {
  const place = useRef<HTMLDivElement>(null)
  const handle = useRef<EditorHandle | undefined>(undefined)
  const latest = useRef({ source, onChange })
  latest.current = { source, onChange }
  useEffect(() => {
    let isGone = false
    void import('../editor/editor.ts').then(({ makeEditor }) => {
      if (isGone || place.current === null) return
      const { text } = latest.current.source
      const report = (now: string): void => latest.current.onChange(now)
      handle.current = makeEditor(place.current, { kind, text, label, onChange: report })
    })
    return () => {
      isGone = true
      handle.current?.end()
      handle.current = undefined
    }
  }, [kind])
  useEffect(() => handle.current?.setText(source.text), [source])
  return html`<div class="editor" id=${id} ref=${place}></div>`
}
