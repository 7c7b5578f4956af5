/**
 * Runs that end early, for tests of what the page does with any run. The page is not told: what it
 * asks of a worker gets one setting more on the way. The same run in Node says what its fingerprint
 * must be.
 */
import { loadSpec, simulate } from '@weir/sim'
import type { Page } from 'playwright-core'
import { laneSettings, textOf } from '../model/experiment.ts'
import type { Experiment } from '../model/experiment.ts'

const most = (events: number): string => `run.eventsMax=${events}`

/** Whatever the page starts from now on ends after so many events. */
export async function endEarly(page: Page, events: number): Promise<void> {
  await page.evaluate((setting) => {
    const scope = globalThis as unknown as { endEarly?: string }
    const isFirst = scope.endEarly === undefined
    scope.endEarly = setting
    if (!isFirst) return
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (message: { settings?: string[] }): void {
      const settings = [...(message.settings ?? []), scope.endEarly!]
      postMessage.call(this, message.settings === undefined ? message : { ...message, settings })
    }
  }, most(events))
}

/** Fingerprints of an experiment's lanes that end early, as Node has them. */
export function printsOf(experiment: Experiment, events: number): string[] {
  return experiment.lanes.map((lane) => {
    const settings = [...laneSettings(experiment, lane), most(events)]
    const spec = loadSpec({ text: textOf(experiment), settings })
    // As in the page, which does not wait for the last flow.
    return simulate({ ...spec, run: { ...spec.run, drainPs: 0 } }).fingerprint
  })
}
