/**
 * How quick the lab is on this machine, for people: `WEIR_PACE=1 npx vitest run apps/lab/src/pace`
 * prints the time to the first picture, pictures a second and the delay of keys. With
 * `WEIR_PACE_BEFORE=<folder>`, another build of the lab, both are measured in turns. Nothing is
 * asserted of seconds, which are the machine's as much as ours, and nothing runs unless asked for.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { scenarioByName } from '@weir/sim'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { experimentOf, laneOf } from './model/experiment.ts'
import type { Experiment } from './model/experiment.ts'
import { hashOf } from './model/link.ts'
import { labServer } from './serve/lab-server.ts'
import { hasChromium, useLab } from './testing/browser.ts'
import { hasPicture, keyDelays, picturesPerSecond, processorMsPerPicture } from './testing/pace.ts'

const isAsked = process.env.WEIR_PACE !== undefined && hasChromium
const ROUNDS = 5

describe.skipIf(!isAsked)('the pace of the lab', () => {
  const lab = useLab()
  const report = (what: string, values: readonly number[], unit: string, digits = 0): void => {
    const shown = [...values].sort((a, b) => a - b).map((value) => value.toFixed(digits))
    console.log(`${what}: ${shown.join(' ')} ${unit}`)
    expect(values.every((value) => value >= 0)).toBe(true)
  }

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

  const before = process.env.WEIR_PACE_BEFORE
  let other: Server | undefined
  const urlOf = async (build: 'now' | 'before'): Promise<string> => {
    if (build === 'now') return lab.url
    if (other === undefined) {
      other = labServer(before!)
      await new Promise<void>((resolve) => other!.listen(0, '127.0.0.1', resolve))
    }
    return `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
  }
  afterAll(() => other?.close())

  const running = async (
    url: string,
    hash: string,
  ): Promise<{ page: Page; end: () => Promise<void> }> => {
    const { page, context } = await lab.open()
    await page.goto('about:blank')
    await page.goto(url + hash)
    await page.waitForFunction(
      () => (document.querySelector<HTMLProgressElement>('.bar progress')?.value ?? 0) > 0.02,
    )
    return { page, end: () => context.close() }
  }

  it.each([
    ['incast, 16 senders', '#scenario=incast'],
    ['websearch-320', '#scenario=websearch-320'],
    ['websearch-320, two schemes', '#scenario=websearch-320&schemes=none,dcqcn'],
    ['permutation-1024', '#scenario=permutation-1024'],
    ['a torus of 512', TORUS],
  ])(
    'pictures and keys of %s',
    async (name, hash) => {
      const link = hash === TORUS ? await hashOf(torus512()) : hash
      for (let turn = 0; turn < TURNS; turn++) {
        for (const build of before === undefined
          ? (['now'] as const)
          : (['before', 'now'] as const)) {
          const { page, end } = await running(await urlOf(build), link)
          report(`${build}: ${name}, while it runs`, await picturesPerSecond(page, 3), 'pictures/s')
          const costs = [await processorMsPerPicture(page, 2), await processorMsPerPicture(page, 2)]
          report(`${build}: ${name}, a picture costs`, costs, 'ms of the page thread', 1)
          report(`${build}: ${name}, from a key to its picture`, await keyDelays(page, 15), 'ms')
          await end()
        }
      }
    },
    400_000,
  )
})

const TORUS = 'torus'
const TURNS = 2

/** 8 x 8 x 8 servers, as in the R2C2 paper. */
function torus512(): Experiment {
  const text = scenarioByName('torus-uniform')!.text.replace('[4, 4, 4]', '[8, 8, 8]')
  return { ...experimentOf(''), text, lanes: [laneOf('dcqcn')] }
}
