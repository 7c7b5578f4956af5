/** The page shows what was computed: whole series, every flow, each in its colour and place. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { experimentOf, laneOf } from './model/experiment.ts'
import { hashOf } from './model/link.ts'
import { layoutOf } from './scene/layout.ts'
import type { SceneCard } from './worker/protocol.ts'
import { createRun, loadSpec } from '@weir/sim'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'

if (!hasChromium) console.warn(noChromium)

/** A busy machine takes its time. */
const SLOW = { timeout: 30_000 }

/** Link of a spec of one's own, as a person would share it. */
const linkOf = (text: string): Promise<string> =>
  hashOf({ ...experimentOf(''), text, lanes: [laneOf('none')] })

const listed = (count: number, flow: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `      - ${flow(i)}`).join('\n')

/** 310 pairs have a link each, ten flows share one: a tenth of the rate. */
const MANY = `topology: {kind: star, hosts: 622, rate: 10Gbps, delay: 1us}
workload:
  - flows:
${listed(310, (i) => `{name: p${i}, from: h${i}, to: h${i + 311}}`)}
${listed(10, (i) => `{name: s${i}, from: h310, to: h621}`)}
scheme: none
run: {until: 300us}
`
const MANY_JAIN = (310 + 10 / 10) ** 2 / (320 * (310 + 10 / 100))

/** The way from the first to the last of a row is its wrap-around link. */
const WRAP = `topology: {kind: torus, dimensions: [4, 4], rate: 10Gbps, delay: 1us}
workload:
  - flows:
      - {name: round, from: h0.1, to: h3.1}
scheme: none
run: {until: 100us}
`

/** A word of every node to every other, every 10 us: more than are noted, before it is over. */
const WORDY = `topology: {kind: torus, dimensions: [4, 4], rate: 10Gbps, delay: 100ns}
routing: packet-spray
hosts: {reliability: unordered}
workload:
  - flows:
      - {name: f1, from: h0, to: h5}
scheme: {name: r2c2, params: {rho: 50us, digestPeriod: 10us}}
run: {until: 1300us}
`

/** Lane B may use nine tenths of the link, and needs longer. */
const TWO_ENDS = `topology: {kind: star, hosts: 3, rate: 10Gbps, delay: 1us}
workload:
  - flows:
      - {name: one, from: h0, to: h2, size: 100KB}
      - {name: two, from: h1, to: h2, size: 100KB}
scheme: none
run: {until: 1ms}
`

/** What the plots show, as their CSV has it. */
async function plotted(
  page: Page,
): Promise<{ plot: string; series: string; x: number; y: number }[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  return lines.map((line) => {
    const [plot, series, x, y] = line.split(',')
    return { plot: plot!, series: series!, x: Number(x), y: Number(y) }
  })
}

describe.skipIf(!hasChromium)('the page shows what was computed', () => {
  const lab = useLab()

  it('plots and exports a run to its end, however pictures and plots race', async () => {
    // Long enough to be simulated while rows are made.
    const long = { ...experimentOf('victim'), settings: ['run.until=3ms'] }
    const { page, context } = await lab.open(await hashOf(long), { acceptDownloads: true })
    // Few pictures a second: rows of plots, made one a picture, are always under way.
    await page.addInitScript(() => {
      const ask = globalThis.requestAnimationFrame.bind(globalThis)
      globalThis.requestAnimationFrame = (call) => {
        setTimeout(() => ask(call), 90)
        return 0
      }
    })
    await page.reload()
    await fingerprintsOf(page)
    // Rows that are late, on a busy machine too, must not undo what is whole.
    for (const waitMs of [800, 1500, 2500]) {
      await page.waitForTimeout(waitMs)
      const ends = new Map<string, number>()
      for (const { plot, x } of await plotted(page))
        ends.set(plot, Math.max(x, ends.get(plot) ?? 0))
      const timed = [...ends].filter(([plot]) => /^(Rate|Queue|Fairness)/u.test(plot))
      expect(timed.length).toBeGreaterThan(2)
      for (const [plot, end] of timed) expect(end / 1e6, plot).toBeGreaterThan(2980)
    }
    await context.close()
  }, 180_000)

  it('records every one of 320 flows, the slowest too', async () => {
    const { page, context } = await lab.open(await linkOf(MANY), {
      acceptDownloads: true,
      reducedMotion: 'reduce',
    })
    await fingerprintsOf(page)
    await page.focus('#scrub')
    await page.keyboard.press('End')
    const slowest = page.locator('.now').first().locator('table').nth(1).locator('button').last()
    await expect.poll(() => slowest.textContent(), SLOW).toMatch(/s\d/u)
    const name = (await slowest.textContent())!.trim()
    await slowest.click()
    await page.locator('.inspector button[aria-pressed=true]').waitFor()
    const ratesIn = (all: Awaited<ReturnType<typeof plotted>>): typeof all =>
      all.filter(({ plot, series }) => plot.startsWith('Rate') && series === name)
    // Seldom, and the last one is read on: Chromium lets a page save ten files in a row, no more.
    let points: Awaited<ReturnType<typeof plotted>> = []
    const shown = async (): Promise<number> => ratesIn((points = await plotted(page))).length
    await expect.poll(shown, { ...SLOW, interval: 1500 }).toBeGreaterThan(20)
    const fairness = points.filter(({ plot }) => plot.startsWith('Fairness')).slice(5)
    const mean = fairness.reduce((sum, { y }) => sum + y, 0) / fairness.length
    expect(mean).toBeCloseTo(MANY_JAIN, 2)
    expect(Math.max(...ratesIn(points).map(({ y }) => y))).toBeLessThan(3e9)
    await context.close()
  }, 180_000)

  it('never ranks line rate fairest beside a story that says why it is not', async () => {
    const { page, context } = await lab.open('#story=pfc&step=2', { reducedMotion: 'reduce' })
    await fingerprintsOf(page, 3)
    const fair = async (): Promise<string[]> =>
      (await page.locator('.said li').allTextContents()).filter((text) => /fair/iu.test(text))
    expect((await fair()).join()).toMatch(/^Fairness [^:]*: ACCurate 1/u)
    await page.goto(`${lab.url}#story=accurate&step=5`)
    await page.locator('#story-step', { hasText: 'Side by side' }).waitFor()
    await page.waitForFunction(() => document.querySelectorAll('#results .print').length === 2)
    for (const sentence of await fair()) expect(sentence).not.toMatch(/: line rate/iu)
    await context.close()
  }, 180_000)

  it('draws a wrap-around link of a torus beside its row, not over it', async () => {
    const { page, context } = await lab.open(await linkOf(WRAP), { reducedMotion: 'reduce' })
    await fingerprintsOf(page)
    await page.focus('#scrub')
    await page.keyboard.press('End')
    await page.waitForTimeout(300)
    const { graph } = createRun(loadSpec({ text: WRAP })).network
    const scene = { topology: 'torus', nodes: graph.nodes } as unknown as SceneCard
    const view = await page.evaluate(() => {
      const { clientWidth: width, clientHeight: height } = document.querySelector('canvas.scene')!
      return { width, height, yaw: 0, pitch: 0 }
    })
    const { x, y } = layoutOf(scene, view)
    const at = (name: string): number => graph.nodes.findIndex((node) => node.name === name)
    /** Pixels across a link of a row, where no arc of a column passes. */
    const across = (row: number): Promise<number[]> => {
      const [a, b] = [at(`n1.${row}`), at(`n2.${row}`)]
      const middle = { x: x[a]! * 0.52 + x[b]! * 0.48, y: (y[a]! + y[b]!) / 2 }
      return page.evaluate(({ x, y }) => {
        const canvas = document.querySelector<HTMLCanvasElement>('canvas.scene')!
        const ratio = devicePixelRatio
        const strip = [x * ratio, (y - 4) * ratio, 1, 8 * ratio] as const
        return [...canvas.getContext('2d')!.getImageData(...strip).data]
      }, middle)
    }
    /** How strong the strongest pixel is: an idle link is faint in any form of the picture. */
    const strength = (pixels: readonly number[]): number =>
      Math.max(...pixels.map((red, i) => (i % 4 === 0 && pixels[i + 3]! > 128 ? 255 - red : 0)))
    expect((await across(2)).some((value) => value > 0)).toBe(true)
    const [idle, busy] = [strength(await across(2)), strength(await across(1))]
    expect(busy, 'a link that carries nothing looks as if it did').toBeLessThan(idle + 40)
    await context.close()
  }, 180_000)

  it('draws a broadcast on request, and nothing is another for it', async () => {
    const { page, context, errors } = await lab.open('#story=r2c2&step=0')
    const [before] = await fingerprintsOf(page)
    expect(await page.locator('#packets').isChecked()).toBe(false)
    await page.locator('.guess').first().click()
    await page.click('#story-next')
    await page.locator('.guess').first().click()
    const said = (): Promise<string | null> =>
      page.locator('canvas.scene').getAttribute('aria-description')
    await expect.poll(said, SLOW).toMatch(/^f4 begins: \d+ of 16 nodes know$/u)
    await expect.poll(said, SLOW).toBe('f4 begins: all 16 nodes know, 474 ns later')
    // The run went once more, to note what the page is to draw.
    await expect.poll(async () => (await fingerprintsOf(page))[0], SLOW).toBe(before)
    await page.locator('#packets').uncheck()
    await expect.poll(said, SLOW).toBe('')
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)

  it('says where the log of packets is full, in the picture and below it', async () => {
    const wordy = { ...experimentOf(''), text: WORDY, lanes: [laneOf('r2c2')] }
    const { page, context, errors } = await lab.open(await hashOf(wordy), {
      reducedMotion: 'reduce',
    })
    // What is written into the picture is in the picture that is taken away.
    await page.evaluate(() => {
      const drawn: string[] = []
      Object.assign(globalThis, { drawn })
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y): void {
        drawn.push(text)
        fillText.call(this, text, x, y)
      }
    })
    const drawnAt = async (key: 'Home' | 'End'): Promise<string[]> => {
      await page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn.splice(0))
      await page.focus('#scrub')
      await page.keyboard.press(key)
      await page.waitForTimeout(200)
      return page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn)
    }
    await fingerprintsOf(page)
    expect(await page.locator('.not-noted').count(), 'nothing was asked for').toBe(0)
    await page.locator('#packets').check()
    const words = /broadcasts and messages are not noted after 1(\.\d+)? ms: the log holds 50,000/u
    await expect.poll(() => page.locator('.not-noted').allTextContents(), SLOW).toHaveLength(1)
    expect(await page.locator('.not-noted').textContent()).toMatch(words)
    await fingerprintsOf(page)
    const said = async (): Promise<string> =>
      (await page.locator('canvas.scene').getAttribute('aria-description')) ?? ''
    expect((await drawnAt('Home')).join()).not.toMatch(words)
    expect(await said()).not.toMatch(words)
    expect((await drawnAt('End')).join()).toMatch(words)
    expect(await said()).toMatch(words)
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)

  it('shows that a lane has ended, and when, while another goes on', async () => {
    const ends = {
      ...experimentOf(''),
      ...{ text: TWO_ENDS, lanes: [laneOf('none'), laneOf('accurate')] },
    }
    const { page, context, errors } = await lab.open(await hashOf(ends), {
      reducedMotion: 'reduce',
    })
    await fingerprintsOf(page, 2)
    const states = (): Promise<string[]> => page.locator('.scene-card h2 small').allInnerTexts()
    await expect.poll(states, SLOW).toEqual([expect.stringMatching(/^ends at 1\d\d us$/u), ''])
    const said = async (lane: number): Promise<string> =>
      (await page.locator('canvas.scene').nth(lane).getAttribute('aria-description')) ?? ''
    const isIdle = (): Promise<boolean> =>
      page
        .locator('.now')
        .first()
        .evaluate((now) => now.querySelectorAll('td button').length === 0)
    await page.focus('#scrub')
    await page.keyboard.press('End')
    await expect.poll(() => said(0), SLOW).toMatch(/^ended at 1\d\d us: every flow is done/u)
    expect(await said(1)).not.toMatch(/ended/u)
    // Nothing of what has stopped is shown as if it moved.
    await expect.poll(isIdle, SLOW).toBe(true)
    await page.locator('#scrub').evaluate((input: HTMLInputElement) => {
      input.value = '500'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await expect.poll(() => said(0), SLOW).not.toMatch(/ended/u)
    await expect.poll(isIdle, SLOW).toBe(false)
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)

  it("keeps a flow's colour from step to step", async () => {
    const { page, context } = await lab.open('#story=pfc&step=0', { reducedMotion: 'reduce' })
    const seen = new Map<string, Set<string>>()
    for (const lanes of [1, 1, 3]) {
      await page.waitForFunction(
        (n) => document.querySelectorAll('#results .print').length === n,
        lanes,
      )
      await page.waitForTimeout(400)
      const legend = await page
        .locator('.plots.first .chart', { hasText: 'Rate per flow' })
        .locator('[data-series]')
        .evaluateAll((all) =>
          all.map((item) => [item.getAttribute('data-series')!, item.getAttribute('data-colour')!]),
        )
      expect(legend.length).toBeGreaterThan(3)
      for (const [name, colour] of legend) {
        seen.set(name!, (seen.get(name!) ?? new Set()).add(colour!))
      }
      await page.locator('.guess').first().click()
      await page.click('#story-next')
    }
    expect([...seen.keys()].sort()).toEqual(['a', 'b', 'c', 'victim'])
    for (const [name, colours] of seen) expect([...colours], name).toHaveLength(1)
    await context.close()
  }, 180_000)
})
