/**
 * How quick the lab is on this machine, for people: `WEIR_PACE=1 npx vitest run apps/lab/src/pace`
 * prints the time to the first picture, pictures a second and the delay of keys. Nothing is
 * asserted of seconds, which are the machine's as much as ours, and nothing runs unless asked for.
 */
import process from 'node:process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, LabBrowser } from './testing/browser.ts'
import { hasPicture, keyDelays, picturesPerSecond } from './testing/pace.ts'

const isAsked = process.env.WEIR_PACE !== undefined && hasChromium
const ROUNDS = 5

describe.skipIf(!isAsked)('the pace of the lab', () => {
  let lab: LabBrowser
  const report = (what: string, values: readonly number[], unit: string): void => {
    const shown = values.map((value) => Math.round(value)).sort((a, b) => a - b)
    console.log(`${what}: ${shown.join(' ')} ${unit}`)
    expect(shown.every((value) => value >= 0)).toBe(true)
  }

  beforeAll(async () => {
    lab = await LabBrowser.start()
  }, 120_000)
  afterAll(async () => {
    await lab?.end()
  }, 60_000)

  it('from an empty profile to the first picture', async () => {
    const times: number[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const { page, context } = await lab.open('', { viewport: { width: 1280, height: 900 } })
      await page.waitForFunction(hasPicture, undefined, { polling: 'raf' })
      times.push(await page.evaluate(() => performance.now()))
      await context.close()
    }
    report('first picture', times, 'ms after the request')
  }, 60_000)

  const running = async (hash: string): Promise<{ page: Page; end: () => Promise<void> }> => {
    const { page, context } = await lab.open(hash)
    await page.waitForFunction(
      () => (document.querySelector<HTMLProgressElement>('.bar progress')?.value ?? 0) > 0.02,
    )
    return { page, end: () => context.close() }
  }

  it.each([
    ['incast, 16 senders', '#scenario=incast'],
    ['websearch-320', '#scenario=websearch-320'],
    ['websearch-320, two schemes', '#scenario=websearch-320&schemes=none,dcqcn'],
  ])(
    'pictures and keys of %s',
    async (name, hash) => {
      const { page, end } = await running(hash)
      report(`${name}, while it runs`, await picturesPerSecond(page, 3), 'pictures/s')
      const delays = await keyDelays(page, 20)
      report(`${name}, from a key to its picture`, delays, 'ms')
      await end()
    },
    60_000,
  )
})
