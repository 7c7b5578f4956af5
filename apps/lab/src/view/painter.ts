/** Paints a scene's canvas and answers its pointer. */
import type { Recording } from '../model/recording.ts'
import type { LaneRun, Session } from '../model/session.ts'
import { apartOf, deadlockOf, drawCloseUp, drawSaid, widthsOf } from '../scene/close-up.ts'
import { apartOfLarge, drawLarge, portAt } from '../scene/draw.ts'
import { layoutOf } from '../scene/layout.ts'
import type { Layout } from '../scene/layout.ts'
import { drawEnded, endedWords } from '../scene/ended.ts'
import { Lens } from '../scene/lens.ts'
import { inkOf } from '../scene/palette.ts'
import { faintRows } from '../scene/picture.ts'
import type { ClosePicture, Deadlock, Picture } from '../scene/picture.ts'
import { cellAt, racksIn, racksOf } from '../scene/racks.ts'
import type { Racks } from '../scene/racks.ts'
import { channelsNow } from '../scene/ribbons.ts'
import { boxesOf, tankAt, tankTop } from '../scene/tanks.ts'
import type { Box, Tank } from '../scene/tanks.ts'
import { drawNotes, placeNotes } from '../scene/notes.ts'
import { drawPackets, packetWords } from '../scene/packets.ts'
import { saidOf } from '../scene/words.ts'
import { wiresOf } from '../scene/wires.ts'
import type { Wires } from '../scene/wires.ts'
import { isDarkNow } from './html.ts'
import { nodeWords, portWords } from './scene-tip.ts'
import { followTouch } from './touch.ts'

/** Between two pictures of a browser that has nothing to do. */
const PICTURE_MS = 17
/** No drawing is taken to cost more. */
const COST_MAX_MS = 400
/** Seconds in which a run is played at normal speed. */
const SHOW_SECONDS = 16
/** A heartbeat is seen for at least so long. */
const GLIDE_SECONDS = 0.9
/** In a window so wide a picture that is higher than usual is drawn larger, words and all. */
const WIDE_PX = 1700
const USUAL_PX = 270
const LARGER_MOST = 1.3

interface Plan {
  readonly layout: Layout
  readonly wires: Wires
  readonly widths: Float64Array
  readonly tanks: readonly Tank[]
  readonly boxes: readonly Box[]
  /** Of a large network; and whose rack is open. */
  readonly racks: Racks | undefined
  readonly open: string
}

export class Painter {
  readonly #canvas: HTMLCanvasElement
  readonly #tip: HTMLElement
  /** Shown while less than the whole is. */
  readonly #whole: HTMLElement
  readonly #lens: Lens = new Lens()
  readonly #session: Session
  readonly #observer: ResizeObserver
  readonly #unlisten: (() => void)[]
  readonly #phases: Map<number, number> = new Map()
  #recording: Recording | undefined = undefined
  #deadlock: Deadlock | undefined = undefined
  #rows: ReadonlyMap<number, number> = new Map()
  #plan: Plan | undefined = undefined
  #isAsked: boolean = false
  #drawnMs: number = 0
  #costMs: number = 0
  #drawnPs: number = 0
  #said: string = ''
  /** Kept, since asking the canvas makes the browser lay out the page. */
  #size: { width: number; height: number } = { width: 0, height: 0 }
  /** Pixels of the page to one of the picture. */
  #unit: number = 1
  #yaw: number = 0.6
  #pitch: number = 0.45
  #drag: { x: number; y: number; isMoved: boolean } | undefined = undefined
  /** Where the pointer is, or was when something was chosen. */
  #pointer: { x: number; y: number; isKept: boolean } | undefined = undefined

  constructor(
    canvas: HTMLCanvasElement,
    { tip, whole }: { tip: HTMLElement; whole: HTMLElement },
    session: Session,
  ) {
    this.#canvas = canvas
    this.#tip = tip
    this.#whole = whole
    this.#session = session
    this.#observer = new ResizeObserver(() => this.#fit())
    this.#observer.observe(canvas)
    this.#unlisten = [
      session.listen('tick', () => this.#ask()),
      session.listen('state', () => this.#ask()),
      followTouch(canvas, {
        pinch: (factor, x, y, dx, dy) => {
          const { width, height } = this.#size
          this.#lens.zoom(factor, x, y, width, height)
          this.#look(dx, dy)
          this.#drag = undefined
        },
      }),
    ]
    canvas.addEventListener('pointerdown', this.#onDown)
    canvas.addEventListener('pointermove', this.#onMove)
    canvas.addEventListener('pointerup', this.#onUp)
    canvas.addEventListener('pointerleave', this.#onLeave)
  }

  /** The whole network again. */
  showWhole(): void {
    this.#lens.reset()
    this.#look(0, 0)
  }

  /** The lens moved. */
  #look(dx: number, dy: number): void {
    this.#lens.move(dx, dy, this.#size.width, this.#size.height)
    this.#whole.hidden = this.#lens.isWhole
    // One finger moves the page, or what is under the lens.
    this.#canvas.style.touchAction = this.#lens.isWhole ? '' : 'none'
    this.#ask()
  }

  end(): void {
    this.#observer.disconnect()
    for (const unlisten of this.#unlisten) unlisten()
  }

  show({ recording, result }: LaneRun, rows: ReadonlyMap<number, number>): void {
    this.#rows = rows
    const cycle = result?.ended.why === 'deadlock' ? result.ended.cycle : undefined
    if (recording !== this.#recording || (cycle === undefined) !== (this.#deadlock === undefined)) {
      this.#deadlock =
        cycle === undefined || recording === undefined ? undefined : deadlockOf(recording, cycle)
    }
    if (recording !== this.#recording) {
      this.#recording = recording
      this.#plan = undefined
      this.#phases.clear()
    }
    if (this.#plan?.open !== this.#session.openRack) this.#plan = undefined
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
        // A page that was put to sleep in between has not drawn for all of that time.
        const tookMs = this.#drawnMs - beganMs - PICTURE_MS
        const costMs = Math.min(COST_MAX_MS, Math.max(0, tookMs))
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
    const larger = Math.min(LARGER_MOST, Math.max(1, clientHeight / USUAL_PX))
    this.#unit = innerWidth >= WIDE_PX ? larger : 1
    this.#plan = undefined
    this.#draw()
  }

  #planOf(recording: Recording): Plan {
    if (this.#plan !== undefined) return this.#plan
    const { openRack } = this.#session
    const open = recording.scene.nodes.findIndex(({ name }) => name === openRack)
    const turned = { ...this.#drawnSize(), yaw: this.#yaw, pitch: this.#pitch }
    const view = open < 0 || recording.scene.isSmall ? turned : { ...turned, open }
    const layout = layoutOf(recording.scene, view)
    const widths = widthsOf(recording, layout)
    const isClose = recording.close !== undefined
    const apart = isClose ? apartOf(widths) : apartOfLarge(recording)
    const wires = wiresOf(recording.scene, layout, apart)
    const { tanks, boxes } = isClose ? boxesOf(recording, layout) : { tanks: [], boxes: [] }
    const racks = isClose ? undefined : racksOf(recording.scene, open)
    this.#plan = { layout, wires, widths, tanks, boxes, racks, open: openRack }
    return this.#plan
  }

  #picture(): Omit<Picture, 'context'> | undefined {
    const recording = this.#recording
    if (recording === undefined || this.#size.width === 0) return undefined
    const { layout, wires, racks } = this.#planOf(recording)
    const { playheadPs, selected, pins } = this.#session
    return {
      recording,
      layout,
      wires,
      racks,
      ink: inkOf(isDarkNow()),
      frame: recording.frameAt(playheadPs),
      playheadPs,
      selected,
      pins,
      colouredRows: this.#rows,
      ...this.#drawnSize(),
    }
  }

  #drawnSize(): { width: number; height: number } {
    const { width, height } = this.#size
    return { width: width / this.#unit, height: height / this.#unit }
  }

  /** Where in the picture a point of the canvas lies. */
  #inside(x: number, y: number): { x: number; y: number } {
    const inside = this.#lens.inside(x, y)
    return { x: inside.x / this.#unit, y: inside.y / this.#unit }
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
    const { scale, dx, dy } = this.#lens
    if (!this.#lens.isWhole) {
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
    }
    const times = ratio * scale * this.#unit
    context.setTransform(times, 0, 0, times, ratio * dx, ratio * dy)
    const over = endedWords(picture.recording, picture.playheadPs)
    if (picture.recording.close === undefined) {
      drawLarge({ ...picture, context })
      this.#say(over)
    } else this.#drawClose({ ...picture, context }, over)
    drawEnded({ ...picture, context })
    this.#drawnPs = picture.playheadPs
    this.#tell(picture)
  }

  #drawClose(picture: Picture, over: string): void {
    const { recording, frame, playheadPs } = picture
    const { widths, tanks, boxes } = this.#planOf(recording)
    const secondPs = this.#session.endPs / SHOW_SECONDS || 1
    const { hasPackets, told, pacePs, isAsking } = this.#session
    const bare: ClosePicture = {
      ...picture,
      widths,
      tanks,
      boxes,
      channels: channelsNow(picture, this.#deadlock),
      held: recording.close?.heldAt(frame) ?? new Map(),
      tankTop: tankTop(this.#session.shown.map((run) => run.recording)),
      phases: this.#phases,
      moved: playheadPs / secondPs,
      deadlock: this.#deadlock,
      colourOf: (row) => this.#rows.get(row) ?? row,
      isFaint: faintRows(recording, told?.bright),
      notes: [],
      windowPart: this.#session.windowPart,
    }
    const notes = told === undefined || isAsking ? [] : placeNotes(bare, told.notes)
    const close = { ...bare, notes }
    const glidePs = pacePs * GLIDE_SECONDS
    drawCloseUp(close, (playheadPs - this.#drawnPs) / secondPs, hasPackets ? glidePs : 0)
    if (hasPackets) drawPackets(close, glidePs, told?.hasCredits ?? true)
    drawSaid(close)
    drawNotes(close, notes)
    const heard = hasPackets ? packetWords(close, glidePs) : []
    this.#say([over, saidOf(close), ...heard].filter((words) => words !== '').join('; '))
  }

  /** The same for those who do not see it. */
  #say(said: string): void {
    if (said === this.#said) return
    this.#said = said
    this.#canvas.setAttribute('aria-description', said)
  }

  /** Says what is under the pointer, beside it. */
  #tell(picture: Omit<Picture, 'context'>): void {
    const at = this.#pointer
    const inside = this.#inside(at?.x ?? 0, at?.y ?? 0)
    const words = at === undefined ? [] : this.#wordsAt(picture, inside.x, inside.y)
    this.#tip.hidden = words.length === 0
    if (at === undefined || words.length === 0) return
    this.#tip.replaceChildren(
      ...words.map((text, i) => {
        const line = document.createElement(i === 0 ? 'strong' : 'p')
        line.textContent = text
        return line
      }),
    )
    const { offsetLeft, offsetTop } = this.#canvas
    const left = Math.min(at.x + 14, this.#size.width - this.#tip.offsetWidth - 4)
    const below = at.y + 16 + this.#tip.offsetHeight < this.#size.height
    const top = below ? at.y + 16 : at.y - this.#tip.offsetHeight - 10
    this.#tip.style.transform = `translate(${Math.max(4, left)}px, ${top}px)`
    this.#tip.style.left = `${offsetLeft}px`
    this.#tip.style.top = `${offsetTop}px`
  }

  #wordsAt(picture: Omit<Picture, 'context'>, x: number, y: number): string[] {
    const { recording, frame, layout } = picture
    const { tanks } = this.#planOf(recording)
    const tank = tankAt(tanks, x, y)
    const node = recording.scene.nodes.findIndex((_, i) => {
      if (picture.racks?.isHostInside[i] === 1) return false
      const radius = recording.scene.nodes[i]!.kind === 'host' ? layout.hostRadius : 16
      return Math.hypot(layout.x[i]! - x, layout.y[i]! - y) < radius + 2
    })
    if (tank === undefined && node >= 0) return nodeWords(recording, node, frame)
    const port = tank?.port ?? portAt(picture, x, y)
    if (port < 0) return []
    const isClose = recording.close !== undefined
    const channel = isClose ? channelsNow(picture, this.#deadlock)[port] : undefined
    return portWords(recording, port, frame, channel)
  }

  readonly #onDown = (event: PointerEvent): void => {
    this.#drag = { x: event.clientX, y: event.clientY, isMoved: false }
    this.#canvas.setPointerCapture(event.pointerId)
  }

  readonly #onMove = (event: PointerEvent): void => {
    if (this.#pointer?.isKept !== true) {
      this.#pointer = { x: event.offsetX, y: event.offsetY, isKept: false }
      this.#ask()
    }
    if (this.#drag === undefined) return
    const [dx, dy] = [event.clientX - this.#drag.x, event.clientY - this.#drag.y]
    if (!this.#drag.isMoved && Math.abs(dx) + Math.abs(dy) < 5) return
    this.#drag = { x: event.clientX, y: event.clientY, isMoved: true }
    if (!this.#lens.isWhole) return this.#look(dx, dy)
    if (this.#plan?.layout.is3d !== true) return
    this.#yaw += dx * 0.01
    this.#pitch = Math.min(1.5, Math.max(0, this.#pitch + dy * 0.01))
    this.#plan = undefined
    this.#draw()
  }

  readonly #onLeave = (): void => {
    if (this.#pointer?.isKept !== true) this.#pointer = undefined
    this.#ask()
  }

  /**
   * A click on something keeps it said and selects its port; on nothing, lets it go. On a rack it
   * opens it, on the switch of an open one closes it.
   */
  readonly #onUp = (event: PointerEvent): void => {
    const isClick = this.#drag?.isMoved === false
    this.#drag = undefined
    const picture = this.#picture()
    if (!isClick || picture === undefined) return
    const { offsetX, offsetY } = event
    const { x, y } = this.#inside(offsetX, offsetY)
    if (this.#turnRack(picture, x, y)) return
    const { tanks } = this.#planOf(picture.recording)
    const tank = tankAt(tanks, x, y)
    const port = tank?.port ?? portAt(picture, x, y)
    this.#pointer = port < 0 ? undefined : { x: offsetX, y: offsetY, isKept: true }
    const name = port < 0 ? undefined : picture.recording.portName(port)
    this.#session.select(name === undefined ? undefined : { kind: 'port', name })
  }

  /** Was it a rack? */
  #turnRack(picture: Omit<Picture, 'context'>, x: number, y: number): boolean {
    const { racks, layout, recording } = picture
    if (racks === undefined) return false
    const { scene } = recording
    const cell = cellAt(racks, layout, x, y)
    const isOn = (node: number): boolean =>
      Math.hypot(layout.x[node]! - x, layout.y[node]! - y) < layout.switchRadius + 3
    const node = cell?.rack.node ?? racksIn(scene).find((rack) => isOn(rack.node))?.node
    if (node === undefined) return false
    const { name } = scene.nodes[node]!
    this.#pointer = undefined
    this.#session.show({ openRack: this.#session.openRack === name ? '' : name })
    return true
  }
}
