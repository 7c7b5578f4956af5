/**
 * No series is cut short, on the screen and in the CSV: not by a picture, not because another lane
 * is over, a run was stopped, pairs of pictures became one, or a part of time is shown.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { shortTime } from '@weir/engine'
import { createRun } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { experimentOf, laneOf, laneSpec } from './model/experiment.ts'
import type { Experiment } from './model/experiment.ts'
import { hashOf } from './model/link.ts'
import { fingerprintsOf, hasChromium, noChromium, useLab } from './testing/browser.ts'

if (!hasChromium) console.warn(noChromium)

/** A busy machine takes its time. */
const SLOW = { timeout: 60_000 }

const experiment = (text: string, ...lanes: string[]): Experiment => ({
  ...{ ...experimentOf(''), text, lanes: lanes.map((name) => laneOf(name)) },
})

/** Two flows without end; `until` is on no grid of pictures. */
const steady = (
  until: string,
): string => `topology: {kind: star, hosts: 3, rate: 10Gbps, delay: 1us}
workload:
  - flows:
      - {name: one, from: h0, to: h2}
      - {name: two, from: h1, to: h2}
scheme: none
run: {until: ${until}}
`

/** Lane A is over at a fifth of the time of lane B, which paces by what PACC leaves it. */
const ENDS = `topology: {kind: star, hosts: 3, rate: 10Gbps, delay: 1us}
workload:
  - flows:
      - {name: one, from: h0, to: h2, size: 900KB}
      - {name: two, from: h1, to: h2, size: 900KB}
scheme: none
run: {until: 20ms}
`

/** When a lane's run is over, as Node has it, in ps. */
function endOf(of: Experiment, lane: number): number {
  const spec = laneSpec(of, of.lanes[lane]!, undefined)
  const run = createRun({ ...spec, run: { ...spec.run, drainPs: 0 } })
  while (run.step(Infinity));
  return run.nowPs
}

interface Series {
  readonly plot: string
  readonly name: string
  readonly x: number[]
}

async function csvOf(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ])
  return readFileSync(await download.path(), 'utf8')
}

/** Series over time: completion times and slowdowns have another x. */
function seriesIn(csv: string): Series[] {
  const all = new Map<string, Series>()
  for (const line of csv.trim().split('\n').slice(1)) {
    // Of lanes over each other a title has commas.
    const [plot, name, x] = line
      .match(/"[^"]*"|[^,"]+/gu)!
      .map((cell) => cell.replaceAll('"', '')) as [string, string, string]
    if (/^(Completion|Slowdown)/u.test(plot)) continue
    const one = all.get(`${plot} ${name}`) ?? { plot, name, x: [] }
    one.x.push(Number(x))
    all.set(`${plot} ${name}`, one)
  }
  return [...all.values()]
}

const kindsOf = (series: readonly Series[]): string[] =>
  [...new Set(series.map(({ plot }) => plot.split(/[: ]/u)[0]!))].sort()

/** From the first picture to the last, none left out. */
function expectWhole({ plot, name, x }: Series, endPs: number): void {
  const which = `${plot}, ${name}`
  const stepPs = x[0]!
  expect(x.at(-1), which).toBe(endPs)
  expect(x.length, which).toBe(Math.ceil(endPs / stepPs - 1e-9))
  x.slice(0, -1).forEach((at, i) => expect(at, which).toBe((i + 1) * stepPs))
}

/** Of each plot in view: how far its lines are drawn, as a part of its width. */
function drawnTo(): number[] {
  return [...document.querySelectorAll('.plots.first .uplot')].map((plot) => {
    const canvas = plot.querySelector('canvas')!
    const [box, over] = [canvas, plot.querySelector('.u-over')!].map((one) =>
      one.getBoundingClientRect(),
    ) as [DOMRect, DOMRect]
    const ratio = canvas.width / box.width
    const [left, top] = [(over.left - box.left) * ratio, (over.top - box.top) * ratio]
    // With the edge, on which a line at zero lies.
    const [w, h] = [Math.round(over.width * ratio), Math.round((over.height + 2) * ratio)]
    const { data } = canvas.getContext('2d')!.getImageData(left, top, w, h)
    // Lines are stronger than the grid: either of a colour, or dark.
    const isLine = (i: number): boolean => {
      const [r, g, b, a] = [data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!]
      return a > 120 && (Math.max(r, g, b) - Math.min(r, g, b) > 40 || r < 150)
    }
    for (let x = w - 1; x >= 0; x--) {
      for (let y = 0; y < h; y++) if (isLine(4 * (y * w + x))) return (x + 1) / w
    }
    return 0
  })
}

describe.skipIf(!hasChromium)('a series', () => {
  const lab = useLab()
  const options = { acceptDownloads: true, reducedMotion: 'reduce' } as const

  // As it is recorded first, and when pairs of pictures have become one, several times.
  it.each(['777.77us', '40.0031ms'])(
    'is whole to the end of %s',
    async (until) => {
      const of = experiment(steady(until), 'dcqcn')
      const { page, context, errors } = await lab.open(await hashOf(of), options)
      await fingerprintsOf(page)
      const endPs = endOf(of, 0)
      const all = async (): Promise<Series[]> => seriesIn(await csvOf(page))
      await expect
        .poll(async () => (await all()).every(({ x }) => x.at(-1) === endPs), SLOW)
        .toBe(true)
      const series = await all()
      // Both flows, a queue, the inside of the scheme, fairness.
      expect(kindsOf(series)).toEqual(expect.arrayContaining(['Fairness', 'Queue', 'Rate', 'rate']))
      expect(series.length).toBeGreaterThan(5)
      for (const one of series.filter(({ plot }) => !plot.startsWith('Fairness'))) {
        expectWhole(one, endPs)
      }
      // On the screen as well.
      await expect.poll(async () => Math.min(...(await page.evaluate(drawnTo))), SLOW).toBe(1)
      expect(errors).toEqual([])
      await context.close()
    },
    180_000,
  )

  it('is as long as its own lane, beside one that is over and over it', async () => {
    const of = experiment(ENDS, 'none', 'dcqcn')
    const { page, context, errors } = await lab.open(await hashOf(of), options)
    await fingerprintsOf(page, 2)
    const [a, b] = [endOf(of, 0), endOf(of, 1)]
    expect(b / a).toBeGreaterThan(1.3)
    const ends = async (lane: RegExp): Promise<number[]> => {
      const found = seriesIn(await csvOf(page)).filter(
        ({ plot, name }) => plot.startsWith('Queue') && (lane.test(plot) || lane.test(name)),
      )
      return found.map(({ x }) => x.at(-1)!)
    }
    await expect.poll(() => ends(/: .*flow control only/u), SLOW).toEqual([a])
    await expect.poll(() => ends(/: DCQCN/u), SLOW).toEqual([b])
    await page.locator('#overlay').check()
    await expect.poll(() => ends(/^B /u), SLOW).toEqual([b])
    const [shorter] = await ends(/^A /u)
    expect(shorter).toBeGreaterThanOrEqual(a)
    expect(shorter! / a).toBeLessThan(1.02)
    // Time ends with the lane that goes on longest.
    expect(await page.locator('.clock').textContent()).toContain(`of ${shortTime(b)}`)
    // On the screen as well, but for a gap between two dashes.
    await expect
      .poll(async () => Math.min(...(await page.evaluate(drawnTo))), SLOW)
      .toBeGreaterThan(0.985)
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)

  it('of a run that was stopped is what there was of it', async () => {
    const of = experiment(steady('4s'), 'none')
    const { page, context, errors } = await lab.open(await hashOf(of), options)
    const at = (): Promise<number> =>
      page.locator('.bar progress').evaluate((bar: HTMLProgressElement) => bar.value)
    await expect.poll(at, SLOW).toBeGreaterThan(0.002)
    await page.click('#stop')
    const said = await page.locator('.failure').first().textContent()
    const stopped = /stopped at ([\d.]+) (us|ms|s):/u.exec(said!)!
    const stoppedPs = Number(stopped[1]) * { us: 1e6, ms: 1e9, s: 1e12 }[stopped[2]!]!
    const isThere = ({ x }: Series): boolean => Math.abs(x.at(-1)! / stoppedPs - 1) < 0.006
    await expect.poll(async () => seriesIn(await csvOf(page)).every(isThere), SLOW).toBe(true)
    const series = seriesIn(await csvOf(page))
    expect(new Set(series.map(({ x }) => x.at(-1))).size).toBe(1)
    // All of the plot is what there was: time ends where the run did.
    await expect.poll(async () => Math.min(...(await page.evaluate(drawnTo))), SLOW).toBe(1)
    await expect
      .poll(() => page.locator('.clock').textContent(), SLOW)
      .toContain(`of ${stopped[1]} ${stopped[2]}`)
    expect(errors).toEqual([])
    await context.close()
  }, 180_000)

  it('is taken away whole, whatever part of it is shown', async () => {
    const of = experiment(steady('777.77us'), 'none')
    const { page, context } = await lab.open(await hashOf(of), options)
    await fingerprintsOf(page)
    const endPs = endOf(of, 0)
    const isWhole = async (): Promise<boolean> => {
      const all = seriesIn(await csvOf(page))
      return all.length > 0 && all.every(({ x }) => x.at(-1) === endPs)
    }
    await expect.poll(isWhole, SLOW).toBe(true)
    // The last rows are made one a picture: whole is what stays the same.
    let whole = ''
    const isSettled = async (): Promise<boolean> => whole === (whole = await csvOf(page))
    await expect.poll(isSettled, { ...SLOW, interval: 500 }).toBe(true)
    for (let i = 0; i < 3; i++) await page.locator('.plots.first h2').press('+')
    await page.getByRole('button', { name: 'Show all of time' }).waitFor()
    expect(await csvOf(page)).toBe(whole)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'SVG', exact: true }).click(),
    ])
    // The picture to take away goes to the same end.
    expect(readFileSync(await download.path(), 'utf8')).toContain('>778 us<')
    await context.close()
  }, 180_000)
})
