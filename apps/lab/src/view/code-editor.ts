/** A code editor that is loaded when it is first shown; until then, and without it, a text area. */
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { EditorHandle, EditorKind } from '../editor/editor.ts'
import { html } from './html.ts'

interface CodeEditorProps {
  readonly kind: EditorKind
  readonly text: string
  readonly label: string
  readonly id: string
  onChange(text: string): void
}

export function CodeEditor({ kind, text, label, id, onChange }: CodeEditorProps): VNode {
  const place = useRef<HTMLDivElement>(null)
  const handle = useRef<EditorHandle | undefined>(undefined)
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    let isGone = false
    void import('../editor/editor.ts').then(({ makeEditor }) => {
      if (isGone || place.current === null) return
      const report = (now: string): void => change.current(now)
      handle.current = makeEditor(place.current, { kind, text, label, onChange: report })
    })
    return () => {
      isGone = true
      handle.current?.end()
      handle.current = undefined
    }
  }, [kind])
  useEffect(() => handle.current?.setText(text), [text])
  return html`<div class="editor" id=${id} ref=${place}></div>`
}
