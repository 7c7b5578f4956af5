/**
 * Advances a run up to a time and looks after each event of a node. Nodes run one after the other
 * within a window, so what is seen of several of them at once may be of different times.
 */
import type { Run } from '../run.ts'

export function eachEvent(run: Run, untilPs: number, look: () => void): void {
  const { windows } = run.network
  const next = windows.next.bind(windows)
  windows.next = () => {
    look()
    return next()
  }
  run.step(untilPs)
  windows.next = next
}
