/**
 * A lane's picture of the network on a canvas, drawn at every tick; click to inspect, drag to turn.
 */
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Recording } from '../model/recording.ts'
import type { LaneRun, Session } from '../model/session.ts'
import { apartOf, drawScene, portAt } from '../scene/draw.ts'
import type { Picture } from '../scene/draw.ts'
import { layoutOf } from '../scene/layout.ts'
import type { Layout } from '../scene/layout.ts'
import { inkOf } from '../scene/palette.ts'
import { wiresOf } from '../scene/wires.ts'
import type { Wires } from '../scene/wires.ts'
import { html, isDarkNow } from './html.ts'

/** Between two pictures of a browser that has nothing to do. */
const PICTURE_MS = 17

interface SceneProps {
  readonly session: Session
  readonly run: LaneRun
  readonly title: string
  readonly colouredRows: ReadonlyMap<number, number>
}

export function SceneView({ session, run, title, colouredRows }: SceneProps): VNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const painter = useRef<Painter | undefined>(undefined)
  useEffect(() => {
    if (canvas.current === null) return undefined
    const made = new Painter(canvas.current, session)
    painter.current = made
    return () => made.end()
  }, [session])
  useEffect(() => painter.current?.show(run.recording, colouredRows))
  const label =
    `${title}: the network, its links by utilisation, queues and pauses. ` +
    'The list of busy ports below has the same as text.'
  return html`<canvas ref=${canvas} class="scene" role="img" aria-label=${label}></canvas>`
}

class Painter {
  readonly #canvas: HTMLCanvasElement
  readonly #session: Session
  readonly #observer: ResizeObserver
  readonly #unlisten: (() => void)[]
  #recording: Recording | undefined = undefined
  #rows: ReadonlyMap<number, number> = new Map()
  #layout: Layout | undefined = undefined
  #wires: Wires | undefined = undefined
  #isAsked: boolean = false
  #drawnMs: number = 0
  #costMs: number = 0
  /** Kept, since asking the canvas makes the browser lay out the page. */
  #size: { width: number; height: number } = { width: 0, height: 0 }
  #yaw: number = 0.6
  #pitch: number = 0.45
  #drag: { x: number; y: number; isMoved: boolean } | undefined = undefined

  constructor(canvas: HTMLCanvasElement, session: Session) {
    this.#canvas = canvas
    this.#session = session
    this.#observer = new ResizeObserver(() => this.#fit())
    this.#observer.observe(canvas)
    this.#unlisten = [
      session.listen('tick', () => this.#ask()),
      session.listen('state', () => this.#ask()),
    ]
    canvas.addEventListener('pointerdown', this.#onDown)
    canvas.addEventListener('pointermove', this.#onMove)
    canvas.addEventListener('pointerup', this.#onUp)
  }

  end(): void {
    this.#observer.disconnect()
    for (const unlisten of this.#unlisten) unlisten()
  }

  show(recording: Recording | undefined, rows: ReadonlyMap<number, number>): void {
    this.#rows = rows
    if (recording !== this.#recording) {
      this.#recording = recording
      this.#layout = undefined
    }
    this.#ask()
  }

  /**
   * One drawing a picture at most, and so few that drawing takes a third of the time at most: a
   * large network on a slow machine is shown less often, and the page still answers. What a drawing
   * costs the browser after it is said here shows in when the next picture comes.
   */
  #ask(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    const waitMs = Math.max(0, this.#drawnMs + 2 * this.#costMs - performance.now())
    const draw = (): void => {
      this.#isAsked = false
      const beganMs = performance.now()
      this.#draw()
      requestAnimationFrame(() => {
        this.#drawnMs = performance.now()
        const costMs = Math.max(0, this.#drawnMs - beganMs - PICTURE_MS)
        this.#costMs += (costMs - this.#costMs) * 0.3
      })
    }
    if (waitMs < 8) requestAnimationFrame(draw)
    else setTimeout(draw, waitMs)
  }

  #fit(): void {
    const ratio = devicePixelRatio
    const { clientWidth, clientHeight } = this.#canvas
    this.#canvas.width = Math.round(clientWidth * ratio)
    this.#canvas.height = Math.round(clientHeight * ratio)
    this.#size = { width: clientWidth, height: clientHeight }
    this.#layout = undefined
    this.#draw()
  }

  #picture(): Omit<Picture, 'context'> | undefined {
    const recording = this.#recording
    const { width, height } = this.#size
    if (recording === undefined || width === 0) return undefined
    const view = { width, height, yaw: this.#yaw, pitch: this.#pitch }
    if (this.#layout === undefined || this.#wires === undefined) {
      this.#layout = layoutOf(recording.scene, view)
      this.#wires = wiresOf(recording.scene, this.#layout, apartOf(recording))
    }
    const { playheadPs, selected, pins } = this.#session
    return {
      recording,
      layout: this.#layout,
      wires: this.#wires,
      ink: inkOf(isDarkNow()),
      frame: recording.frameAt(playheadPs),
      playheadPs,
      selected,
      pins,
      colouredRows: this.#rows,
      width,
      height,
    }
  }

  #draw(): void {
    const context = this.#canvas.getContext('2d')
    const picture = this.#picture()
    if (context === null) return
    if (picture === undefined) {
      context.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
      return
    }
    const ratio = devicePixelRatio
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawScene({ ...picture, context })
  }

  readonly #onDown = (event: PointerEvent): void => {
    this.#drag = { x: event.clientX, y: event.clientY, isMoved: false }
    this.#canvas.setPointerCapture(event.pointerId)
  }

  readonly #onMove = (event: PointerEvent): void => {
    if (this.#drag === undefined) return
    const [dx, dy] = [event.clientX - this.#drag.x, event.clientY - this.#drag.y]
    if (!this.#drag.isMoved && Math.abs(dx) + Math.abs(dy) < 5) return
    this.#drag = { x: event.clientX, y: event.clientY, isMoved: true }
    if (this.#layout?.is3d !== true) return
    this.#yaw += dx * 0.01
    this.#pitch = Math.min(1.5, Math.max(0, this.#pitch + dy * 0.01))
    this.#layout = undefined
    this.#draw()
  }

  readonly #onUp = (event: PointerEvent): void => {
    const isClick = this.#drag !== undefined && !this.#drag.isMoved
    this.#drag = undefined
    const picture = this.#picture()
    if (!isClick || picture === undefined) return
    const box = this.#canvas.getBoundingClientRect()
    const port = portAt(picture, event.clientX - box.left, event.clientY - box.top)
    const name = port < 0 ? undefined : picture.recording.portName(port)
    this.#session.select(name === undefined ? undefined : { kind: 'port', name })
  }
}
