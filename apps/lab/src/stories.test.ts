/**
 * Stories in a real Chromium, as a student uses them: what is written into a picture lies on
 * nothing, plots stand under each other and on the screen, and steps can be hurried through.
 */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import { Recording } from './model/recording.ts'
import { apartOf, widthsOf } from './scene/close-up.ts'
import { layoutOf } from './scene/layout.ts'
import { LinkCover } from './scene/link-cover.ts'
import { wiresOf } from './scene/wires.ts'
import { stories } from './stories/index.ts'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'
import { Recorder } from './worker/recorder.ts'

if (!hasChromium) console.warn(noChromium)

const PHONE = { width: 390, height: 844 }
/** A busy machine takes its time. */
const SLOW = { timeout: 30_000 }

interface Place {
  readonly left: number
  readonly top: number
  readonly bottom: number
}

interface Box {
  readonly what: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Notes what a picture draws: switches and notes are rounded boxes, hosts circles, words words. */
async function watchDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn = { boxes: [] as Box[], hosts: [] as Box[], words: [] as Box[] }
    Object.assign(globalThis, { drawn })
    const made = CanvasRenderingContext2D.prototype
    const { clearRect, roundRect, arc, fillText } = made
    const isScene = ({ canvas }: CanvasRenderingContext2D): boolean =>
      canvas === document.querySelector('canvas.scene')
    made.clearRect = function (...all): void {
      if (isScene(this)) for (const list of Object.values(drawn)) list.length = 0
      clearRect.apply(this, all)
    }
    made.roundRect = function (x, y, w, h, ...rest): void {
      // The corners of a note are those of a switch; its border is of another colour.
      if (isScene(this)) drawn.boxes.push({ what: String(this.strokeStyle), x, y, w, h })
      roundRect.call(this, x, y, w, h, ...rest)
    }
    made.arc = function (x, y, r, ...rest): void {
      if (isScene(this) && r > 5) {
        drawn.hosts.push({ what: 'host', x: x - r, y: y - r, w: 2 * r, h: 2 * r })
      }
      arc.call(this, x, y, r, ...rest)
    }
    made.fillText = function (text, x, y, ...rest): void {
      if (isScene(this)) {
        const { width: w } = this.measureText(text)
        const left = x - (this.textAlign === 'center' ? w / 2 : this.textAlign === 'right' ? w : 0)
        drawn.words.push({ what: text, x: left, y: y - 5, w, h: 10 })
      }
      fillText.call(this, text, x, y, ...rest)
    }
  })
}

/** Words of notes and of pauses that lie on a switch or a host, of the picture that is shown. */
function lyingOn(): string[] {
  const { boxes, hosts, words } = (
    globalThis as unknown as { drawn: Record<'boxes' | 'hosts' | 'words', Box[]> }
  ).drawn
  const isNote = ({ what }: Box): boolean => /^#(1b2330|e6e9ee)$/u.test(what)
  const taken = [...boxes.filter((box) => !isNote(box)), ...hosts]
  const said = [
    ...boxes.filter(isNote).map((box) => ({ ...box, what: 'a note' })),
    ...words.filter(({ what }) => /pauses|has no|room|waits? for/u.test(what)),
  ]
  const meets = (a: Box, b: Box): boolean =>
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
  return said.filter((one) => taken.some((other) => meets(one, other))).map(({ what }) => what)
}

/** Notes and losses that lie on what arrives at a receiver, or on each other. */
function lyingOnNumbers(): string[] {
  const { boxes, words } = (
    globalThis as unknown as { drawn: Record<'boxes' | 'hosts' | 'words', Box[]> }
  ).drawn
  const notes = boxes.filter(({ what }) => /^#(1b2330|e6e9ee)$/u.test(what))
  const lost = words.filter(({ what }) => / lost$/u.test(what))
  const numbers = words.filter(({ what }) => / \d[\d.]* [kMG]?(b\/s)?$| more$/u.test(what))
  const meets = (a: Box, b: Box): boolean =>
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
  const said = [...notes, ...lost]
  return said
    .filter((one) => [...numbers, ...said].some((other) => one !== other && meets(one, other)))
    .map(({ what }) => what)
}

/** Where the links of a scenario are drawn in a picture of this size. */
function coverOf(scenario: string, width: number, height: number): LinkCover {
  const run = createRun(loadSpec({ text: scenarioByName(scenario)!.text }))
  const scene = new Recorder(run).scene('', '')
  const layout = layoutOf(scene, { width, height, yaw: 0, pitch: 0 })
  const widths = widthsOf(new Recording(scene), layout)
  return new LinkCover({ wires: wiresOf(scene, layout, apartOf(widths)), widths, width, height })
}

describe.skipIf(!hasChromium)('a story', () => {
  const lab = useLab()

  it('writes who pauses whom beside the links, not on them', async () => {
    const { page, errors } = await lab.open('#gallery', { reducedMotion: 'reduce' })
    await watchDrawing(page)
    await page.goto(`${lab.url}#story=pfc&step=0`)
    await page.reload()
    await fingerprintsOf(page)
    await page.locator('.guess').first().click()
    const { w, h } = await page.locator('canvas.scene').evaluate((canvas) => ({
      ...{ w: canvas.clientWidth, h: canvas.clientHeight },
    }))
    const cover = coverOf('pfc-victim', w, h)
    const said = new Set<string>()
    for (let i = 5; i < 60; i++) {
      await page.locator('#scrub').evaluate((input: HTMLInputElement, i) => {
        input.value = String(Math.round((i / 60) * Number(input.max)))
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }, i)
      await page.waitForTimeout(60)
      const words = await page.evaluate(() =>
        (globalThis as unknown as { drawn: { words: Box[] } }).drawn.words.filter(({ what }) =>
          / pauses | wait for /u.test(what),
        ),
      )
      for (const one of words) {
        said.add(one.what.split(':')[0]!)
        expect(cover.isUnder(one), one.what).toBe(false)
      }
    }
    expect([...said]).toEqual(expect.arrayContaining(['near pauses B', 'near pauses far']))
    expect(errors).toEqual([])
  }, 180_000)

  it('writes on no number of a receiver', async () => {
    const { page, errors } = await lab.open('#gallery', { viewport: PHONE })
    await watchDrawing(page)
    for (const step of [4, 5]) {
      await page.goto('about:blank')
      await page.goto(`${lab.url}#story=incast&step=${step}`)
      await fingerprintsOf(page, step === 4 ? 2 : 1)
      await page.locator('.guess').first().click()
      for (let i = 0; i < 8; i++) {
        await page.waitForTimeout(200)
        expect(await page.evaluate(lyingOnNumbers), `step ${step}`).toEqual([])
      }
    }
    expect(errors).toEqual([])
  }, 180_000)

  it('has plots that give way to those of other lanes, and to a narrow window', async () => {
    const { page, errors } = await lab.open('#story=pfc&step=1', { reducedMotion: 'reduce' })
    await fingerprintsOf(page)
    await page.locator('.guess').first().click()
    await page.click('#story-next')
    await page.waitForFunction(() => document.querySelectorAll('#results .print').length === 3)
    await page.locator('.guess').first().click()
    const tooWide = (): Promise<string[]> =>
      page
        .locator('.plots.first .chart')
        .evaluateAll((charts) =>
          charts
            .filter(
              (chart) =>
                chart.querySelector('.uplot')!.getBoundingClientRect().width >
                chart.getBoundingClientRect().width + 1,
            )
            .map((chart) => chart.querySelector('figcaption')!.textContent ?? ''),
        )
    await expect.poll(() => page.locator('.plots.first .uplot').count(), SLOW).toBe(6)
    await expect.poll(tooWide, SLOW).toEqual([])
    await page.setViewportSize(PHONE)
    await expect.poll(tooWide, SLOW).toEqual([])
    expect(errors).toEqual([])
  }, 180_000)

  it('writes on no switch and no host, at a desk and on a phone', async () => {
    const { page, errors } = await lab.open('#gallery')
    await watchDrawing(page)
    const all = ['pfc 1', 'parking-lot 1', 'accurate 0', 'infiniband 0', 'r2c2 3', 'r2c2-routes 0']
    for (const [name, step] of all.map((one) => one.split(' '))) {
      await page.goto('about:blank')
      await page.goto(`${lab.url}#story=${name}&step=${step}`)
      await fingerprintsOf(page)
      await page.locator('.guess').first().click()
      for (const viewport of [{ width: 1280, height: 900 }, PHONE]) {
        await page.setViewportSize(viewport)
        for (let i = 0; i < 3; i++) {
          await page.waitForTimeout(120)
          expect(await page.evaluate(lyingOn), `${name} ${step} ${viewport.width}`).toEqual([])
        }
      }
    }
    expect(errors).toEqual([])
  }, 180_000)

  it('has two plots on a small screen, lanes at one height and all at one left edge', async () => {
    const { page, errors } = await lab.open('#gallery', { reducedMotion: 'reduce' })
    const all = ['tcp-to-here 1 2', 'accurate 2 1', 'r2c2-routes 3 2', 'pfc 2 3']
    for (const [name, step, lanes] of all.map((one) => one.split(' '))) {
      const which = `${name} ${step}`
      await page.goto('about:blank')
      await page.goto(`${lab.url}#story=${name}&step=${step}`)
      await fingerprintsOf(page, Number(lanes))
      await page.locator('.guess').first().click()
      const placesIn = (): Promise<Place[]> =>
        page.locator('.plots.first .u-over').evaluateAll((plots) =>
          plots.map((plot) => {
            const { left, top, bottom } = plot.getBoundingClientRect()
            return { left: Math.round(left), top: Math.round(top), bottom: Math.round(bottom) }
          }),
        )
      await expect.poll(async () => (await placesIn()).length, SLOW).toBe(2 * Number(lanes))
      // A plot that gives way to lanes which come later is made anew.
      const leftsIn = async (): Promise<number> =>
        new Set((await placesIn()).map(({ left }) => left)).size
      await expect.poll(leftsIn, { ...SLOW, message: which }).toBe(Number(lanes))
      const places = await placesIn()
      const [lefts, tops] = [places.map(({ left }) => left), places.map(({ top }) => top)]
      expect(places[0]!.bottom, which).toBeLessThan(900)
      expect(Math.max(...tops), which).toBeLessThan(900)
      expect(new Set(lefts).size, `${which}: ${lefts.join()}`).toBe(Number(lanes))
      expect(new Set(tops).size, `${which}: ${tops.join()}`).toBe(2)
    }
    expect(errors).toEqual([])
  }, 180_000)

  it('does not draw a link that idles as one that is stopped', async () => {
    const { page } = await lab.open('#story=incast&step=1', { reducedMotion: 'reduce' })
    await fingerprintsOf(page)
    const names = (): Promise<(string | null)[]> =>
      page
        .locator('.plots.first .chart', { hasText: 'switch->h0' })
        .first()
        .locator('[data-series]')
        .evaluateAll((all) => all.map((item) => item.getAttribute('data-series')))
    await expect.poll(names, SLOW).toEqual(['utilisation'])
    await page.goto(`${lab.url}#story=pfc&step=1`)
    const stopped = page.locator('.plots.first [data-series="kept from sending"]')
    await expect.poll(() => stopped.count(), SLOW).toBe(1)
  }, 120_000)

  it('shows a heartbeat whose number falls, and never rises', async () => {
    const { page } = await lab.open('#gallery')
    await watchDrawing(page)
    await page.goto('about:blank')
    await page.goto(`${lab.url}#story=accurate&step=1`)
    await fingerprintsOf(page)
    await page.locator('.guess').first().click()
    const carried = new Set<string>()
    const rates = (): Promise<string[]> =>
      page.evaluate(() =>
        (globalThis as unknown as { drawn: { words: Box[] } }).drawn.words
          .map(({ what }) => what)
          .filter((what) => /^(↓ )?f\d (9\.5|3\.16|6\.33) Gb\/s$/u.test(what)),
      )
    await expect
      .poll(async () => {
        for (const rate of await rates()) carried.add(rate)
        return [...carried].sort()
      }, SLOW)
      .toEqual(['f1 6.33 Gb/s', 'f2 3.16 Gb/s', 'f2 9.5 Gb/s', '↓ f2 3.16 Gb/s'])
  }, 120_000)

  it('can be hurried through, reloaded, left and come back to, by keys alone', async () => {
    const { page, errors } = await lab.open('#story=pfc&step=0')
    const title = (i: number): string => stories.find(({ name }) => name === 'pfc')!.steps[i]!.title
    const at = (i: number): Promise<unknown> =>
      page.locator('#story-step', { hasText: title(i) }).waitFor()
    await at(0)
    // Quickly to the end and back: every step is its own experiment when it stands still.
    for (let i = 0; i < 10; i++) await page.locator('#story-next').press('Enter')
    await at(5)
    for (let i = 0; i < 5; i++)
      await page.getByRole('button', { name: 'Back', exact: true }).press('Enter')
    await at(0)
    await fingerprintsOf(page)
    expect(await page.locator('canvas.scene').count()).toBe(1)
    // A question is asked again after a reload; Space plays nothing before a guess.
    await page.reload()
    await at(0)
    await fingerprintsOf(page)
    const clock = (): Promise<string> => page.locator('.clock').innerText()
    const before = await clock()
    await page.locator('#story-step').press(' ')
    await page.waitForTimeout(400)
    expect(await clock(), 'the clock waits for a guess').toBe(before)
    expect(await page.locator('.told-text').count()).toBe(0)
    await page.locator('.guess').nth(1).press('Enter')
    await page.locator('.told-text').waitFor()
    await expect.poll(clock, SLOW).not.toBe(before)
    // To the next, and by the browser's own keys back and on.
    await page.locator('#story-next').press('Enter')
    await at(1)
    await page.goBack()
    await at(0)
    await page.goForward()
    await at(1)
    await page.setViewportSize(PHONE)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.locator('.guess').first().press('Enter')
    // To the end, and once more from the start.
    await fingerprintsOf(page)
    await page.focus('#scrub')
    await page.keyboard.press('End')
    await expect.poll(() => page.locator('#play').innerText(), SLOW).toBe('Play')
    await page.locator('#story-step').press(' ')
    await expect.poll(() => page.locator('#play').innerText(), SLOW).toBe('Pause')
    expect(errors).toEqual([])
  }, 180_000)
})
