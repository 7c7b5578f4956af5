/**
 * The code editor (CodeMirror 6), in a chunk of its own. It lives in a shadow root, where its
 * styles are adopted sheets: the page's content security policy forbids style elements.
 */
import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { linter, lintKeymap } from '@codemirror/lint'
import type { Diagnostic } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { askTypes } from '../own/compile.ts'
import { specCompletions, specProblem } from './spec-support.ts'

export type EditorKind = 'spec' | 'scheme'

export interface EditorHandle {
  setText(text: string): void
  end(): void
}

interface EditorOptions {
  readonly kind: EditorKind
  readonly text: string
  readonly label: string
  onChange(text: string): void
}

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--field)', color: 'var(--ink)', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-content': {
    fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
    caretColor: 'var(--ink)',
  },
  '.cm-scroller': { overflow: 'auto', height: '100%' },
  '.cm-gutters': { backgroundColor: 'var(--card)', color: 'var(--faint)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--selection) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
})

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-word)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment], color: 'var(--faint)', fontStyle: 'italic' },
  {
    tag: [tags.typeName, tags.className, tags.definition(tags.propertyName)],
    color: 'var(--code-type)',
  },
])

export function makeEditor(place: HTMLElement, options: EditorOptions): EditorHandle {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  root.replaceChildren()
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(':host { display: block } .cm-editor { height: 100% }')
  const view = new EditorView({
    root,
    parent: root as unknown as Element,
    state: EditorState.create({ doc: options.text, extensions: extensions(options) }),
  })
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  return {
    setText(text: string): void {
      const now = view.state.doc.toString()
      if (now !== text) view.dispatch({ changes: { from: 0, to: now.length, insert: text } })
    },
    end: () => view.destroy(),
  }
}

function extensions({ kind, label, onChange }: EditorOptions): Extension[] {
  const isSpec = kind === 'spec'
  return [
    lineNumbers(),
    history(),
    bracketMatching(),
    closeBrackets(),
    isSpec ? yaml() : javascript({ typescript: true }),
    syntaxHighlighting(colours),
    autocompletion({ override: [isSpec ? specCompletions : schemeCompletions] }),
    linter(isSpec ? specDiagnostics : schemeDiagnostics, { delay: 400 }),
    // Tab indents; Escape then Tab leaves the editor, as CodeMirror's own advice says.
    keymap.of([
      ...defaultKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    theme,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.lineWrapping,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString())
    }),
  ]
}

function specDiagnostics(view: EditorView): Diagnostic[] {
  const problem = specProblem(view.state.doc.toString())
  if (problem === undefined) return []
  const { doc } = view.state
  const line = doc.line(Math.min(doc.lines, Math.max(1, problem.line)))
  const from = Math.min(line.to, line.from + Math.max(0, problem.column - 1))
  return [{ from, to: line.to, severity: 'error', message: problem.message }]
}

async function schemeDiagnostics(view: EditorView): Promise<Diagnostic[]> {
  const text = view.state.doc.toString()
  const { problems } = await askTypes('check', text)
  return problems
    .filter(({ to }) => to <= text.length)
    .map(({ from, to, message }) => ({ from, to, message, severity: 'error' }))
}

async function schemeCompletions(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w$]*/u)
  const isAfterDot = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos) === '.'
  if (!context.explicit && !isAfterDot && (word === null || word.from === word.to)) return null
  const { words } = await askTypes('complete', context.state.doc.toString(), context.pos)
  return { from: word?.from ?? context.pos, options: [...words], validFor: /^[\w$]*$/u }
}
