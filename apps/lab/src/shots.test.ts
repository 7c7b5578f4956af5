/**
 * Screenshots for people to look at: `WEIR_SHOTS=<folder> npx vitest run apps/lab/src/shots` takes
 * one of every step of every story, of the gallery's cards and of every figure, at the widths of a
 * desk, a large screen and a phone, light and dark. `WEIR_SHOTS_ONLY=stories,1280,light` takes
 * fewer. Nothing runs unless asked for.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figures } from '../../../experiments/index.ts'
import { stories } from './stories/index.ts'
import { fingerprintsOf, hasChromium, LabBrowser } from './testing/browser.ts'

const folder = process.env.WEIR_SHOTS
const only = (process.env.WEIR_SHOTS_ONLY ?? '').split(',').filter((word) => word !== '')
const isWanted = (kind: readonly string[], word: string): boolean =>
  !only.some((one) => kind.includes(one)) || only.includes(word)

const SIZES = [
  ['1280', { width: 1280, height: 900 }],
  ['1920', { width: 1920, height: 1080 }],
  ['phone', { width: 390, height: 844 }],
] as const
const KINDS = ['stories', 'gallery', 'figures'] as const
const views = SIZES.flatMap(([size, viewport]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ size, viewport, colorScheme })),
).filter(
  ({ size, colorScheme }) =>
    isWanted(
      SIZES.map(([name]) => name),
      size,
    ) && isWanted(['light', 'dark'], colorScheme),
)

describe.skipIf(folder === undefined || !hasChromium)('screenshots', () => {
  let lab: LabBrowser

  beforeAll(async () => {
    mkdirSync(folder!, { recursive: true })
    lab = await LabBrowser.start()
  }, 120_000)
  afterAll(async () => {
    await lab?.end()
  }, 60_000)

  const takers: Readonly<Record<(typeof KINDS)[number], (page: Page, end: string) => unknown>> = {
    async stories(page, end) {
      for (const { name, steps } of stories) {
        for (const [i, step] of steps.entries()) {
          await page.goto(`${lab.url}#story=${name}&step=${i}`)
          await page.locator('#story-step', { hasText: step.title }).waitFor()
          await fingerprintsOf(page, await page.locator('canvas.scene').count())
          if (step.ask !== undefined) await page.locator('.guess').nth(step.ask.right).click()
          await page.waitForTimeout(2500)
          await page.screenshot({ path: join(folder!, `story-${name}-${i}-${end}.png`) })
        }
      }
    },
    async gallery(page, end) {
      await page.goto(`${lab.url}#gallery`)
      for (const card of await page.locator('.wall-card').all()) {
        await card.scrollIntoViewIfNeeded()
        await card.locator('canvas[data-done]').waitFor()
        await page.waitForTimeout(300)
        const name = await card.getAttribute('data-card')
        await card.screenshot({ path: join(folder!, `card-${name}-${end}.png`) })
      }
    },
    async figures(page, end) {
      for (const { id } of figures) {
        await page.goto(`${lab.url}#figure=${id}`)
        await page.locator('#figure-done').waitFor({ timeout: 300_000 })
        const name = id.replace('/', '-')
        await page.screenshot({ path: join(folder!, `figure-${name}-${end}.png`), fullPage: true })
      }
    },
  }

  for (const kind of KINDS.filter((one) => isWanted(KINDS, one))) {
    it.each(views)(
      `of ${kind}, $size, $colorScheme`,
      async ({ size, viewport, colorScheme }) => {
        const { page, context, errors } = await lab.open('#gallery', { viewport, colorScheme })
        await takers[kind](page, `${size}-${colorScheme}`)
        expect(errors).toEqual([])
        await context.close()
      },
      3_600_000,
    )
  }
})
