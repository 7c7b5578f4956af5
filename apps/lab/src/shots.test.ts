/**
 * Screenshots for people to look at: `WEIR_SHOTS=<folder> npx vitest run apps/lab/src/shots` takes
 * one of every step of every story, of the gallery's cards and of every figure, at the widths of a
 * desk, a large screen and a phone, light and dark. Each is run once and seen in all six.
 * `WEIR_SHOTS_ONLY=stories,1280,light` takes fewer, `WEIR_SHOTS_NAMED=pfc,fig5` those whose name
 * has one of these. `WEIR_SHOTS_KEPT=<folder>` keeps figures' results there, and shows what is kept
 * without a run. `WEIR_SHOTS_PAGE=1` makes the docs' page of what is in the folder, and takes none.
 * Nothing runs unless asked for.
 */
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stories } from './stories/index.ts'
import { fingerprintsOf, hasChromium, useLab } from './testing/browser.ts'
import { keepFigures } from './testing/kept-figures.ts'
import { writePicturesPage } from './testing/pictures-page.ts'

const folder = process.env.WEIR_SHOTS
const only = (process.env.WEIR_SHOTS_ONLY ?? '').split(',').filter((word) => word !== '')
const named = (process.env.WEIR_SHOTS_NAMED ?? '').split(',')
const isNamed = (name: string): boolean => named.some((part) => name.includes(part))
const kept = process.env.WEIR_SHOTS_KEPT
const wanted = <T extends string>(kind: readonly T[]): readonly T[] => {
  const some = kind.filter((word) => only.includes(word))
  return some.length > 0 ? some : kind
}

const SIZES = {
  1280: { width: 1280, height: 900 },
  1920: { width: 1920, height: 1080 },
  phone: { width: 390, height: 844 },
} as const
const KINDS = wanted(['stories', 'gallery', 'figures'] as const)
const SCHEMES = wanted(['light', 'dark'] as const)
const VIEWS = wanted(['1280', '1920', 'phone'] as const).flatMap((size) =>
  SCHEMES.map((colorScheme) => ({ size, colorScheme })),
)
/** For plots, which are drawn one per picture after a change of width or colour. */
const SETTLE_MS = 700
/** A busy machine draws fewer pictures in that time than there are plots. */
const SETTLE_PICTURES = 16

async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate(async (pictures) => {
    for (let i = 0; i < pictures; i++) await new Promise(requestAnimationFrame)
  }, SETTLE_PICTURES)
}

describe.skipIf(folder === undefined || !hasChromium)('screenshots', () => {
  const lab = useLab()

  const inAllViews = async (
    page: Page,
    name: string,
    isWhole: boolean,
    isTall: boolean = false,
  ): Promise<void> => {
    for (const { size, colorScheme } of VIEWS) {
      await page.setViewportSize(SIZES[size])
      await page.emulateMedia({ colorScheme })
      if (isTall) {
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        await page.setViewportSize({ ...SIZES[size], height })
      }
      await settle(page)
      const path = join(folder!, `${name}-${size}-${colorScheme}.png`)
      await page.screenshot({ path, fullPage: isWhole })
    }
    await page.setViewportSize(SIZES[1280])
  }

  const takers: Readonly<Record<(typeof KINDS)[number], (page: Page) => unknown>> = {
    async stories(page) {
      for (const { name, steps } of stories) {
        for (const [i, step] of steps.entries()) {
          if (!isNamed(`story-${name}-${i}`)) continue
          await page.goto(`${lab.url}#story=${name}&step=${i}`)
          await page.locator('#story-step', { hasText: step.title }).waitFor()
          await fingerprintsOf(page, await page.locator('canvas.scene').count())
          if (step.ask !== undefined) await page.locator('.guess').nth(step.ask.right).click()
          await page.waitForTimeout(2500)
          // One moment in all views, and a processor that rests between them.
          const deadlock = page.locator('.tick.deadlock')
          if ((await deadlock.count()) > 0) await deadlock.first().click()
          else await page.locator('#play', { hasText: 'Pause' }).click()
          await inAllViews(page, `story-${name}-${i}`, false)
        }
      }
    },
    async gallery(page) {
      await page.goto(`${lab.url}#gallery`)
      await page.locator('.wall-card').first().waitFor()
      for (const card of await page.locator('.wall-card').all()) {
        await card.scrollIntoViewIfNeeded()
        await card.locator('canvas[data-done]').waitFor()
      }
      // Cards live where they are seen: a window as tall as the page has all of them in view.
      await inAllViews(page, 'gallery', true, true)
    },
    async figures(page) {
      const { figures } = await import('../../../experiments/index.ts')
      if (kept !== undefined) await keepFigures(page, kept)
      for (const { id } of figures) {
        const name = `figure-${id.replace('/', '-')}`
        if (!isNamed(name)) continue
        await page.goto(`${lab.url}#figure=${id}`)
        await page.locator('.figure code', { hasText: id }).waitFor()
        await page.locator('#figure-done').waitFor({ timeout: 600_000 })
        await inAllViews(page, name, true)
      }
    },
  }

  const isPage = process.env.WEIR_SHOTS_PAGE !== undefined
  it.skipIf(!isPage)(
    'as a page of the docs',
    async () => {
      const { figures } = await import('../../../experiments/index.ts')
      const { page } = await lab.open('#gallery')
      // Pictures are read as data, which the page's own policy allows.
      await page.goto('about:blank')
      const docs = fileURLToPath(new URL('../../../docs', import.meta.url))
      await writePicturesPage(page, folder!, docs, figures)
    },
    1_200_000,
  )

  it.skipIf(isPage).each(KINDS)(
    'of %s',
    async (kind) => {
      const { page, context, errors } = await lab.open('#gallery')
      await takers[kind](page)
      expect(errors).toEqual([])
      await context.close()
    },
    7_200_000,
  )
})
