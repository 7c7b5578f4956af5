/**
 * What a person sees in stories and the gallery, at a desk and on a phone: what is said is what is
 * shown, words lie on nothing they would hide, and no two things look alike that are not.
 */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'
import { drawnOn, laidOut, watchDrawn } from './testing/drawn.ts'
import type { DrawnBox } from './testing/drawn.ts'

if (!hasChromium) console.warn(noChromium)

/** A busy machine takes its time. */
const SLOW = { timeout: 45_000 }
const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const PAUSE = '#d55e00'

const meets = (a: DrawnBox, b: DrawnBox): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** A step whose question has been answered, at a moment (a part of the run), standing still. */
async function told(page: Page, url: string, step: string, at?: number): Promise<void> {
  const [name, i, lanes = '1'] = step.split(' ')
  await page.goto('about:blank')
  await page.goto(`${url}#story=${name}&step=${i}`)
  await fingerprintsOf(page, Number(lanes))
  await page.locator('.guess').first().click()
  await page.locator('.told-text').waitFor()
  if (at !== undefined) await seek(page, at)
}

async function seek(page: Page, at: number): Promise<void> {
  await page.locator('#play').evaluate((play: HTMLElement) => {
    if (play.textContent?.includes('Pause') === true) play.click()
  })
  await page.locator('#scrub').evaluate((input: HTMLInputElement, at) => {
    input.value = String(Math.round(at * Number(input.max)))
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }, at)
  await page.waitForTimeout(150)
}

describe.skipIf(!hasChromium)('what is seen', () => {
  const lab = useLab()

  it('on a phone is the lane that words are about, and no line is cut by the clock', async () => {
    const { page, errors } = await lab.open('#gallery', { viewport: PHONE })
    for (const step of ['r2c2 5 2', 'r2c2-routes 3 2', 'pacc 2 2']) {
      await told(page, lab.url, step)
      const inView = (): Promise<number[]> =>
        page.locator('.scene-card').evaluateAll((cards) =>
          cards.map((card) => {
            const { left, right, width } = card.getBoundingClientRect()
            return (Math.min(innerWidth, right) - Math.max(0, left)) / width
          }),
        )
      const about = step.startsWith('pacc') ? 0 : 1
      await expect.poll(async () => (await inView())[about], SLOW).toBeGreaterThan(0.95)
      // The plot below it is its own.
      const title = await page.locator('.scene-card').nth(about).getAttribute('aria-label')
      const highest = (): Promise<string> =>
        page.locator('.plots.first .chart').evaluateAll((charts) => {
          const top = (chart: Element): number => chart.getBoundingClientRect().top
          const [first] = charts.sort((a, b) => top(a) - top(b))
          return first?.querySelector('figcaption')?.textContent ?? ''
        })
      await expect.poll(async () => (await highest()).endsWith(title!), SLOW).toBe(true)
    }
    const fade = await page.locator('.transport').evaluate((transport) => {
      const { height, backgroundImage } = getComputedStyle(transport, '::before')
      return { height: parseFloat(height), backgroundImage }
    })
    expect(fade.height).toBeGreaterThan(1.4 * 14.5)
    expect(fade.backgroundImage).toContain('gradient')
    expect(errors).toEqual([])
  }, 180_000)

  it('on a phone says first what is seen, with the plot right below in view', async () => {
    const { page, errors } = await lab.open('#gallery', { viewport: PHONE })
    for (const step of ['accurate 4', 'infiniband 1 2', 'accurate 0', 'r2c2 2', 'pacc 2 2']) {
      await told(page, lab.url, step)
      // An answer comes into view with its words, under the picture.
      const topOf = (which: string): Promise<number> =>
        page.locator(which).evaluate((one) => one.getBoundingClientRect().top)
      const free = (): Promise<number> =>
        page
          .locator('.scene-card')
          .first()
          .evaluate((one) => one.getBoundingClientRect().bottom)
      await expect
        .poll(async () => (await topOf('.answered')) - (await free()), SLOW)
        .toBeLessThan(12)
      expect((await topOf('.answered')) - (await free()), step).toBeGreaterThan(0)
      if ((await page.locator('.circuit').count()) > 0) {
        // What its words are about is not a plot, and stands under them.
        expect(await topOf('.told-text'), step).toBeLessThan(await topOf('.circuit'))
        continue
      }
      expect(await topOf('.told-text'), step).toBeLessThan(await topOf('.plots.first'))
      expect(await topOf('.plots.first'), step).toBeLessThan(await topOf('#story-next'))
      await page.locator('.told-text').evaluate((words) => {
        const last = words.lastElementChild!.getBoundingClientRect()
        const under = document.querySelector('.scenes')!.getBoundingClientRect().bottom
        scrollBy({ top: last.bottom - under - 24 })
      })
      // Of the first plot, how much is between the picture and the clock.
      const inView = (): Promise<number> =>
        page.evaluate(() => {
          const box = (which: string): DOMRect =>
            document.querySelector(which)!.getBoundingClientRect()
          const [plot, top] = [box('.plots.first .plot'), box('.scenes').bottom]
          const bottom = box('.transport').top
          return (Math.min(plot.bottom, bottom) - Math.max(plot.top, top)) / plot.height
        })
      await expect.poll(inView, SLOW).toBeGreaterThan(0.9)
    }
    // What comes next is read from its heading on.
    await page.click('#story-next')
    await page.locator('#story-step', { hasText: 'Too far away' }).waitFor()
    const top = async (): Promise<number> => (await page.locator('#story-step').boundingBox())!.y
    const under = (await page.locator('.scenes').boundingBox())!
    await expect.poll(top, SLOW).toBeGreaterThan(under.y + under.height)
    expect(await top()).toBeLessThan((await page.locator('.transport').boundingBox())!.y)
    expect(errors).toEqual([])
  }, 180_000)

  it('goes to the right edge of the window', async () => {
    const { page } = await lab.open('#gallery')
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport)
      const edges = await page.evaluate(() => [
        document.querySelector('header')!.getBoundingClientRect().right,
        document.documentElement.scrollWidth,
      ])
      // Where there is a bar to scroll by, it stands there; here there is none.
      expect(edges).toEqual([viewport.width, viewport.width])
    }
  }, 60_000)

  it('has rates in one spelling, units at numbers, and words for what is left out', async () => {
    const { page } = await lab.open('#gallery')
    await watchDrawn(page)
    for (const step of ['tcp-to-here 4 2', 'accurate 1', 'pfc 1', 'r2c2-routes 5']) {
      await told(page, lab.url, step)
      const texts = async (): Promise<string[]> => {
        const plots = await page.locator('.plots.first canvas').count()
        const all = await Promise.all([
          drawnOn(page),
          ...Array.from({ length: plots }, (_, i) => drawnOn(page, i, '.plots.first canvas')),
        ])
        return all.flatMap(({ words }) => words.map(({ what }) => what))
      }
      await expect
        .poll(async () => (await texts()).some((text) => /Gb\/s/u.test(text)), SLOW)
        .toBe(true)
      const wrong = (await texts()).filter((text) => /bps\b|\d [kMG]( |$)|\+ \d+$/u.test(text))
      expect(wrong, step).toEqual([])
      expect(await page.locator('.page').innerText()).not.toMatch(/\d [kMGT]?bps\b/u)
      if (step === 'tcp-to-here 4 2') {
        await seek(page, 0.16)
        await expect.poll(texts, SLOW).toContain('and 16 more')
        expect(await texts()).toContain('shares-receiver')
      }
    }
  }, 180_000)

  it('has three ticks and more on every axis of values, and says of what', async () => {
    const { page } = await lab.open('#gallery')
    await watchDrawn(page)
    for (const step of ['infiniband 4 2', 'accurate 1', 'pfc 1', 'pacc 2 2']) {
      await told(page, lab.url, step)
      await expect.poll(() => page.locator('.plots.first canvas').count(), SLOW).toBeGreaterThan(1)
      const count = await page.locator('.plots.first canvas').count()
      for (let i = 0; i < count; i++) {
        const ticks = async (): Promise<number> => {
          const { words } = await drawnOn(page, i, '.plots.first canvas')
          return new Set(words.filter(({ align }) => align === 'right').map(({ what }) => what))
            .size
        }
        await expect.poll(ticks, SLOW).toBeGreaterThanOrEqual(3)
      }
    }
    // Whose numbers they are that stand above the plots.
    for (const fact of await page.locator('.facts').allTextContents()) {
      expect(fact).toMatch(/, as a fluid: queue at rest/u)
    }
    expect(await page.locator('.facts').count()).toBe(2)
  }, 180_000)

  it('on a phone says of each link of a chain why it stands, and which it is', async () => {
    const { page } = await lab.open('#gallery', { viewport: PHONE, reducedMotion: 'reduce' })
    await watchDrawn(page)
    await told(page, lab.url, 'parking-lot 1', 0.47)
    const chain = ['leaf2 has no room for spine1', 'spine1 has no room for leaf1']
    const said = async (): Promise<string> =>
      // A sentence may stand on two lines.
      (await drawnOn(page)).words.map(({ what }) => what).join(' ')
    for (const link of [...chain, 'leaf1 has no room for H']) {
      await expect.poll(said, SLOW).toContain(link)
    }
    const { words } = await drawnOn(page)
    const sentences = words.filter(({ what }) => /has no\b|^room for/u.test(what))
    for (const one of sentences) {
      expect(words.filter((other) => other !== one && meets(one, other))).toEqual([])
    }
  }, 120_000)

  it('of two heartbeats are two numbers, on a phone too', async () => {
    const { page } = await lab.open('#gallery', { viewport: PHONE, reducedMotion: 'reduce' })
    await watchDrawn(page)
    await told(page, lab.url, 'accurate 1', 0.365)
    let pairs = 0
    // Of the part that the step shows.
    for (let at = 0.365; at < 0.435; at += 0.0024) {
      await seek(page, at)
      const { words } = await drawnOn(page)
      const numbers = words.filter(({ what }) => /^(↓ )?\d[\d.]* G(b\/s)?$/u.test(what))
      if (numbers.length > 1) pairs++
      const names = words.filter(({ what }) => /^(leaf|spine)\d$/u.test(what))
      for (const one of numbers) {
        const under = names.filter((name) => meets(name, one)).map(({ what }) => what)
        expect(under, `${one.what} at ${at}`).toEqual([])
      }
      for (const [i, one] of numbers.entries()) {
        for (const other of numbers.slice(i + 1)) {
          expect(meets(one, other), `${one.what}, ${other.what} at ${at}`).toBe(false)
        }
      }
    }
    expect(pairs).toBeGreaterThan(3)
  }, 120_000)

  it('of a level in a tank is named beside it or in the legend, never on a link', async () => {
    const { page } = await lab.open('#gallery', { reducedMotion: 'reduce' })
    await watchDrawn(page)
    const all = ['pfc 1', 'parking-lot 1', 'r2c2-routes 0', 'incast 1', 'infiniband 0']
    for (const step of all) {
      await told(page, lab.url, step, 0.3)
      const [name, i] = step.split(' ')
      const { cover } = await laidOut(page, name!, Number(i))
      const { words } = await drawnOn(page)
      const levels = words.filter(({ what }) =>
        /^(K|Kmin|Kmax|XOFF|limit|room of an input)$/u.test(what),
      )
      for (const level of levels) expect(cover.isUnder(level), `${step}: ${level.what}`).toBe(false)
      // What stands in the picture is no state of anything: nothing is called full that is not.
      expect(words.filter(({ what }) => /^(an input )?full$/u.test(what))).toEqual([])
      expect(await page.locator('.keys').innerText(), step).toMatch(
        /(XOFF|limit|input) [\d.]+ [KM]B/u,
      )
    }
  }, 180_000)

  it('is pointed at from its side: notes lead over no ribbons, arrows lie on no link', async () => {
    const { page } = await lab.open('#gallery', { reducedMotion: 'reduce' })
    await watchDrawn(page)
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport)
      await told(page, lab.url, 'r2c2-routes 0', 0.5)
      const { scene, layout } = await laidOut(page, 'r2c2-routes', 0)
      const node = scene.nodes.findIndex(({ name }) => name === 'n0')
      const { boxes } = await drawnOn(page)
      const [note] = boxes.filter(({ what }) => /^#(1b2330|e6e9ee)$/u.test(what))
      // Its direction of the link is the outer one, above the busy one.
      expect(note!.y + note!.h, `${viewport.width}`).toBeLessThan(layout.y[node]!)
    }
    await page.setViewportSize(DESK)
    await told(page, lab.url, 'infiniband 4 2')
    const { cover } = await laidOut(page, 'infiniband', 4)
    let arrows = 0
    for (let at = 0.35; at < 0.9; at += 0.02) {
      await seek(page, at)
      const { curves, words } = await drawnOn(page)
      // On one line or two.
      const about = words
        .map(({ what }) => what)
        .join(' ')
        .includes('H5 has no room')
      if (!about || curves.length > 1) continue
      for (const {
        at: [x0, y0, bx, by, x1, y1],
      } of curves.filter(({ what }) => what === PAUSE)) {
        const on = [0.2, 0.35, 0.5, 0.65, 0.8].filter((t) => {
          const mix = (a: number, b: number, c: number): number =>
            (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c
          return cover.isUnder({ x: mix(x0!, bx!, x1!), y: mix(y0!, by!, y1!), w: 1, h: 1 })
        })
        expect(on, `at ${at}`).toEqual([])
        arrows++
      }
    }
    expect(arrows).toBeGreaterThan(0)
  }, 180_000)

  it('of the gallery is no card that looks like another', async () => {
    const { page } = await lab.open('#gallery', { reducedMotion: 'reduce' })
    for (const card of await page.locator('.wall-card').all()) {
      await card.scrollIntoViewIfNeeded()
      await card.locator('canvas[data-done]').waitFor({ timeout: 120_000 })
    }
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width: 1280, height })
    await page.waitForTimeout(1500)
    const alike = await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>('.wall-card')].map((card) => {
        const canvas = card.querySelector('canvas')!
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
        return { id: card.dataset['card']!, data }
      })
      const differing = (a: Uint8ClampedArray, b: Uint8ClampedArray): number => {
        let [count, inked] = [0, 0]
        for (let i = 0; i < a.length; i += 4) {
          const apart = [0, 1, 2, 3].reduce((sum, k) => sum + Math.abs(a[i + k]! - b[i + k]!), 0)
          if (a[i + 3]! > 0 || b[i + 3]! > 0) inked++
          if (apart > 60) count++
        }
        return count / inked
      }
      return all.flatMap((a, i) =>
        all.slice(i + 1).flatMap((b) => {
          const part = differing(a.data, b.data)
          return part < 0.12 ? [`${a.id} and ${b.id}: ${part.toFixed(3)}`] : []
        }),
      )
    })
    expect(alike).toEqual([])
  }, 400_000)

  it('is drawn again when the page has slept', async () => {
    const { page } = await lab.open('#gallery', { reducedMotion: 'reduce' })
    // A minute passes between a drawing and the next picture of the browser, once.
    await page.addInitScript(() => {
      const scope = globalThis as unknown as { sleepsNext: boolean }
      let [sleptMs, isDrawn] = [0, false]
      const now = performance.now.bind(performance)
      performance.now = () => now() + sleptMs
      const { clearRect } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.clearRect = function (...all): void {
        if (this.canvas.classList.contains('scene') && scope.sleepsNext) isDrawn = true
        clearRect.apply(this, all)
      }
      const ask = requestAnimationFrame.bind(globalThis)
      globalThis.requestAnimationFrame = (call) =>
        ask(() => {
          if (isDrawn) {
            sleptMs += 60_000
            scope.sleepsNext = isDrawn = false
          }
          call(performance.now())
        })
    })
    await watchDrawn(page)
    await told(page, lab.url, 'pfc 1', 0.3)
    await page.evaluate(() => {
      ;(globalThis as unknown as { sleepsNext: boolean }).sleepsNext = true
    })
    await seek(page, 0.5)
    await page.waitForTimeout(300)
    await seek(page, 0)
    const said = async (): Promise<string> =>
      (await drawnOn(page)).words.map(({ what }) => what).join()
    await expect.poll(said, { timeout: 4000 }).not.toMatch(/pauses/u)
  }, 120_000)
})
