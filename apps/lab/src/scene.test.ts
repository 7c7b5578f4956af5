/** What a person sees in a small network: shares, queues, who paused whom, a deadlock. */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { layoutOf } from './scene/layout.ts'
import type { Layout } from './scene/layout.ts'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'
import { Recorder } from './worker/recorder.ts'
import type { SceneCard } from './worker/protocol.ts'

if (!hasChromium) console.warn(noChromium)

/** A busy machine takes its time. */
const SLOW = { timeout: 30_000 }

/** Where the page draws the nodes of a scenario. */
async function seen(page: Page, name: string): Promise<{ card: SceneCard; layout: Layout }> {
  const card = new Recorder(createRun(loadSpec({ text: scenarioByName(name)!.text }))).scene('', '')
  const view = await page.evaluate(() => {
    const { clientWidth: width, clientHeight: height } = document.querySelector('canvas.scene')!
    return { width, height, yaw: 0, pitch: 0 }
  })
  return { card, layout: layoutOf(card, view) }
}

async function seek(page: Page, share: number): Promise<void> {
  await page.locator('#scrub').evaluate((input: HTMLInputElement, share) => {
    input.value = String(Math.round(share * Number(input.max)))
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }, share)
}

const description = (page: Page): Promise<string | null> =>
  page.locator('canvas.scene').getAttribute('aria-description')

describe.skipIf(!hasChromium)('the scene', () => {
  const lab = useLab()

  it('shows a half, a quarter and a quarter on the last link of the parking lot', async () => {
    const { page, context, errors } = await lab.open('#scenario=parking-lot', {
      reducedMotion: 'reduce',
    })
    await fingerprintsOf(page)
    const { card, layout } = await seen(page, 'parking-lot')
    const at = (name: string): number => card.nodes.findIndex((node) => node.name === name)
    const order = ['H1', 'leaf1', 'spine1', 'leaf2', 'H4'].map((name) => layout.x[at(name)]!)
    expect([...order].sort((a, b) => a - b)).toEqual(order)
    const x = layout.x[at('leaf2')]! * 0.35 + layout.x[at('H4')]! * 0.65
    const y = layout.y[at('H4')]!
    /** Pixels of blue, amber and green across the link. */
    const across = (): Promise<number[]> =>
      page.evaluate(
        ({ x, y }) => {
          const canvas = document.querySelector<HTMLCanvasElement>('canvas.scene')!
          const { data } = canvas.getContext('2d')!.getImageData(x - 8, y - 24, 16, 48)
          const near = (i: number, ...colour: number[]): boolean =>
            colour.every((value, k) => Math.abs(data[i + k]! - value) < 40)
          const counts = [0, 0, 0]
          for (let i = 0; i < data.length; i += 4) {
            if (near(i, 0, 114, 178)) counts[0]!++
            if (near(i, 230, 159, 0)) counts[1]!++
            if (near(i, 0, 158, 115)) counts[2]!++
          }
          return counts
        },
        { x: Math.round(x), y: Math.round(y) },
      )
    await seek(page, 0.7)
    await expect.poll(async () => Math.min(...(await across())), SLOW).toBeGreaterThan(20)
    const [f1, f2, f3] = (await across()) as [number, number, number]
    const all = f1 + f2 + f3
    expect(f1 / all).toBeCloseTo(0.25, 0.9)
    expect(f2 / all).toBeCloseTo(0.25, 0.9)
    expect(f3 / all).toBeGreaterThan(0.38)
    expect(f3 / all).toBeLessThan(0.62)
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)

  it('says who pauses whom and what is under the pointer, and names a deadlock', async () => {
    const { page, context, errors } = await lab.open('#scenario=pfc-victim', {
      reducedMotion: 'reduce',
    })
    await fingerprintsOf(page)
    const said = new Set<string>()
    for (let share = 0.4; share < 0.7; share += 0.02) {
      await seek(page, share)
      await page.waitForTimeout(60)
      for (const one of ((await description(page)) ?? '').split('; ')) said.add(one)
    }
    expect([...said].some((one) => /^near pauses \w+: \d+ KB wait for R$/u.test(one))).toBe(true)
    expect([...said].some((one) => /^far pauses [AV]/u.test(one))).toBe(true)
    const { card, layout } = await seen(page, 'pfc-victim')
    const at = (name: string): number => card.nodes.findIndex((node) => node.name === name)
    const box = (await page.locator('canvas.scene').boundingBox())!
    const [x, y] = [
      (layout.x[at('near')]! + layout.x[at('R')]!) / 2,
      (layout.y[at('near')]! + layout.y[at('R')]!) / 2 + 8,
    ]
    await page.mouse.move(box.x + x, box.y + y)
    await expect.poll(() => page.locator('.tip').textContent(), SLOW).toContain('near->R, 25 Gb/s')
    const words = await page.locator('.tip').textContent()
    for (const part of ['carries', 'a: ', 'b: ', 'c: ', 'XOFF 100 KB']) {
      expect(words).toContain(part)
    }
    await page.selectOption('#scenario', 'pfc-deadlock')
    await page.waitForFunction(() =>
      document.querySelector('.findings')?.textContent?.includes('fingerprint'),
    )
    await seek(page, 0)
    await expect.poll(() => description(page), SLOW).not.toContain('DEADLOCK')
    await seek(page, 1)
    await expect.poll(() => description(page), SLOW).toMatch(/^DEADLOCK since \d+ us: .*S0->S1/u)
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)
})
