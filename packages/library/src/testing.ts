/** `weir/testing`: what a test of your own scheme stands on. It needs vitest, and brings none. */
import type { Scheme } from '@weir/schemes'
import { conforms as conformsHere, type ConformsOptions } from '@weir/sim/conforms'

export type { Bounds, ConformsCase, ConformsOptions } from '@weir/sim/conforms'
export { ackOf, FakeFlow, fakeContext, valuesOf } from '@weir/schemes/testing'

/** What every scheme must do, as tests of vitest: call it at the top of a test file. */
export function conforms(scheme: Scheme, options: ConformsOptions = {}): void {
  conformsHere(scheme, { ...options, isOwn: true })
}
