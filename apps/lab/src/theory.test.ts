/** Theory over packets in a real Chromium: closed at first, then two dotted lines and a margin. */
import { describe, expect, it } from 'vitest'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'

if (!hasChromium) console.warn(noChromium)

describe.skipIf(!hasChromium)('theory in the lab', () => {
  const lab = useLab()

  it('is loaded when it is opened, and lies over the packets', async () => {
    const { page, context, errors } = await lab.open('#scenario=dumbbell-fair')
    await fingerprintsOf(page)
    expect(await page.locator('#theory dl').count()).toBe(0)
    await page.click('#theory summary')
    await page.waitForSelector('#theory dl', { timeout: 30_000 })
    const said = await page.locator('#theory dd').textContent()
    expect(said).toMatch(/bottleneck: left->right, 4 flows.*queue at rest.*phase margin/)
    const lines = await page.locator('#theory .legend li').allTextContents()
    expect(lines.map((text) => text.trim())).toEqual([
      ...['packets', 'fluid'],
      ...['f1', 'f2', 'f3', 'f4'],
      ...['f1', 'f2', 'f3', 'f4'].map((name) => `${name}, max-min`),
    ])
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)
})
