/** A receiver's world in a test of a notification point. Only tests use it. */
import { Random } from '@weir/engine'
import type { ReceiverContext } from '@weir/fabric'

export function fakeReceiver(given: Partial<ReceiverContext> = {}): ReceiverContext {
  return {
    flow: 0,
    source: 0,
    target: 1,
    sizeBytes: Infinity,
    deliveredBytes: 0,
    baseRttPs: 10e6,
    lineRateBps: 10e9,
    mtuBytes: 1000,
    random: new Random(1, 'receiver'),
    sendControl: () => undefined,
    setTimer: () => undefined,
    ...given,
  }
}
