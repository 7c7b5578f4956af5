/**
 * The timeline in a real Chromium: it stands above the plots' axis and shows the same part of time,
 * goes on with what plays, and is played by Space whatever was touched last.
 */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'

if (!hasChromium) console.warn(noChromium)

/** A busy machine takes its time. */
const SLOW = { timeout: 45_000 }
const THUMB_PX = 16

/** A step of a story whose question has been answered, standing still. */
async function told(page: Page, url: string, story: string, step: number): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${url}#story=${story}&step=${step}`)
  await fingerprintsOf(page)
  await page.locator('.guess').first().click()
  await page.locator('.told-text').waitFor()
  await page.locator('#play', { hasText: 'Pause' }).click()
}

/** Where the middle of the thumb is, and the moment in each plot under the clock. */
function places(page: Page): Promise<{ thumb: number; moments: number[] }> {
  return page.evaluate((wide) => {
    const bar = document.querySelector<HTMLInputElement>('#scrub')!
    const { left, width } = bar.getBoundingClientRect()
    const thumb = left + wide / 2 + (Number(bar.value) / Number(bar.max)) * (width - wide)
    const futures = [...document.querySelectorAll('.plots.first .future')]
    return { thumb, moments: futures.map((one) => one.getBoundingClientRect().left) }
  }, THUMB_PX)
}

async function seek(page: Page, part: number): Promise<void> {
  await page.locator('#scrub').evaluate((input: HTMLInputElement, at) => {
    input.value = String(Math.round(at * Number(input.max)))
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }, part)
}

describe.skipIf(!hasChromium)('the timeline', () => {
  const lab = useLab()

  it.each([
    ['incast 1', 0],
    ['pfc 0', 5.366],
  ])(
    'and the plots have one moment at one place: %s',
    async (step, pictureUs) => {
      const { page, errors } = await lab.open('#gallery')
      const [story, at] = step.split(' ')
      await told(page, lab.url, story!, Number(at))
      const isAligned = async (): Promise<number> => {
        const { thumb, moments } = await places(page)
        return Math.max(...moments.map((x) => Math.abs(x - thumb)))
      }
      for (const part of [0.05, 0.5, 0.93]) {
        await seek(page, part)
        await expect.poll(isAligned, SLOW).toBeLessThan(2.5)
      }
      // None lies on the words of another.
      for (const one of await page.locator('.tick').all()) await one.click({ timeout: 10_000 })
      const tick = page.locator('.tick').first()
      await tick.click()
      const { x } = (await tick.boundingBox())!
      await expect.poll(isAligned, SLOW).toBeLessThan(2.5)
      // It stands where a thing happens, and leads there, or to the picture that first shows it.
      const { width } = (await page.locator('.ticks').boundingBox())!
      const past = (await places(page)).thumb - x
      expect(past).toBeGreaterThan(-2.5)
      expect(past).toBeLessThan((pictureUs / 400) * width + 2.5)
      if (step === 'pfc 0') expect(await tick.getAttribute('title')).toBe('first pause at 55.7 us')
      expect(errors).toEqual([])
    },
    120_000,
  )

  it('shows the part of time that the plots show, and the next when that is over', async () => {
    const { page, errors } = await lab.open('#gallery')
    await told(page, lab.url, 'pfc', 0)
    const clock = (): Promise<string> => page.locator('.clock').innerText()
    const name = (): Promise<string | null> => page.locator('#scrub').getAttribute('aria-label')
    expect(await name()).toBe('Time shown, 0 to 400 us')
    await page.focus('#scrub')
    await page.keyboard.press('End')
    await expect.poll(clock, SLOW).toBe('400 us of 0 to 400 us')
    // By Space, with the bar in focus: whoever has moved it plays on from there.
    await page.keyboard.press(' ')
    await expect.poll(clock, SLOW).toMatch(/^4\d\d(\.\d+)? us of 400 to 800 us$/u)
    await expect
      .poll(async () => Number(await page.locator('#scrub').inputValue()), SLOW)
      .toBeGreaterThan(0)
    // What is shown is a person's choice: earlier moments do not come into view by themselves.
    await page.getByText('Show all of time').click()
    await expect.poll(clock, SLOW).toMatch(/ of 4 ms$/u)
    expect(errors).toEqual([])
  }, 120_000)

  it('leaves the plots room for their lines, on a phone and beside two others', async () => {
    const { page, errors } = await lab.open('#gallery')
    const parts = (): Promise<number[]> =>
      page.locator('.plots.first .plot').evaluateAll((plots) =>
        plots.map((plot) => {
          const over = plot.querySelector('.u-over')!
          return over.clientWidth / plot.clientWidth
        }),
      )
    await page.goto(`${lab.url}#story=tcp-to-here&step=7`)
    await fingerprintsOf(page, 3)
    await expect.poll(async () => Math.min(...(await parts())), SLOW).toBeGreaterThan(0.44)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('about:blank')
    await page.goto(`${lab.url}#story=incast&step=0`)
    await fingerprintsOf(page)
    await expect.poll(async () => Math.min(...(await parts())), SLOW).toBeGreaterThan(0.44)
    expect(errors).toEqual([])
  }, 120_000)

  it('goes with values under the cursor that no plot cuts off', async () => {
    const { page, errors } = await lab.open('#scenario=pfc-victim&schemes=none,dcqcn')
    await fingerprintsOf(page, 2)
    const plots = page.locator('.plots.first .u-over')
    for (const part of [0.1, 0.45, 0.6, 0.95]) {
      const { x, y, width } = (await plots.first().boundingBox())!
      await page.mouse.move(x + part * width, y + 40)
      await page.locator('.plots.first .values:visible').first().waitFor()
      const beyond = await plots.first().evaluate((over) => {
        const [box, values] = [over, over.querySelector('.values')!].map((one) =>
          one.getBoundingClientRect(),
        )
        return Math.max(box!.left - values!.left, values!.right - box!.right)
      })
      expect(beyond, `at ${part}`).toBeLessThan(1)
    }
    expect(errors).toEqual([])
  }, 60_000)

  it('is above one key of dots, not two', async () => {
    const { page } = await lab.open('#gallery')
    await told(page, lab.url, 'fluid', 0)
    const keys = page.locator('.plots.first').getByText('dots: computed')
    await page.locator('.plots.first', { hasText: 'as a fluid' }).waitFor()
    expect(await keys.count()).toBe(1)
  }, 60_000)
})
