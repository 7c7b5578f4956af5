import { describe, expect, it } from 'vitest'
import type { Fabric } from '../fabric.ts'
import { CLASSES } from '../ports.ts'
import { IngressPause } from './ingress-pause.ts'

/** Link 2, class 5; and what has been sent for it. */
const INGRESS = 2 * CLASSES + 5
function bench(mayGoOn: () => boolean): { pause: IngressPause; sent: unknown[][] } {
  const sent: unknown[][] = []
  const fabric = {
    ports: { count: 4 },
    sendPause: (...frame: unknown[]) => sent.push(frame),
  } as unknown as Fabric
  return { pause: new IngressPause(fabric, 64, mayGoOn), sent }
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
})
