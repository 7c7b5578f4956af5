/** What pictures and plots are drawn of, noted in the page: words, boxes and arrows, by canvas. */
import { createRun } from '@weir/sim'
import type { Page } from 'playwright-core'
import { laneSpec } from '../model/experiment.ts'
import { Recording } from '../model/recording.ts'
import { storyExperiment } from '../model/story-experiment.ts'
import { apartOf, widthsOf } from '../scene/close-up.ts'
import { layoutOf } from '../scene/layout.ts'
import type { Layout } from '../scene/layout.ts'
import { LinkCover } from '../scene/link-cover.ts'
import { wiresOf } from '../scene/wires.ts'
import type { SceneCard } from '../worker/protocol.ts'
import { Recorder } from '../worker/recorder.ts'
import { stories } from '../stories/index.ts'

export interface DrawnBox {
  /** The word, or the colour of a box's edge. */
  readonly what: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly align: string
}

export interface Drawn {
  readonly words: DrawnBox[]
  readonly boxes: DrawnBox[]
  /** Arrows: from, bend, to. */
  readonly curves: { readonly what: string; readonly at: readonly number[] }[]
}

/** From the next page on: what each canvas shows since it was last wiped. */
export async function watchDrawn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const made = CanvasRenderingContext2D.prototype
    const { clearRect, roundRect, fillText, moveTo, quadraticCurveTo } = made
    const of = ({ canvas }: CanvasRenderingContext2D): Drawn => {
      const kept = canvas as unknown as { drawn?: Drawn }
      return (kept.drawn ??= { words: [], boxes: [], curves: [] })
    }
    let from = [0, 0]
    made.clearRect = function (...all): void {
      for (const list of Object.values(of(this))) list.length = 0
      clearRect.apply(this, all)
    }
    made.roundRect = function (x, y, w, h, ...rest): void {
      of(this).boxes.push({ what: String(this.strokeStyle), x, y, w, h, align: '' })
      roundRect.call(this, x, y, w, h, ...rest)
    }
    made.fillText = function (text, x, y, ...rest): void {
      const { width: w } = this.measureText(text)
      const align = this.textAlign
      const left = x - (align === 'center' ? w / 2 : align === 'right' || align === 'end' ? w : 0)
      const base = this.textBaseline
      const top = y - (base === 'top' ? 0 : base === 'middle' ? 5 : 10)
      of(this).words.push({ what: text, x: left, y: top, w, h: 10, align })
      fillText.call(this, text, x, y, ...rest)
    }
    made.moveTo = function (x, y): void {
      from = [x, y]
      moveTo.call(this, x, y)
    }
    made.quadraticCurveTo = function (...at): void {
      of(this).curves.push({ what: String(this.strokeStyle), at: [...from, ...at] })
      quadraticCurveTo.apply(this, at)
    }
  })
}

/** What a lane's picture, or another canvas, shows now. */
export function drawnOn(
  page: Page,
  at: number = 0,
  which: string = 'canvas.scene',
): Promise<Drawn> {
  return page
    .locator(which)
    .nth(at)
    .evaluate(
      (canvas) =>
        (canvas as unknown as { drawn?: Drawn }).drawn ?? { words: [], boxes: [], curves: [] },
    )
}

/** Where the network of a story's step is in a lane's picture of this page, and its links. */
export async function laidOut(
  page: Page,
  story: string,
  step: number,
): Promise<{ scene: SceneCard; layout: Layout; cover: LinkCover }> {
  const { experiment } = storyExperiment(stories.find(({ name }) => name === story)!.steps[step]!)
  const spec = laneSpec(experiment, experiment.lanes[0]!, undefined)
  const scene = new Recorder(createRun(spec)).scene('', '')
  const [width, height] = await page
    .locator('canvas.scene')
    .first()
    .evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight] as const)
  const layout = layoutOf(scene, { width, height, yaw: 0, pitch: 0 })
  const widths = widthsOf(new Recording(scene), layout)
  const wires = wiresOf(scene, layout, apartOf(widths))
  return { scene, layout, cover: new LinkCover({ wires, widths, width, height }) }
}
