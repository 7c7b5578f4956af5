import { describe, expect, it } from 'vitest'
import { selectHosts } from './select-hosts.ts'

const star = Array.from({ length: 16 }, (_, i) => ({ name: `h${i}` }))
const racks = Array.from({ length: 8 }, (_, i) => ({
  name: `leaf${Math.floor(i / 4)}.h${i % 4}`,
  aliases: [`h${i}`],
}))

describe('selectHosts', () => {
  it('takes every host when nothing is said', () => {
    expect(selectHosts(star, [])).toHaveLength(16)
  })

  it('takes names and ranges in the order given, each host once', () => {
    expect(selectHosts(star, ['h9', 'h2..h4', 'h3'])).toEqual([9, 2, 3, 4])
    expect(selectHosts(star, ['h0..h15'])).toHaveLength(16)
    expect(selectHosts(star, [' h1 .. h2 '])).toEqual([1, 2])
  })

  it('counts by number where the list is in another order', () => {
    const mixed = ['h10', 'h9', 'h8'].map((name) => ({ name }))
    expect(selectHosts(mixed, ['h8..h10'])).toEqual([2, 1, 0])
  })

  it('knows a host by its alias, and ranges across racks', () => {
    expect(selectHosts(racks, ['h2..h5'])).toEqual([2, 3, 4, 5])
    expect(selectHosts(racks, ['leaf1.h0..leaf1.h2'])).toEqual([4, 5, 6])
    expect(selectHosts(racks, ['leaf0.h3..leaf1.h1'])).toEqual([3, 4, 5])
  })

  it('says which host is missing and which there are', () => {
    expect(() => selectHosts(star, ['h16'])).toThrow(
      "There is no host 'h16'; the 16 hosts are h0 to h15.",
    )
    expect(() => selectHosts(racks, ['h0..h8'])).toThrow(
      'the 8 hosts are leaf0.h0 to leaf1.h3, or h0 to h7.',
    )
    const gap = [{ name: 'a1' }, { name: 'a3' }]
    expect(() => selectHosts(gap, ['a1..a3'])).toThrow("no host 'a2'")
  })

  it('refuses a range that runs backwards or has three ends', () => {
    expect(() => selectHosts(star, ['h5..h2'])).toThrow("write 'h2..h5'")
    expect(() => selectHosts(racks, ['leaf1.h0..leaf0.h1'])).toThrow('runs backwards')
    expect(() => selectHosts(star, ['h1..h2..h3'])).toThrow('write two ends')
  })
})
