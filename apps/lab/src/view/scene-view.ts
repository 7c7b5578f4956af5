/**
 * A lane's picture of the network on a canvas, drawn at every tick. Pointing says what something
 * is, a click keeps it said and selects it or opens a rack, dragging turns a cube, and two fingers
 * look closer.
 */
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { LaneRun, Session } from '../model/session.ts'
import { html } from './html.ts'
import { Painter } from './painter.ts'

interface SceneProps {
  readonly session: Session
  readonly run: LaneRun
  readonly title: string
  readonly colouredRows: ReadonlyMap<number, number>
}

export function SceneView({ session, run, title, colouredRows }: SceneProps): VNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const whole = useRef<HTMLButtonElement>(null)
  const painter = useRef<Painter | undefined>(undefined)
  useEffect(() => {
    if (canvas.current === null || tip.current === null || whole.current === null) return undefined
    const beside = { tip: tip.current, whole: whole.current }
    const made = new Painter(canvas.current, beside, session)
    painter.current = made
    return () => made.end()
  }, [session])
  useEffect(() => painter.current?.show(run, colouredRows))
  const label =
    `${title}: the network, what each link carries of each flow, queues and pauses. ` +
    'The list of busy ports below has the same as text.'
  return html`<canvas ref=${canvas} class="scene" role="img" aria-label=${label}></canvas>
    <button ref=${whole} class="whole" hidden onClick=${() => painter.current?.showWhole()}>
      Whole network
    </button>
    <div ref=${tip} class="tip" hidden></div>`
}
