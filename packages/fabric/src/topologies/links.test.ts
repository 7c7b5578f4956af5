import { readWhole } from '@weir/engine/codec'
import { describe, expect, it } from 'vitest'
import { leafSpine } from './leaf-spine.ts'
import type { TieredLinks } from './links.ts'
import { star } from './star.ts'
import { threeTier } from './three-tier.ts'
import { torus } from './torus.ts'

describe('links that a scenario does not describe', () => {
  it('have 25 Gb/s and 1 us', () => {
    const read = readWhole(star.codec, { kind: 'star', hosts: 2 })
    expect(read).toMatchObject({ rateBps: 25e9, delayPs: 1e6 })
  })

  it.each([
    ['leaf-spine', leafSpine.codec, { leaves: 2, spines: 1, hostsPerLeaf: 1 }],
    ['three-tier', threeTier.codec, {}],
  ])('have both tiers’ delay in a %s, unless a tier has its own', (kind, codec, counts) => {
    const delays = (given: object): number[] => {
      const read = readWhole<TieredLinks>(codec, { kind, ...counts, ...given })
      return [read.hostDelayPs, read.fabricDelayPs]
    }
    expect(delays({})).toEqual([1e6, 1e6])
    expect(delays({ delay: '3us' })).toEqual([3e6, 3e6])
    expect(delays({ delay: '3us', hostDelay: '2us' })).toEqual([2e6, 3e6])
    expect(delays({ fabricDelay: '0ns' })).toEqual([1e6, 0])
  })

  it('of a rack inject at the rate of its other links', () => {
    const read = (given: object): unknown =>
      readWhole(torus.codec, { kind: 'torus', dimensions: [2, 2], ...given })
    expect(read({})).toMatchObject({ rateBps: 10e9, injectionRateBps: 10e9, delayPs: 1e5 })
    expect(read({ rate: '40Gbps' })).toMatchObject({ rateBps: 40e9, injectionRateBps: 40e9 })
    expect(read({ injectionRate: '1Gbps' })).toMatchObject({
      ...{ rateBps: 10e9, injectionRateBps: 1e9, injectionDelayPs: 1e4 },
    })
  })
})
