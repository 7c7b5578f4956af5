/**
 * The page is for everyone: names, contrast, focus, no shifting, light and dark, wide and narrow.
 */
import { describe, expect, it } from 'vitest'
import { audit } from './testing/audit.ts'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'

if (!hasChromium) console.warn(noChromium)

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 900 }

describe.skipIf(!hasChromium)('the lab for everyone', () => {
  const lab = useLab()

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, viewport] of [
      ['1280', DESK],
      ['phone', PHONE],
    ] as const) {
      it(`has names, contrast and room to hit, ${colorScheme}, ${name}`, async () => {
        const { page, context } = await lab.open('#scenario=incast&schemes=none,dcqcn', {
          viewport,
          colorScheme,
        })
        await fingerprintsOf(page, 2)
        for (const details of await page.locator('details > summary').all()) await details.click()
        expect(await page.evaluate(audit)).toEqual([])
        for (const tab of ['stories', 'spec', 'own', 'figures', 'gallery']) {
          await page.click(`[data-tab=${tab}]`)
          await page.waitForTimeout(150)
          expect(await page.evaluate(audit), tab).toEqual([])
        }
        const isWide = await page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
        )
        expect(isWide, 'the page is wider than the window').toBe(false)
        await context.close()
      }, 40_000)
    }
  }

  it('does not shift while it loads', async () => {
    const { page, context } = await lab.open('#scenario=victim')
    await page.addInitScript(() => {
      const seen = { total: 0 }
      Object.assign(globalThis, { shifts: seen })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          seen.total += (entry as never as { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.reload()
    await fingerprintsOf(page)
    const total = await page.evaluate(
      () => (globalThis as never as { shifts: { total: number } }).shifts.total,
    )
    expect(total).toBeLessThan(0.05)
    await context.close()
  })

  it('is walked through by the Tab key in the order of the page, and always shows where', async () => {
    const { page, context } = await lab.open('#scenario=parking-lot')
    await fingerprintsOf(page)
    const places: { at: number; outline: string; name: string }[] = []
    for (let i = 0; i < 25; i++) {
      await page.keyboard.press('Tab')
      places.push(
        await page.evaluate(() => {
          const element = document.activeElement!
          const all = [...document.querySelectorAll('*')]
          const { outlineStyle, outlineWidth } = getComputedStyle(element)
          return {
            at: all.indexOf(element),
            outline: `${outlineStyle} ${outlineWidth}`,
            name: element.textContent?.trim().slice(0, 20) ?? '',
          }
        }),
      )
    }
    expect(places[0]!.name).toBe('To the simulation')
    for (let i = 1; i < places.length; i++) {
      expect(places[i]!.at, places[i]!.name).toBeGreaterThan(places[i - 1]!.at)
      expect(places[i]!.outline, places[i]!.name).not.toMatch(/none|0px/u)
    }
    await context.close()
  })

  it('stands still for those who ask for less motion', async () => {
    const { page, context } = await lab.open('#scenario=incast', { reducedMotion: 'reduce' })
    await fingerprintsOf(page)
    expect((await page.textContent('#play'))?.trim()).toBe('Play')
    await context.close()
  })
})
