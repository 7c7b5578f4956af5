/**
 * The living pictures of the gallery: each card's run is simulated once, one at a time, those in
 * view first, and played over and over as long as it is in view. For those who ask for less motion
 * it is a still picture.
 */
import { laneSettings, textOf } from '../model/experiment.ts'
import type { Experiment } from '../model/experiment.ts'
import { hear, newRun } from '../model/lane-run.ts'
import type { LaneRun } from '../model/lane-run.ts'
import { startRunner } from '../run/runner.ts'
import { apartOf, deadlockOf, widthsOf } from '../scene/close-up.ts'
import { apartOfLarge, drawLarge } from '../scene/draw.ts'
import { layoutOf } from '../scene/layout.ts'
import { inkOf } from '../scene/palette.ts'
import type { ClosePicture, Picture } from '../scene/picture.ts'
import { racksOf } from '../scene/racks.ts'
import { channelsNow } from '../scene/ribbons.ts'
import { boxesOf, tankTop } from '../scene/tanks.ts'
import { drawThumb, loopStartPs } from '../scene/thumb.ts'
import { drawTrace, drawTraceHead, STRIP_PX, traceOf } from '../scene/trace.ts'
import type { TraceOf } from '../scene/trace.ts'
import { wiresOf } from '../scene/wires.ts'
import { isDarkNow } from './html.ts'

/** Seconds in which a card's run is shown, and at its end stands still. */
const SHOW_SECONDS = 9
const REST_SECONDS = 1.5
/** A large network costs more to draw than it tells in a card. */
const EVERY_MS = 50
const EVERY_LARGE_MS = 400
/** Of the run, in a still picture. */
const STILL = 0.62

interface Thumb {
  readonly canvas: HTMLCanvasElement
  readonly experiment: Experiment
  run: LaneRun | undefined
  isSeen: boolean
  drawnMs: number
  drawnPs: number
  plan: Plan | undefined
  /** What its strip shows, if it says so; and the strip of a run that is over. */
  readonly trace: TraceOf | undefined
  strip: { readonly canvas: HTMLCanvasElement; readonly plan: Plan } | undefined
  readonly phases: Map<number, number>
}

type Plan = Pick<ClosePicture, 'layout' | 'wires' | 'width' | 'height'> &
  Pick<ClosePicture, 'widths' | 'tanks' | 'boxes' | 'racks'> & { readonly theme: string }

/** Runs are kept when the gallery is left: it lives at once when it is opened again. */
const known = new Map<string, LaneRun>()

export class Thumbs {
  readonly #thumbs: Map<Element, Thumb> = new Map()
  readonly #observer: IntersectionObserver
  readonly #isStill: boolean = matchMedia('(prefers-reduced-motion: reduce)').matches
  #running: Thumb | undefined = undefined
  #isEnded: boolean = false

  constructor() {
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const thumb = this.#thumbs.get(target)
        if (thumb !== undefined) thumb.isSeen = isIntersecting
      }
      this.#next()
    })
    requestAnimationFrame(this.#onFrame)
  }

  add(canvas: HTMLCanvasElement, experiment: Experiment, trace?: TraceOf): void {
    const run = known.get(JSON.stringify(experiment))
    const none = { plan: undefined, strip: undefined }
    const plain = { run, trace, isSeen: false, drawnMs: 0, drawnPs: 0, ...none }
    this.#thumbs.set(canvas, { canvas, experiment, ...plain, phases: new Map() })
    this.#observer.observe(canvas)
  }

  end(): void {
    this.#isEnded = true
    this.#observer.disconnect()
    this.#running?.run?.runner?.end()
  }

  #next(): void {
    if (this.#running !== undefined || this.#isEnded) return
    const all = [...this.#thumbs.values()].filter(({ run }) => run === undefined)
    const thumb = all.find(({ isSeen }) => isSeen)
    if (thumb === undefined) return
    this.#running = thumb
    const { experiment } = thumb
    const lane = experiment.lanes[0]!
    const run = newRun(experiment, lane)
    thumb.run = run
    const settings = laneSettings(experiment, lane)
    const start = { type: 'start', text: textOf(experiment), sourceName: '', settings } as const
    run.runner = startRunner({ ...start, ownScheme: '', hasPackets: false }, (message) => {
      hear(run, message, 0)
      if (run.result === undefined && run.failure === undefined) return
      known.set(JSON.stringify(experiment), run)
      this.#running = undefined
      thumb.canvas.dataset['done'] = run.failure === undefined ? 'yes' : 'no'
      this.#next()
    })
  }

  readonly #onFrame = (nowMs: number): void => {
    if (this.#isEnded) return
    requestAnimationFrame(this.#onFrame)
    for (const thumb of this.#thumbs.values()) {
      const { recording, result } = thumb.run ?? {}
      if (!thumb.isSeen || recording === undefined || recording.count === 0) continue
      const isLarge = recording.close === undefined
      if (nowMs - thumb.drawnMs < (isLarge ? EVERY_LARGE_MS : EVERY_MS)) continue
      if (this.#isStill && thumb.drawnMs > 0 && thumb.plan?.theme === themeNow()) continue
      if (this.#isStill && result === undefined) continue
      thumb.drawnMs = nowMs
      const seconds = (nowMs / 1000) % (SHOW_SECONDS + REST_SECONDS)
      const part = this.#isStill ? STILL : Math.min(1, seconds / SHOW_SECONDS)
      const fromPs = loopStartPs(recording)
      draw(thumb, thumb.run!, fromPs + part * (recording.nowPs - fromPs))
    }
  }
}

function themeNow(): string {
  return isDarkNow() ? 'dark' : 'light'
}

function planOf(thumb: Thumb, run: LaneRun): Plan {
  const recording = run.recording!
  const { canvas } = thumb
  const [width, height] = [canvas.clientWidth, canvas.clientHeight - STRIP_PX]
  if (thumb.plan?.width === width && thumb.plan.theme === themeNow()) return thumb.plan
  canvas.width = Math.round(width * devicePixelRatio)
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio)
  const view = { width, height, yaw: 0.6, pitch: 0.45, isSmall: true }
  const layout = layoutOf(recording.scene, view)
  const widths = widthsOf(recording, layout)
  const isClose = recording.close !== undefined
  const apart = isClose ? apartOf(widths) : apartOfLarge(recording)
  const held = isClose ? boxesOf(recording, layout) : { tanks: [], boxes: [] }
  const wires = wiresOf(recording.scene, layout, apart)
  const racks = isClose ? undefined : racksOf(recording.scene, -1)
  thumb.plan = { layout, wires, widths, ...held, racks, width, height, theme: themeNow() }
  return thumb.plan
}

function draw(thumb: Thumb, run: LaneRun, playheadPs: number): void {
  const recording = run.recording!
  const context = thumb.canvas.getContext('2d')
  if (context === null) return
  const plan = planOf(thumb, run)
  const frame = recording.frameAt(playheadPs)
  const { result } = run
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
  const rows = new Map(recording.flows.slice(0, 8).map((_, row) => [row, row]))
  const picture: Picture & Plan = {
    ...plan,
    ...{ context, recording, frame, playheadPs, colouredRows: rows },
    ink: inkOf(isDarkNow()),
    selected: undefined,
    pins: [],
  }
  drawStrip(thumb, run, plan, playheadPs)
  if (recording.close === undefined) return drawLarge(picture)
  const secondPs = recording.nowPs / SHOW_SECONDS || 1
  const cycle = result?.ended.why === 'deadlock' ? result.ended.cycle : undefined
  const deadlock = cycle === undefined ? undefined : deadlockOf(recording, cycle)
  const passed = Math.max(0, (playheadPs - thumb.drawnPs) / secondPs)
  thumb.drawnPs = playheadPs
  drawThumb(
    {
      ...picture,
      channels: channelsNow(picture, deadlock),
      windowPart: 0,
      held: recording.close.heldAt(frame),
      tankTop: tankTop([recording]),
      phases: thumb.phases,
      moved: playheadPs / secondPs,
      deadlock,
      colourOf: (row) => row,
      isFaint: () => false,
      notes: [],
    },
    passed,
  )
}

/** Under the picture: what happens in the whole of a run that is over, and where it stands. */
function drawStrip(thumb: Thumb, run: LaneRun, plan: Plan, playheadPs: number): void {
  const recording = run.recording!
  const { width, height } = plan
  const context = thumb.canvas.getContext('2d')!
  const ink = inkOf(isDarkNow())
  context.clearRect(0, height, width, STRIP_PX)
  // A card that leaves the page has no width any more.
  if (run.result === undefined || width < 1) return
  if (thumb.strip?.plan !== plan) {
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * devicePixelRatio)
    canvas.height = Math.round(STRIP_PX * devicePixelRatio)
    const own = canvas.getContext('2d')!
    own.scale(devicePixelRatio, devicePixelRatio)
    drawTrace(own, recording, { of: thumb.trace ?? traceOf(recording), ink, width })
    thumb.strip = { canvas, plan }
  }
  context.drawImage(thumb.strip.canvas, 0, height, width, STRIP_PX)
  context.save()
  context.translate(0, height)
  drawTraceHead(context, ink, width, playheadPs / (recording.nowPs || 1))
  context.restore()
}
