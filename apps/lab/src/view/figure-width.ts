/** How wide a figure is drawn, in units of its text: what is scaled to a phone is still read. */
import { createContext } from 'preact'
import type { Context } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Plot } from '../../../../experiments/figure.ts'
import { isMeasured } from '../../../../experiments/plotted.ts'

const WIDE = 720
const NARROW = 400

function matching(query: string): MediaQueryList | undefined {
  return typeof matchMedia === 'function' ? matchMedia(query) : undefined
}

/** Follows a media query. */
export function useMatch(query: string): boolean {
  const [does, setDoes] = useState(() => matching(query)?.matches === true)
  useEffect(() => {
    const asked = matching(query)
    const follow = (): void => setDoes(asked?.matches === true)
    asked?.addEventListener('change', follow)
    return () => asked?.removeEventListener('change', follow)
  }, [query])
  return does
}

/** Bars that take more than half again the height of other plots: so many, about. */
export function isTall({ kind, curves }: Plot): boolean {
  const words = new Set(curves.flatMap(({ x }) => x.map(String))).size
  const own = Math.max(1, curves.filter(isMeasured).length)
  return kind === 'bars' && words * (own + 1) > TALL
}

const TALL = 40

/** Whether a picture of this width is drawn for a phone. */
export function isNarrowWidth(width: number): boolean {
  return width === NARROW
}

/** Whether plots stand beside each other, where each is as wide as on a phone. */
export const Beside: Context<boolean> = createContext(false)

export function useFigureWidth(): number {
  const isPhone = useMatch('(max-width: 700px)')
  return useContext(Beside) || isPhone ? NARROW : WIDE
}
