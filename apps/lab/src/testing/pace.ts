/** What a person feels of the page's pace: first picture, pictures a second, answers to keys. */
import type { CDPSession, Page } from 'playwright-core'

/** Runs in the page: has the scene been drawn? */
export function hasPicture(): boolean {
  const canvas = document.querySelector<HTMLCanvasElement>('canvas.scene')
  const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height)
  return pixels?.data.some((value) => value !== 0) === true
}

/** Pictures in each of so many seconds. */
export function picturesPerSecond(page: Page, seconds: number): Promise<number[]> {
  return page.evaluate(async (seconds) => {
    const counts: number[] = []
    for (let i = 0; i < seconds; i++) {
      const endMs = performance.now() + 1000
      let count = 0
      while (performance.now() < endMs) {
        await new Promise(requestAnimationFrame)
        count++
      }
      counts.push(count)
    }
    return counts
  }, seconds)
}

/**
 * Processor time of the page's own thread per picture, in ms: what a picture costs, whoever else
 * is busy on the machine.
 */
export async function processorMsPerPicture(page: Page, seconds: number): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const before = await taskSeconds(session)
  const counts = await picturesPerSecond(page, seconds)
  const after = await taskSeconds(session)
  await session.detach()
  return (
    ((after - before) * 1000) /
    Math.max(
      counts.reduce((a, b) => a + b, 0),
      1,
    )
  )
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value
}

/**
 * Delays from real keys to the picture that answers them, in ms. The keys are the Space bar on a
 * focused button, as a person who plays and pauses; the page itself notes when each was pressed and
 * when the next picture after its handlers was shown.
 */
export async function keyDelays(page: Page, keys: number): Promise<number[]> {
  await page.evaluate(() => {
    const delays: number[] = []
    Object.assign(globalThis, { keyDelays: delays })
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const shown = new MessageChannel()
          shown.port1.onmessage = () => delays.push(performance.now() - timeStamp)
          shown.port2.postMessage(undefined)
        })
      },
      { capture: true },
    )
  })
  await page.locator('#play').focus()
  for (let i = 0; i < keys; i++) {
    await page.keyboard.press('Space')
    await page.waitForTimeout(60)
  }
  // The answer to the last key may be on its way.
  await page.waitForFunction(
    (keys) => (globalThis as unknown as { keyDelays: number[] }).keyDelays.length >= keys,
    keys,
  )
  return page.evaluate(() => (globalThis as unknown as { keyDelays: number[] }).keyDelays)
}
