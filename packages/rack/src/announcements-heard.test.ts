import { describe, expect, it } from 'vitest'
import { AnnouncementsHeard, LatestHeard } from './announcements-heard.ts'

const heardUpTo = (number: number): AnnouncementsHeard => {
  const heard = new AnnouncementsHeard(new LatestHeard(4))
  heard.caughtUp(2, number)
  return heard
}

describe('a gap', () => {
  it('is one until all that is missing has come, in any order and more than once', () => {
    const heard = heardUpTo(250)
    expect(heard.hear(2, 255, 10)).toBe(255)
    for (const late of [253, 251, 253, 254]) {
      expect(heard.hear(2, late, 20)).toBe(late)
      expect(heard.missingSincePs(2)).toBe(10)
    }
    expect(heard.hear(2, 252, 30)).toBe(252)
    expect(heard.missingSincePs(2)).toBe(Infinity)
    expect(heard.latest(2)).toBe(255)
  })

  it('goes on while newer ones come, and is left to the digest once it is 32 old', () => {
    const heard = heardUpTo(0)
    heard.hear(2, 2, 10)
    for (let number = 3; number <= 32; number++) heard.hear(2, number, 20)
    expect(heard.missingSincePs(2)).toBe(10)
    heard.hear(2, 33, 30)
    expect([heard.missingSincePs(2), heard.latest(2)]).toEqual([Infinity, 33])
  })

  it('of more than 32 is not closed by what comes after it', () => {
    const heard = heardUpTo(0)
    expect(heard.hear(2, 100, 10)).toBe(100)
    for (let late = 99; late > 69; late--) heard.hear(2, late, 20)
    expect(heard.missingSincePs(2)).toBe(10)
    heard.hear(2, 69, 20)
    expect(heard.missingSincePs(2)).toBe(Infinity)
  })

  it.each([31, 32, 33, 64])('shows where the next one is %d ahead', (ahead) => {
    const heard = heardUpTo(0)
    heard.hear(2, ahead, 10)
    expect(heard.missingSincePs(2)).toBe(10)
  })

  it.each([32, 33, 64])('is not closed by one that is %d behind', (behind) => {
    const heard = heardUpTo(100)
    heard.hear(2, 102, 10)
    heard.hear(2, 102 - behind, 20)
    expect(heard.missingSincePs(2)).toBe(10)
  })

  it('takes a number for the nearest: up to 127 ahead, or 128 behind', () => {
    expect(heardUpTo(1000).hear(2, (1000 + 127) & 255, 0)).toBe(1127)
    const heard = heardUpTo(1000)
    expect(heard.hear(2, (1000 - 128) & 255, 0)).toBe(872)
    // What is so old is of no gap.
    expect([heard.latest(2), heard.missingSincePs(2)]).toEqual([1000, Infinity])
  })

  it('is of one source and of one member only', () => {
    const latest = new LatestHeard(4, 2)
    const [first, second] = [new AnnouncementsHeard(latest, 0), new AnnouncementsHeard(latest, 1)]
    first.hear(2, 5, 10)
    expect([first.latest(2), first.latest(1), second.latest(2)]).toEqual([5, 0, 0])
    expect([first.missingSincePs(1), second.missingSincePs(2)]).toEqual([Infinity, Infinity])
    // The next one of its source, heard by the other: nothing is missing.
    expect(second.hear(2, 1, 20)).toBe(1)
    expect(second.missingSincePs(2)).toBe(Infinity)
  })
})

it('what is amiss is a gap or a digest that differs, by source, until it is caught up with', () => {
  const heard = new AnnouncementsHeard(new LatestHeard(4))
  heard.hear(3, 2, 0)
  heard.suspect(1)
  heard.suspect(3)
  expect(heard.amiss()).toEqual([1, 3])
  expect([0, 1, 3].map((source) => heard.isSuspect(source))).toEqual([false, true, true])
  heard.caughtUp(3, 2)
  expect(heard.amiss()).toEqual([1])
})
