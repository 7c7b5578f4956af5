import { describe, expect, it } from 'vitest'
import type { Fabric } from '../fabric.ts'
import { CLASSES } from '../ports.ts'
import { IngressPause } from './ingress-pause.ts'

/** Link 2, class 5; and what has been sent for it. */
const INGRESS = 2 * CLASSES + 5
interface Bench {
  readonly pause: IngressPause
  readonly sent: unknown[][]
  /** What was asked to be renewed later: ingresses and when that was. */
  readonly renewed: number[][]
}
function bench(mayGoOn: () => boolean, links?: 'pauses with a time' | 'pauses without'): Bench {
  const sent: unknown[][] = []
  const renewed: number[][] = []
  const renewLater = (ingress: number, by: IngressPause, nowPs: number): void => {
    expect(by).toBe(pause)
    renewed.push([ingress, nowPs])
  }
  const fabric = {
    ports: { count: 4 },
    sendPause: (...frame: unknown[]) => sent.push(frame),
    links: links && { pauseTimes: links === 'pauses with a time' ? { renewLater } : undefined },
  } as unknown as Fabric
  const pause = new IngressPause(fabric, 64, mayGoOn)
  return { pause, sent, renewed }
}

describe('an ingress', () => {
  it('sends XOFF once, for its link and class', () => {
    const { pause, sent } = bench(() => true)
    expect([pause.stop(INGRESS, 7), pause.stop(INGRESS, 8)]).toEqual([true, false])
    expect(sent).toEqual([[2, 5, true, 64, 7]])
    expect([...pause.isOff].flatMap((isOff, i) => (isOff === 1 ? [i] : []))).toEqual([INGRESS])
  })

  it('sends XON when bytes have left and it may, and is looked at only then', () => {
    let mayGoOn = false
    let looks = 0
    const { pause, sent } = bench(() => {
      looks++
      return mayGoOn
    })
    pause.hasLeft(INGRESS)
    expect(pause.isAnyDue).toBe(false)
    pause.stop(INGRESS, 1)
    mayGoOn = true
    pause.goOn(2)
    expect([looks, sent.length]).toEqual([0, 1])
    mayGoOn = false
    pause.hasLeft(INGRESS)
    expect(pause.isAnyDue).toBe(true)
    pause.goOn(3)
    expect([looks, sent.length, pause.isAnyDue]).toEqual([1, 1, false])
    mayGoOn = true
    pause.hasLeft(INGRESS)
    pause.hasLeft(INGRESS)
    pause.goOn(4)
    expect(sent.slice(1)).toEqual([[2, 5, false, 64, 4]])
    expect([pause.isOff[INGRESS], looks]).toEqual([0, 2])
  })

  it('says XOFF again as long as it holds, and is renewed only where pauses have a time', () => {
    for (const links of ['pauses with a time', 'pauses without', undefined] as const) {
      const { pause, sent, renewed } = bench(() => true, links)
      pause.say(INGRESS, 1)
      pause.renew(INGRESS, 1)
      expect([sent, renewed]).toEqual([[], []])
      pause.stop(INGRESS, 2)
      pause.say(INGRESS, 3)
      pause.renew(INGRESS, 4)
      const isTimed = links === 'pauses with a time'
      expect(sent).toEqual([2, 3, 4].map((nowPs) => [2, 5, true, 64, nowPs]))
      expect(renewed).toEqual(isTimed ? [2, 4].map((nowPs) => [INGRESS, nowPs]) : [])
      pause.hasLeft(INGRESS)
      pause.goOn(5)
      pause.renew(INGRESS, 6)
      expect([sent.length, renewed.length]).toEqual([4, isTimed ? 2 : 0])
    }
  })
})
