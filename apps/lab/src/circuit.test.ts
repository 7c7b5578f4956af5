/** The circuit beside the network: in a real Chromium, held against the same run in Node. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { REGISTERS } from './model/circuit-log.ts'
import type { CircuitStep } from './model/circuit-log.ts'
import { stories } from './stories/index.ts'
import { audit } from './testing/audit.ts'
import { circuitOfVictim, PORT } from './testing/circuit-of-victim.ts'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'

if (!hasChromium) console.warn(noChromium)

const story = stories.find(({ name }) => name === 'accurate')!
const HASH = `#story=accurate&step=${story.steps.findIndex(({ title }) => title === 'The circuit')}`
const NAMES = REGISTERS.flatMap(({ now, old }) => [now, old])

async function registersIn(page: Page): Promise<Record<string, number>> {
  const cells = await page
    .locator('.circuit [data-register]')
    .evaluateAll((all) =>
      all.map((cell) => [cell.getAttribute('data-register'), cell.getAttribute('data-value')]),
    )
  return Object.fromEntries(cells.map(([name, value]) => [name, Number(value)]))
}

describe.skipIf(!hasChromium)("ACCurate's circuit in the lab", () => {
  const lab = useLab()

  it('shows every register after each FRP, as the same run in Node has them', async () => {
    const { page, context, errors } = await lab.open(HASH, { reducedMotion: 'reduce' })
    await fingerprintsOf(page)
    await page.locator('.guess').first().click()
    expect(await page.locator('.circuit h2').textContent()).toContain(PORT)
    // The story begins in the middle; the registers are followed from the beginning.
    await page.focus('#scrub')
    await page.keyboard.press('Home')
    const { steps } = circuitOfVictim()
    expect(steps.length).toBeGreaterThan(100)
    const shows = async (step: CircuitStep): Promise<void> => {
      const want = Object.fromEntries(NAMES.map((name) => [name, step[name]]))
      await expect.poll(() => registersIn(page)).toEqual(want)
    }
    for (const step of steps.slice(0, 8)) {
      await page.click('#circuit-next')
      await shows(step)
    }
    await page.click('#circuit-back')
    await shows(steps[6]!)
    expect(await audit(page)).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)

  it('follows the clock and the port that is chosen, on a phone in the dark', async () => {
    const { page, context } = await lab.open(HASH, {
      reducedMotion: 'reduce',
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
    })
    await fingerprintsOf(page)
    await page.locator('.guess').first().click()
    const last = circuitOfVictim().steps.at(-1)!
    await page.focus('#scrub')
    await page.keyboard.press('End')
    await expect.poll(async () => (await registersIn(page))['fsr']).toBe(last.fsr)
    await page.selectOption('#circuit-port', 'leaf1->spine2')
    await expect.poll(() => page.locator('.circuit h2').textContent()).toContain('leaf1->spine2')
    expect(await audit(page)).toEqual([])
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    expect(scrollWidth, 'the page is wider than the window').toBeLessThanOrEqual(clientWidth + 1)
    // In floating point there is no circuit.
    await page.click('#story-next')
    await page.locator('.circuit').waitFor({ state: 'detached' })
    await context.close()
  }, 180_000)
})
