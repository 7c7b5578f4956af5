/** How wide a figure is drawn, in units of its text: what is scaled to a phone is still read. */
import { useEffect, useState } from 'preact/hooks'

const WIDE = 720
const NARROW = 400

function narrow(): MediaQueryList | undefined {
  return typeof matchMedia === 'function' ? matchMedia('(max-width: 700px)') : undefined
}

export function useFigureWidth(): number {
  const [isNarrow, setNarrow] = useState(() => narrow()?.matches === true)
  useEffect(() => {
    const query = narrow()
    const follow = (): void => setNarrow(query?.matches === true)
    query?.addEventListener('change', follow)
    return () => query?.removeEventListener('change', follow)
  }, [])
  return isNarrow ? NARROW : WIDE
}
