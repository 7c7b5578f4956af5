/** The page keeps what a person did: where they were, what they wrote, what runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { experimentOf } from './model/experiment.ts'
import { hashOf } from './model/link.ts'
import { lineIn, sourceLines, withLines } from './own/source-lines.ts'
import { starter } from './own/starter.ts'
import { fingerprintsOf, hasChromium, LabBrowser, noChromium } from './testing/browser.ts'

if (!hasChromium) console.warn(noChromium)

/** A busy machine takes its time. */
const SLOW = { timeout: 30_000 }

describe('lines of a compiled scheme', () => {
  it('lead back to the lines of its author', () => {
    // Two lines of types, then code: the first line of JavaScript is the third of the text.
    const code = withLines('a()\nb()', sourceLines('AAEA,GAAG;AACH;'))
    expect([lineIn(code, 1), lineIn(code, 2), lineIn(code, 99)]).toEqual([3, 4, 4])
    expect(lineIn('a()', 7)).toBe(7)
  })
})

describe.skipIf(!hasChromium)('the page keeps', () => {
  let lab: LabBrowser

  beforeAll(async () => {
    lab = await LabBrowser.start()
  }, 120_000)
  afterAll(async () => {
    await lab?.end()
  })

  it('the way back, and drafts of specs', async () => {
    const { page, context, errors } = await lab.open('#scenario=parking-lot&schemes=none,nonsense')
    await page.locator('.banner', { hasText: 'nonsense' }).waitFor()
    await fingerprintsOf(page)
    await page.selectOption('#scenario', 'pfc-victim')
    await page.waitForFunction(() => location.hash.includes('pfc-victim'))
    await page.goBack()
    await expect.poll(() => page.locator('#scenario').inputValue(), SLOW).toBe('parking-lot')
    await page.goForward()
    await expect.poll(() => page.locator('#scenario').inputValue(), SLOW).toBe('pfc-victim')

    await page.click('[data-tab=spec]')
    await page.locator('#spec-editor .cm-content').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('# half a thought\n')
    await page.click('[data-tab=knobs]')
    await page.click('[data-tab=spec]')
    await page.locator('#spec-editor .cm-content').waitFor()
    expect(await page.locator('#spec-editor .cm-content').textContent()).toContain('half a thought')

    expect(errors).toEqual([])
    await context.close()
  }, 400_000)

  it('time under one hand: keys, ticks, values under the cursor, and a stop', async () => {
    const { page, context, errors } = await lab.open('#scenario=pfc-victim', {
      reducedMotion: 'reduce',
    })
    await fingerprintsOf(page)
    const state = (): Promise<string> => page.locator('#play').innerText()
    await page.locator('h1').click()
    await page.keyboard.press('Space')
    await expect.poll(state, SLOW).toBe('Pause')
    await page.keyboard.press('Space')
    await expect.poll(state, SLOW).toBe('Play')
    await page.locator('.tick', { hasText: 'first pause' }).click()
    await expect.poll(() => page.locator('.clock').innerText(), SLOW).toMatch(/^\d\d(\.\d)? us/u)
    await page.locator('h1').click()
    await page.keyboard.press('+')
    await page.getByRole('button', { name: 'Show all of time' }).waitFor()
    await page.keyboard.press('0')
    await page.getByRole('button', { name: 'Show all of time' }).waitFor({ state: 'detached' })
    const plots = page.locator('.plots.first .u-over')
    await plots.first().scrollIntoViewIfNeeded()
    await plots.first().hover({ position: { x: 300, y: 40 } })
    // Both plots show what there is at the same moment, the largest first.
    const times = page.locator('.plots.first .values > div:first-child')
    await expect.poll(async () => new Set(await times.allInnerTexts()).size, SLOW).toBe(1)
    expect(await times.count()).toBe(2)
    const queues = await page.locator('.plots.first .values').nth(1).innerText()
    expect(queues.split('\n')[1]).toMatch(/^near->R \d+ KB$/u)
    await page.goto(
      lab.url + (await hashOf({ ...experimentOf('victim'), settings: ['run.until=400ms'] })),
    )
    await page.waitForFunction(
      () => (document.querySelector<HTMLProgressElement>('.bar progress')?.value ?? 0) > 0,
    )
    await page.click('#stop')
    await page.locator('.scene-card [role=alert]', { hasText: 'stopped at' }).waitFor()
    expect(await page.locator('#stop').isDisabled()).toBe(true)
    expect(errors).toEqual([])
    await context.close()
  }, 240_000)

  it("the author's line in the error of a scheme of their own", async () => {
    const { page, context } = await lab.open('#scenario=parking-lot')
    const types = 'interface Unused {\n  readonly a: number\n  readonly b: number\n}\n\n'
    const inAck = 'override onAck(ack: Readonly<Ack>, nowPs: number): void {'
    const code = types + starter.replace(inAck, `${inAck}\n    throw new Error('no idea')`)
    const line = code.split('\n').findIndex((one) => one.includes('no idea')) + 1
    await page.click('[data-tab=own]')
    await page.locator('#own-editor .cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(code)
    await page.click('#run-own')
    const alert = page.locator('.scene-card [role=alert]')
    await alert.waitFor({ timeout: 60_000 })
    expect(await alert.textContent()).toContain(`the scheme threw: no idea (line ${line})`)
    await context.close()
  }, 240_000)
})
