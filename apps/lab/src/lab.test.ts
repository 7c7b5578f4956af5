/**
 * The lab in a real Chromium: the same results as the command line, every scenario and story,
 * links, broken specs and bad schemes, no request to anywhere, and a page that everyone can use.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadSpec, scenarioByName, scenarios, simulate } from '@weir/sim'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { experimentOf } from './model/experiment.ts'
import { storyExperiment } from './model/story-experiment.ts'
import { stories } from './stories/index.ts'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'
import { hasPicture, keyDelays } from './testing/pace.ts'
import { endEarly, printsOf } from './testing/short-runs.ts'
import { starter } from './own/starter.ts'

if (!hasChromium) console.warn(noChromium)

/** Of a scenario, and of a story's step: enough to know a run by, and to show the step's moment. */
const EVENTS = 120_000
const STEP_EVENTS = 100_000

/** A busy machine takes its time. */
const SLOW = { timeout: 40_000, interval: 30 }

/** Runs in the page: what has changed is drawn, with what is written into the picture. */
const twoPictures = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

const printsIn = (page: Page): Promise<string[]> =>
  page.locator('#results .print').allTextContents()

const replaced = (from: string, to: string): string => {
  if (!starter.includes(from)) throw new Error(`the starter has no ${from}`)
  return starter.replace(from, to)
}

describe.skipIf(!hasChromium)('the lab', () => {
  const lab = useLab()

  it('shows a picture at once, states its pace, and runs incast to the end', async () => {
    const { page, context, errors } = await lab.open()
    await page.waitForSelector('canvas.scene')
    await page.waitForFunction(hasPicture)
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true)
    expect(await page.locator('#fps').textContent()).toMatch(/^\d+ pictures\/s$/u)
    const { fingerprint } = simulate(loadSpec({ text: scenarioByName('incast')!.text }))
    expect(await fingerprintsOf(page)).toEqual([fingerprint])
    expect(errors).toEqual([])
    await context.close()
  }, 120_000)

  it('loads less than 500 KB before the first picture, in brotli and in gzip', async () => {
    const { page, context, bytes } = await lab.open()
    // What comes later (the gallery's pictures, findings) may be loaded while the run goes on.
    await page.waitForFunction(hasPicture)
    const sent = { br: 0, gzip: 0 }
    for (const url of bytes.keys()) {
      // Most static hosts know gzip only.
      for (const packing of ['br', 'gzip'] as const) {
        const { headers } = await fetch(url, { headers: { 'accept-encoding': packing } })
        expect(headers.get('content-encoding'), url).toBe(packing)
        sent[packing] += Number(headers.get('content-length'))
      }
    }
    expect(sent.br).toBe([...bytes.values()].reduce((a, b) => a + b, 0))
    expect(sent.br).toBeGreaterThan(50_000)
    expect(Math.max(sent.br, sent.gzip)).toBeLessThan(500_000)
    await context.close()
  })

  it('runs every scenario of the gallery to the same fingerprint as Node', async () => {
    // A page that runs nothing yet.
    const { page, context, errors } = await lab.open('#figure=')
    await endEarly(page, EVENTS)
    await page.click('[data-tab=knobs]')
    const [first, ...others] = scenarios
    for (const { name } of [...others, first!]) {
      const experiment = experimentOf(name)
      await page.selectOption('#scenario', name)
      await expect.poll(() => printsIn(page), SLOW).toEqual(printsOf(experiment, EVENTS))
      expect(await page.locator('[role=alert]').count(), name).toBe(0)
    }
    expect(errors).toEqual([])
    await context.close()
  }, 120_000)

  it('answers keys within 100 ms while 320 hosts are simulated', async () => {
    const median = async (page: Page): Promise<number> => {
      const delays = (await keyDelays(page, 15)).sort((a, b) => a - b)
      expect(delays).toHaveLength(15)
      return delays[7]!
    }
    // The same page with nothing to do tells what is the machine's own delay.
    const idle = await lab.open()
    await fingerprintsOf(idle.page)
    const idleMs = await median(idle.page)
    await idle.context.close()
    const { page, context } = await lab.open('#scenario=websearch-320')
    const isRunning = (): boolean => {
      const done = document.querySelector<HTMLProgressElement>('.bar progress')?.value ?? 0
      return done > 0.02 && done < 1
    }
    await page.waitForFunction(isRunning)
    // Other tests run beside this one, and only ever take time away: the best of a few counts.
    let busyMs = Infinity
    for (let i = 0; i < 6 && busyMs - idleMs >= 100; i++) {
      if (!(await page.evaluate(isRunning))) break
      busyMs = Math.min(busyMs, await median(page))
    }
    expect(busyMs - idleMs).toBeLessThan(100)
    await context.close()
  }, 120_000)

  it('can walk every story to its end', async () => {
    const { page, context, errors } = await lab.open('#figure=')
    await endEarly(page, STEP_EVENTS)
    await page.click('[data-tab=stories]')
    for (const { name, steps } of stories) {
      for (const [i, step] of steps.entries()) {
        await page.click(i === 0 ? `[data-story=${name}]` : '#story-next')
        await page.locator('#story-step', { hasText: step.title }).waitFor()
        expect(await page.locator('.story .warning').count(), `${name} ${i}`).toBe(0)
        // What runs is the step's own experiment, not that of the last one.
        const prints = printsOf(storyExperiment(step).experiment, STEP_EVENTS)
        await expect
          .poll(() => printsIn(page), { ...SLOW, message: `${name} ${i}` })
          .toEqual(prints)
        expect(await page.locator('canvas.scene').count()).toBe(prints.length)
        expect(await page.locator('[role=alert]').allTextContents()).toEqual([])
        // A question is answered before the text is shown.
        const isAsked = step.ask !== undefined
        expect(await page.locator('.told-text').count(), `${name} ${i}`).toBe(isAsked ? 0 : 1)
        if (isAsked) await page.locator('.guess').first().click()
        await page.locator('.told-text').waitFor()
        await page.evaluate(twoPictures)
      }
      await page.click('#story-next')
      await page.locator('[data-story]').first().waitFor()
    }
    expect(errors).toEqual([])
    await context.close()
  }, 300_000)

  it('opens the same experiment from a link in another profile', async () => {
    const first = await lab.open('#scenario=incast&schemes=none,dcqcn')
    await fingerprintsOf(first.page, 2)
    await first.page.locator('fieldset.lane').nth(1).locator('summary').click()
    await first.page.fill('#lane1-rateAi', '400Mbps')
    await first.page.locator('#lane1-rateAi').blur()
    await first.page.waitForFunction(() => location.hash.startsWith('#x='))
    await first.page.waitForFunction(() => document.querySelector('.old-print') === null)
    const before = await fingerprintsOf(first.page, 2)
    const hash = await first.page.evaluate(() => location.hash)
    const second = await lab.open(hash)
    expect(await fingerprintsOf(second.page, 2)).toEqual(before)
    const command = await second.page.locator('#command').textContent()
    expect(command).toContain('./weir run incast --scheme dcqcn --set scheme.params.rateAi=400Mbps')
    const settings = ['scheme.params.rateAi=400Mbps']
    const text = scenarioByName('incast')!.text
    expect(before[1]).toBe(simulate(loadSpec({ text, settings })).fingerprint)
    await first.context.close()
    await second.context.close()
  }, 40_000)

  it('says what is wrong with a link or a spec and goes on', async () => {
    const { page, context } = await lab.open('#x=nonsense')
    await page.locator('.banner').waitFor()
    expect(await page.locator('.banner').textContent()).toContain('damaged')
    await page.click('[data-tab=spec]')
    await page.locator('#spec-editor .cm-content').click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('topologie: star\n')
    await page.waitForFunction(() =>
      document.querySelector('#spec-problem')?.textContent?.includes('did you mean topology'),
    )
    expect(await page.locator('#run-spec').isDisabled()).toBe(true)
    for (let i = 0; i < 4; i++) await page.keyboard.press('Control+z')
    await page.waitForFunction(
      () => document.querySelector<HTMLButtonElement>('#run-spec')?.disabled === false,
    )
    await page.click('[data-tab=knobs]')
    await page.locator('.knobs > details summary').click()
    await page.fill('#spec-run-until', 'soon')
    await page.locator('#spec-run-until').blur()
    await page.locator('.scene-card [role=alert]').waitFor()
    expect(await page.locator('.scene-card [role=alert]').textContent()).toContain('run.until')
    await page.fill('#spec-run-until', '1ms')
    await page.locator('#spec-run-until').blur()
    await fingerprintsOf(page)
    await page.goto(`${lab.url}#story=nonsense&step=2`)
    await page.locator('.banner', { hasText: "a story 'nonsense'" }).waitFor()
    await page.locator('[data-story]').first().waitFor()
    await context.close()
  }, 40_000)

  it('completes keys and words of a spec from its schema', async () => {
    const { page, context } = await lab.open('#scenario=incast')
    await page.click('[data-tab=spec]')
    await page.locator('#spec-editor .cm-content').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('rou')
    await page.locator('#spec-editor .cm-tooltip-autocomplete').waitFor()
    const words = await page.locator('#spec-editor .cm-completionLabel').allTextContents()
    expect(words).toContain('routing')
    await context.close()
  })

  it("runs a user's own scheme, and goes on when it throws, loops or hoards", async () => {
    const { page, context, errors } = await lab.open('#scenario=parking-lot')
    await runOwn(page, replaced('baseRttPs', 'baseRtt'))
    const problems = page.locator('#own-problems .failure')
    await problems.first().waitFor({ timeout: 30_000 })
    expect(await problems.first().textContent()).toContain("Did you mean 'baseRttPs'?")
    await runOwn(page, starter)
    await page.locator('#own-problems .fine').waitFor({ timeout: 30_000 })
    expect(await fingerprintsOf(page, 2)).toHaveLength(2)
    expect(errors).toEqual([])
    let visits = 0
    const elsewhere = createServer((_, response) => {
      visits++
      response.end()
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/x.js`
    const inAck = 'override onAck(ack: Readonly<Ack>, nowPs: number): void {'
    const cases = [
      [`${inAck} throw new Error('no idea')`, /the scheme threw: no idea \(line \d+\)/u],
      [`${inAck} for (;;) {}`, /loops for ever/u],
      [`${inAck} const all: unknown[] = []; for (;;) all.push(new Float64Array(1e7))`, /1 GiB/u],
      [`${inAck} for (;;) (globalThis as any).postMessage?.({ type: 'hello' })`, /loops for ever/u],
      [`${inAck} new (ArrayBuffer as any)(8, { maxByteLength: 2 ** 31 })`, /1 GiB/u],
      [`${inAck} new (globalThis as any).WebAssembly.Memory({ initial: 30000 })`, /Memory/u],
      [`#cutPs = 0; #spy = import('${there}').catch(() => 0)`, undefined],
      [`#cutPs = 0; #spy = (globalThis as any).fetch('${there}').catch(() => 0)`, undefined],
      ['#cutPs = 0; #spin = (() => { for (;;) {} })()', /loops for ever/u],
    ] as const
    for (const [code, sentence] of cases) {
      // Nobody needs to wait four seconds to see that four seconds of silence are the end.
      await page.evaluate(runClock, sentence?.source.includes('loops') === true ? 8 : 1)
      const from = code.startsWith('#') ? '#cutPs = 0' : inAck
      await runOwn(page, replaced(from, code))
      if (sentence === undefined) {
        expect(await fingerprintsOf(page, 2)).toHaveLength(2)
        continue
      }
      const alert = page.locator('.scene-card [role=alert]')
      await alert.waitFor({ timeout: 60_000 })
      expect(await alert.textContent()).toMatch(sentence)
    }
    await page.evaluate(runClock, 1)
    await runOwn(page, starter)
    expect(await fingerprintsOf(page, 2)).toHaveLength(2)
    expect(visits).toBe(0)
    elsewhere.close()
    await context.close()
  }, 300_000)

  it('survives a scheme that allocates without end', async () => {
    const { page, context } = await lab.open('#scenario=incast')
    // Playwright takes a crashed frame for a crashed page: the page itself is asked.
    const session = await context.newCDPSession(page)
    const grab = `const all: unknown[][] = []; for (;;) { all.push(new Array(5e6).fill(1.5)) }`
    const code = replaced('override observe(): number {', `override observe(): number { ${grab}`)
    await runOwn(page, code)
    const ask = async (): Promise<string> => {
      const expression = "document.querySelector('.scene-card [role=alert]')?.textContent ?? ''"
      const { result } = await session.send('Runtime.evaluate', { expression })
      return String(result.value)
    }
    let said = ''
    for (let i = 0; i < 100 && said === ''; i++) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      said = await ask()
    }
    expect(said).toContain('used up its memory')
    await context.close()
  }, 40_000)

  it('asks nothing of any other machine', async () => {
    const { page, context, requests } = await lab.open('#scenario=victim&schemes=none,dcqcn')
    await fingerprintsOf(page, 2)
    for (const tab of ['spec', 'stories', 'figures', 'own', 'knobs']) {
      await page.click(`[data-tab=${tab}]`)
    }
    expect(requests.length).toBeGreaterThan(3)
    const elsewhere = requests.filter((url) => !url.startsWith(lab.url))
    expect(elsewhere.filter((url) => !/^(blob:http:\/\/127|blob:null|data:)/u.test(url))).toEqual(
      [],
    )
    await context.close()
  })

  it('plays, steps, scrubs, zooms and pins by keyboard', async () => {
    const { page, context } = await lab.open('#scenario=parking-lot')
    await fingerprintsOf(page)
    await page.focus('#play')
    if ((await page.textContent('#play'))?.trim() === 'Pause') await page.keyboard.press('Enter')
    await page.waitForFunction(
      () => document.querySelector('#play')?.textContent?.trim() === 'Play',
    )
    await page.focus('#scrub')
    await page.keyboard.press('End')
    await page.waitForFunction(() =>
      document.querySelector('.clock')?.textContent?.startsWith('1 ms'),
    )
    await page.keyboard.press('Home')
    await page.waitForFunction(() => document.querySelector('.clock')?.textContent?.startsWith('0'))
    await page.keyboard.press('End')
    const pin = page.locator('.inspector button', { hasText: 'f3' }).first()
    await pin.focus()
    await page.keyboard.press('Enter')
    await page.locator('.inspector button[aria-pressed=true]').waitFor()
    await context.close()
  })
})

/** Runs in the page: the clock that its watchdog reads goes so many times as fast from now on. */
function runClock(times: number): void {
  type Clock = { readonly real: () => number; readonly now: () => number }
  const scope = globalThis as unknown as { runClock?: Clock }
  const real = scope.runClock?.real ?? performance.now.bind(performance)
  const [sinceMs, fromMs] = [real(), performance.now()]
  const now = (): number => fromMs + (real() - sinceMs) * times
  scope.runClock = { real, now }
  performance.now = now
}

/** Puts text into the scheme editor and runs it. */
async function runOwn(page: Page, code: string): Promise<void> {
  await page.click('[data-tab=own]')
  const content = page.locator('#own-editor .cm-content')
  await content.waitFor()
  await content.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(code)
  await page.click('#run-own')
}
