/** The page keeps what a person did: where they were, what they wrote, what runs. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { scenarios } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { figures } from '../../../experiments/index.ts'
import { experimentOf, laneOf, OWN } from './model/experiment.ts'
import { hashOf } from './model/link.ts'
import { lineIn, sourceLines, withLines } from './own/source-lines.ts'
import { starter } from './own/starter.ts'
import { stories } from './stories/index.ts'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'

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
  const lab = useLab()

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
    const draftIn = async (tab: string): Promise<string | null> => {
      await page.click(`[data-tab=${tab}]`)
      await page.locator(`#${tab}-editor .cm-content`).waitFor()
      return page.locator(`#${tab}-editor .cm-content`).textContent()
    }
    // What is beside it keeps the run; the gallery takes everything off the page.
    for (const away of ['knobs', 'gallery', 'figures', 'stories']) {
      await page.click(`[data-tab=${away}]`)
      await page.locator('#spec-editor').waitFor({ state: 'detached' })
      expect(await draftIn('spec'), `after ${away}`).toContain('half a thought')
    }
    await draftIn('own')
    await page.locator('#own-editor .cm-content').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('// half a scheme\n')
    for (const away of ['spec', 'gallery']) {
      await page.click(`[data-tab=${away}]`)
      await page.locator('#own-editor').waitFor({ state: 'detached' })
      expect(await draftIn('own'), `after ${away}`).toContain('half a scheme')
    }
    // A draft is of the text that it was made from: of another scenario it is none.
    await page.click('[data-tab=knobs]')
    await page.selectOption('#scenario', 'parking-lot')
    expect(await draftIn('spec')).not.toContain('half a thought')

    expect(errors).toEqual([])
    await context.close()
  }, 400_000)

  it('the way between the tabs of one experiment, whose URL is one', async () => {
    const { page, context, errors } = await lab.open('#gallery')
    const tab = (): Promise<string | null> =>
      page.locator('.tab[aria-current=page]').getAttribute('data-tab')
    await page.goto(`${lab.url}#scenario=parking-lot&schemes=none`)
    await fingerprintsOf(page)
    for (const next of ['spec', 'own']) {
      await page.click(`[data-tab=${next}]`)
      await expect.poll(() => page.evaluate(() => history.state?.tab), SLOW).toBe(next)
    }
    for (const before of ['spec', 'knobs']) {
      await page.goBack()
      await expect.poll(tab, SLOW).toBe(before)
    }
    await page.goForward()
    await expect.poll(tab, SLOW).toBe('spec')
    expect(errors).toEqual([])
    await context.close()
  }, 120_000)

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

  it('time while a knob moves, the run before, and runs that did not change', async () => {
    const { page, context, errors } = await lab.open('#scenario=victim&schemes=none,accurate', {
      reducedMotion: 'reduce',
    })
    const before = await fingerprintsOf(page, 2)
    await page.locator('#scrub').evaluate((input: HTMLInputElement) => {
      input.value = '500'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    const clock = (): Promise<string> => page.locator('.clock').innerText()
    await expect.poll(clock, SLOW).toMatch(/^400 us/u)
    await page.locator('fieldset.lane').nth(1).locator('summary').click()
    const slider = page.getByLabel('rrp, coarse')
    await slider.scrollIntoViewIfNeeded()
    const box = (await slider.boundingBox())!
    await page.mouse.move(box.x + box.width * 0.33, box.y + box.height / 2)
    await page.mouse.down()
    const seen = new Set<string>()
    const first = page.locator('.scene-card h2').first()
    for (let i = 0; i < 150 && seen.size < 2; i++) {
      const along = 0.34 + 0.01 * (i % 40)
      await page.mouse.move(box.x + box.width * along, box.y + box.height / 2)
      await page.waitForTimeout(150)
      // The lane that did not change is not run again.
      expect(await first.innerText()).not.toMatch(/running|simulating|starting/u)
      const outcome = await page.locator('#since li span').allInnerTexts()
      if (outcome.some((text) => text !== 'running')) seen.add(outcome.join())
    }
    expect(seen.size, 'answers while the knob moved').toBeGreaterThan(1)
    // A quick machine has answered before the knob has come far enough to make a difference.
    await page.mouse.move(box.x + box.width * 0.55, box.y + box.height / 2)
    await page.mouse.up()
    await page.waitForTimeout(200)
    await page.waitForFunction(() => document.querySelectorAll('#results .print').length === 2)
    const after = await fingerprintsOf(page, 2)
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    expect(await page.locator('#since').innerText()).toMatch(/^B: rrp 20us → \d+us\n.* → /u)
    expect(await clock()).toMatch(/^400 us/u)
    await page.goBack()
    await expect.poll(async () => (await fingerprintsOf(page, 2)).join(), SLOW).toBe(before.join())
    expect(await clock()).toMatch(/^400 us/u)
    expect(errors).toEqual([])
    await context.close()
  }, 240_000)

  it('an experiment while a figure is measured, and what was measured', async () => {
    const long = { ...experimentOf('victim'), settings: ['run.until=60ms'] }
    const { page, context, errors } = await lab.open(await hashOf(long), {
      reducedMotion: 'reduce',
    })
    const progress = (): Promise<number> =>
      page.evaluate(() => document.querySelector<HTMLProgressElement>('.bar progress')!.value)
    await expect.poll(progress, SLOW).toBeGreaterThan(0)
    const before = await progress()
    await page.click('[data-tab=figures]')
    await page.locator('[data-figure]').first().waitFor()
    const ids = await page
      .locator('[data-figure]')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-figure')))
    expect(ids).toEqual(figures.map(({ id }) => id))
    await page.click('[data-figure="accurate/fig3"]')
    await page.locator('#figure-done').waitFor({ timeout: 60_000 })
    const signs = page.locator('#figure-done .agrees, #figure-done .differs')
    expect(await signs.count()).toBeGreaterThan(2)
    // The picture comes first, and what the paper published is on it.
    const order = await page
      .locator('#figure-done .picture, #figure-done .strip, #figure-done .scroll:has(.checks)')
      .evaluateAll((parts) => parts.map((part) => part.className))
    expect(order[0]).toContain('picture')
    expect(order.indexOf('strip')).toBe(order.indexOf('scroll') - 1)
    expect(await page.locator('#figure-done circle[fill=none]').count()).toBeGreaterThan(0)
    await page.click('[data-tab=knobs]')
    await page.locator('.bar progress').waitFor()
    expect(await progress()).toBeGreaterThan(before)
    expect(await page.locator('.scene-card [role=alert]').count(), 'the run was ended').toBe(0)
    await page.goBack()
    await page.locator('#figure-done').waitFor({ timeout: 1000 })
    expect(errors).toEqual([])
    await context.close()
  }, 240_000)

  it('the way between figures, each at its address, and values of their plots', async () => {
    const { page, context, errors } = await lab.open('#figure=accurate/fig2')
    const title = page.locator('.figure h2')
    const isThere = async (words: string, timeout: number): Promise<void> => {
      await expect.poll(() => title.innerText(), SLOW).toBe(words)
      await page.locator('#figure-done').waitFor({ timeout })
    }
    const [first, second] = ['A contention point over one period', 'The solver of delay equations']
    await isThere(first, 60_000)
    await page.locator('[data-figure="theory/solver"]').click()
    await expect.poll(() => title.innerText(), SLOW).toContain(second)
    await page.locator('#figure-done').waitFor({ timeout: 60_000 })
    expect(await page.evaluate(() => location.hash)).toBe('#figure=theory/solver')
    // What was measured is there at once, both ways.
    await page.goBack()
    await isThere(first, 1000)
    await page.goForward()
    await expect.poll(() => title.innerText(), SLOW).toContain(second)
    await page.goBack()
    await isThere(first, 1000)
    const picture = page.getByRole('img', {
      name: 'Registers of the contention point: rate (Gb/s)',
    })
    expect(await picture.count()).toBe(1)
    // A details without a role of its own: its summary is reached by keyboard, and named.
    const summary = page.locator(
      'summary[aria-label="Values of Registers of the contention point"]',
    )
    await summary.focus()
    await page.keyboard.press('Enter')
    const values = page.getByRole('region', { name: 'Values: Registers of the contention point' })
    await values.waitFor()
    expect(await values.getByRole('row').count()).toBeGreaterThan(30)
    expect(await values.getByRole('row', { name: 'FSR, published' }).count()).toBeGreaterThan(0)
    expect(errors).toEqual([])
    await context.close()
  }, 240_000)

  it('a gallery whose pictures live, and which leads to every scenario and story', async () => {
    const { page, context, errors } = await lab.open('#gallery')
    const cards = await page
      .locator('[data-card]')
      .evaluateAll((all) => all.map((card) => card.getAttribute('data-card')!))
    const wanted = [...scenarios, ...stories.map(({ name }) => ({ name: `story-${name}` }))]
    expect([...cards].sort()).toEqual(wanted.map(({ name }) => name).sort())
    const canvas = page.locator('[data-card=parking-lot] canvas')
    await canvas.scrollIntoViewIfNeeded()
    await page.locator('[data-card=parking-lot] canvas[data-done=yes]').waitFor()
    const pixels = (): Promise<string> =>
      canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL())
    const first = await pixels()
    await expect.poll(pixels, SLOW).not.toBe(first)
    await page.click('[data-card=parking-lot]')
    await fingerprintsOf(page)
    expect(await page.locator('#scenario').inputValue()).toBe('parking-lot')
    await page.goBack()
    await page.locator('[data-card=story-pfc]').click()
    await page.locator('#story-step').waitFor()
    expect(errors).toEqual([])
    await context.close()
  }, 240_000)

  it('quiet about a scheme that a link brings, also from a sub-path', async () => {
    // Any static host, in any folder.
    const files = createServer((request, response) => {
      const name = /^\/some\/where\/([\w.-]*)/u.exec(request.url ?? '')?.[1]
      if (name === undefined) return response.writeHead(404).end()
      const file = name === '' ? 'index.html' : name
      const type = { html: 'text/html', css: 'text/css' }[file.split('.')[1]!] ?? 'text/javascript'
      response.writeHead(200, { 'content-type': type })
      return response.end(readFileSync(join(lab.folder, 'lab', file)))
    })
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
    const { port } = files.address() as AddressInfo
    const brought = { ...experimentOf('parking-lot'), ownScheme: starter, lanes: [laneOf(OWN)] }
    const { page, context, errors } = await lab.open('#gallery')
    await page.goto(`http://127.0.0.1:${port}/some/where/${await hashOf(brought)}`)
    await fingerprintsOf(page)
    const heading = (): Promise<string> => page.locator('.scene-card h2').first().innerText()
    const first = await heading()
    expect(await page.locator('iframe').count()).toBe(0)
    expect(await page.locator('.brought').innerText()).toContain('has not been run')
    await page.click('#look-brought')
    await page.locator('#own-editor .cm-content', { hasText: 'reaction' }).waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    await page.click('#run-brought')
    await expect.poll(heading, SLOW).not.toBe(first)
    await fingerprintsOf(page)
    expect(await page.locator('.brought').count()).toBe(0)
    await page.goto(`http://127.0.0.1:${port}/some/where/notices.html`)
    // Of the page, of the editor, of the workers.
    const libraries = await page.locator('h2').allTextContents()
    for (const name of ['preact', 'uplot', '@codemirror/view', 'yaml', 'typescript']) {
      const mine = libraries.filter((title) => title.startsWith(`${name} `))
      expect(mine, name).toHaveLength(1)
    }
    for (const text of await page.locator('pre').allTextContents()) {
      expect(text.length).toBeGreaterThan(300)
    }
    expect(errors).toEqual([])
    await context.close()
    files.close()
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
