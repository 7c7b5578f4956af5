/** The view library: preact, with templates that need no build step of their own. */
import htm from 'htm'
import { h } from 'preact'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Happening, Session } from '../model/session.ts'

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode = htm.bind(h) as (
  strings: TemplateStringsArray,
  ...values: unknown[]
) => VNode

/** Draws the view again whenever this happens in the session. */
export function useSession(session: Session, what: Happening): void {
  const [, again] = useState(0)
  useEffect(() => session.listen(what, () => again((n) => n + 1)), [session, what])
}

export function isDarkNow(): boolean {
  return document.documentElement.dataset['theme'] === 'dark'
}

/** Calls at most once in so many milliseconds, and once more at the end of a row of calls. */
export function throttled(call: () => void, everyMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastMs = -Infinity
  return () => {
    if (timer !== undefined) return
    const waitMs = Math.max(0, lastMs + everyMs - performance.now())
    const now = (): void => {
      timer = undefined
      lastMs = performance.now()
      call()
    }
    if (waitMs === 0) now()
    else timer = setTimeout(now, waitMs)
  }
}
