import { afterEach, describe, expect, it, vi } from 'vitest'
import { dismiss, meetings, SharedTeam, TeamOver } from './shared-team.ts'
import { Words } from './team.ts'

describe('words', () => {
  it('grow, and keep what they have', () => {
    const words = new Words()
    for (let i = 0; i < 1000; i++) words.put(i, -i)
    expect(words.length).toBe(2000)
    expect([...words.array.subarray(1998, 2000)]).toEqual([999, -999])
  })
})

describe('a team that shares memory', () => {
  it('of one meets itself', () => {
    const memory = SharedTeam.memoryFor(1)
    const team = new SharedTeam(memory, 0, 1)
    team.meet()
    team.meet()
    expect(meetings(memory)).toBe(2)
  })

  it('hands over letters that are longer than a box, whole, and short ones after them', () => {
    const team = new SharedTeam(SharedTeam.memoryFor(1), 0, 1)
    for (const length of [200_000, 3, 65_536, 65_537, 0]) {
      team.out[0]!.putAll(Float64Array.from({ length }, (_, i) => i + length / 1e6))
      team.meet()
      const { array, length: got } = team.in[0]!
      expect(got).toBe(length)
      expect(array.subarray(0, got).every((word, i) => word === i + length / 1e6)).toBe(true)
    }
  })

  it('is over for all who wait once it is dismissed, with the first reason', () => {
    const memory = SharedTeam.memoryFor(2)
    const team = new SharedTeam(memory, 1, 2)
    dismiss(memory, 2, 'thread 0 fell')
    dismiss(memory, 2, 'and then another')
    expect(() => team.meet()).toThrow(TeamOver)
    expect(() => team.meet()).toThrow('thread 0 fell')
  })

  afterEach(() => vi.restoreAllMocks())

  it('is over for one who waits already when it is dismissed', () => {
    const memory = SharedTeam.memoryFor(2)
    const team = new SharedTeam(memory, 1, 2)
    const store = vi.spyOn(Atomics as { store: (...words: never[]) => number }, 'store')
    store.mockImplementationOnce(() => {
      dismiss(memory, 2, 'thread 0 fell')
      return 0
    })
    vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      throw new Error('it waits for ever')
    })
    expect(() => team.meet()).toThrow('thread 0 fell')
  })
})
