/** Where the run is, on a plot over time: what comes later is dimmed. */
import type uPlot from 'uplot'
import type { Session } from '../model/session.ts'

/**
 * The playhead is the left edge of what dims the future, an element over the plot: moving it draws
 * no plot anew and lays out nothing. That of a plot which is out of sight waits.
 */
export function followPlayhead(plot: uPlot, session: Session): () => void {
  const future = document.createElement('div')
  future.className = 'future'
  plot.over.append(future)
  let shownPx = NaN
  let isInSight = true
  const move = (): void => {
    if (!isInSight) return
    const x = Math.max(-2, Math.round(plot.valToPos(session.playheadPs, 'x')))
    if (x === shownPx) return
    shownPx = x
    future.style.transform = `translateX(${x}px)`
  }
  const sight = new IntersectionObserver(([entry]) => {
    isInSight = entry?.isIntersecting ?? true
    move()
  })
  sight.observe(plot.over)
  // Where time is on the plot changes with its zoom and width.
  ;(plot.hooks.draw ??= []).push(move)
  const unlisten = [session.listen('tick', move), session.listen('state', move)]
  return () => {
    sight.disconnect()
    unlisten.forEach((stop) => stop())
  }
}
