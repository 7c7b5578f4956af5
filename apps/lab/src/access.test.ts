/**
 * The page is for everyone: names, contrast, focus, no shifting, light and dark, wide and narrow.
 */
import { describe, expect, it } from 'vitest'
import { experimentOf, laneOf } from './model/experiment.ts'
import { hashOf } from './model/link.ts'
import { audit } from './testing/audit.ts'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'

if (!hasChromium) console.warn(noChromium)

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 900 }

/** Eight racks of sixteen hosts: 320 ports, too many for ribbons. */
const RACKS = {
  ...experimentOf(''),
  text: `topology: {kind: leaf-spine, leaves: 8, spines: 4, hostsPerLeaf: 16}
workload:
  - flows:
      - {name: one, from: h0, to: h127}
scheme: none
run: {until: 50us}
`,
  lanes: [laneOf('none')],
}

describe.skipIf(!hasChromium)('the lab for everyone', () => {
  const lab = useLab()

  it('has names, contrast and room to hit, light and dark, at a desk and on a phone', async () => {
    const { page, context } = await lab.open('#scenario=incast&schemes=none,dcqcn')
    await fingerprintsOf(page, 2)
    for (const details of await page.locator('details > summary').all()) await details.click()
    for (const tab of ['knobs', 'stories', 'spec', 'own', 'figures', 'gallery']) {
      if (tab !== 'knobs') await page.click(`[data-tab=${tab}]`)
      for (const viewport of [DESK, PHONE]) {
        await page.setViewportSize(viewport)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await page.waitForTimeout(150)
          expect(await audit(page), `${tab} ${colorScheme}`).toEqual([])
        }
        const isWide = await page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
        )
        expect(isWide, `${tab}: the page is wider than the window`).toBe(false)
      }
    }
    await context.close()
  }, 120_000)

  it('has every tab in sight on a phone, on one line where it is not very narrow', async () => {
    const { page } = await lab.open('#gallery')
    for (const [width, lines] of [
      [390, 1],
      [320, 2],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      const tabs = await page.locator('nav .tab').evaluateAll((all) =>
        all.map((tab) => {
          const { left, right, top } = tab.getBoundingClientRect()
          return { left, right, top }
        }),
      )
      expect(tabs.length).toBe(6)
      expect(Math.min(...tabs.map(({ left }) => left))).toBeGreaterThanOrEqual(0)
      expect(Math.max(...tabs.map(({ right }) => right))).toBeLessThanOrEqual(width)
      expect(new Set(tabs.map(({ top }) => Math.round(top))).size).toBe(lines)
    }
  }, 60_000)

  it('keeps the picture beside the choice on a phone; two fingers look closer', async () => {
    const { page, context, errors } = await lab.open('#scenario=victim&schemes=accurate', {
      viewport: PHONE,
      hasTouch: true,
      reducedMotion: 'reduce',
    })
    await fingerprintsOf(page)
    // A knob in the middle of the screen, and the picture and the clock still in sight.
    await page.locator('fieldset.lane summary').tap()
    const knob = page.getByLabel('rrp, coarse')
    await knob.evaluate((input) => input.scrollIntoView({ block: 'center' }))
    const placeOf = (what: string): Promise<{ top: number; bottom: number }> =>
      page
        .locator(what)
        .first()
        .evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          return { top, bottom }
        })
    const [scene, clock] = [await placeOf('canvas.scene'), await placeOf('.transport')]
    const at = (await knob.boundingBox())!
    expect(scene.top).toBeGreaterThanOrEqual(0)
    expect(at.y).toBeGreaterThan(scene.bottom)
    expect(at.y + at.height).toBeLessThan(clock.top)
    expect(clock.bottom).toBeLessThanOrEqual(PHONE.height + 1)

    const session = await context.newCDPSession(page)
    const pinch = async (x: number, y: number): Promise<void> => {
      const fingers = (apart: number): { x: number; y: number; id: number }[] => [
        { x: x - apart, y, id: 0 },
        { x: x + apart, y, id: 1 },
      ]
      const send = (
        type: 'touchStart' | 'touchMove' | 'touchEnd',
        apart: number,
      ): Promise<unknown> =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : fingers(apart),
        })
      await send('touchStart', 20)
      for (let apart = 25; apart <= 60; apart += 5) await send('touchMove', apart)
      await send('touchEnd', 60)
    }
    const whole = page.getByRole('button', { name: 'Whole network' })
    expect(await whole.isVisible()).toBe(false)
    await pinch(190, (scene.top + scene.bottom) / 2)
    await whole.tap()
    await whole.waitFor({ state: 'hidden' })
    const plot = page.locator('.plots.first .u-over').first()
    await plot.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const box = (await plot.boundingBox())!
    await pinch(box.x + box.width / 2, box.y + box.height / 2)
    await page.getByRole('button', { name: 'Show all of time' }).waitFor()
    expect(errors).toEqual([])
  }, 120_000)

  it('opens a rack of a large network by keyboard and by a click', async () => {
    const { page, errors } = await lab.open(await hashOf(RACKS), { reducedMotion: 'reduce' })
    await fingerprintsOf(page)
    const rack = page.locator('#rack')
    const pixels = (): Promise<string> =>
      page.locator('canvas.scene').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
    const closed = await pixels()
    await rack.selectOption('leaf2')
    await expect.poll(pixels).not.toBe(closed)
    await rack.selectOption('')
    await expect.poll(pixels).toBe(closed)
    const { width, height } = (await page.locator('canvas.scene').boundingBox())!
    // The strips stand at the foot of the picture; the last eighth of the width is the last rack.
    const position = { x: width * 0.92, y: height - 44 }
    await page.locator('canvas.scene').click({ position })
    await expect.poll(() => rack.inputValue()).toBe('leaf7')
    expect(errors).toEqual([])
  }, 120_000)

  // The second has more levels in its legend than one line holds.
  it.each(['victim', 'incast'])('does not shift while it loads: %s', async (name) => {
    const { page, context } = await lab.open(`#scenario=${name}`)
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

  it('is walked through by Tab in the order of the page, and always shows where', async () => {
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

  it('keeps the focus off the body, and tells values of plots as time is moved', async () => {
    const { page, errors } = await lab.open('#story=parking-lot&step=1', {
      reducedMotion: 'reduce',
    })
    await fingerprintsOf(page)
    const focused = (): Promise<string> =>
      page.evaluate(async () => {
        const picture = (): Promise<unknown> => new Promise(requestAnimationFrame)
        for (let i = 0; i < 4; i++) await picture()
        const { tagName, className } = document.activeElement!
        return `${tagName} ${className}`
      })
    // A guess goes away when it is made, and what is asked and answered has the focus.
    await page.locator('.guess').nth(1).press('Enter')
    await page.locator('.told-text').waitFor()
    // The guesses are gone, and what is right is still said.
    const right = 'It has an input of the last switch to itself.'
    expect(await page.locator('.answered').innerText()).toBe(`Right: ${right}`)
    expect(await focused()).toBe('DIV asked')
    await page.keyboard.press('Tab')
    expect(await focused()).toMatch(/^BUTTON/u)
    // So does the way back from a zoom.
    await page.keyboard.press('+')
    await page.getByRole('button', { name: 'Show all of time' }).press('Enter')
    await page.getByRole('button', { name: 'Show all of time' }).waitFor({ state: 'detached' })
    expect(await focused()).toMatch(/^DIV row/u)
    // A person who points beside something has taken the focus away themselves.
    await page.locator('#play').focus()
    await page.locator('h1').click()
    expect(await focused()).toMatch(/^BODY/u)

    const plot = page.locator('.plots.first .plot').first()
    const said = (): Promise<string | null> => plot.getAttribute('aria-description')
    await page.focus('#scrub')
    await page.keyboard.press('Home')
    await expect.poll(said).toMatch(/^at 0/iu)
    await page.keyboard.press('End')
    await expect.poll(said).toMatch(/^at 1 ms.*f3 4\.\d/iu)
    expect(errors).toEqual([])
  }, 60_000)

  it('says what to do when it is opened as a file', async () => {
    const { page } = await lab.open('#figure=')
    await page.goto(`file://${lab.folder}/lab/index.html`)
    await page.getByText('the page was opened as a file').waitFor()
    expect(await page.locator('.before').innerText()).toContain('./weir lab')
  })

  it('stands still for those who ask for less motion', async () => {
    const { page, context } = await lab.open('#scenario=incast', { reducedMotion: 'reduce' })
    await fingerprintsOf(page)
    expect((await page.textContent('#play'))?.trim()).toBe('Play')
    await context.close()
  })
})
