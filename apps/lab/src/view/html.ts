/** The view library: preact, with templates that need no build step of their own. */
import htm from 'htm'
import { h } from 'preact'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Session } from '../model/session.ts'

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode = htm.bind(
  h,
) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode

/** Draws the view again whenever the session's state has changed. */
export function useSession(session: Session): void {
  const [, again] = useState(0)
  useEffect(() => session.listen('state', () => again((n) => n + 1)), [session])
}

export function isDarkNow(): boolean {
  return document.documentElement.dataset['theme'] === 'dark'
}
