import { describe, expect, it } from 'vitest'
import { Paths } from './paths.ts'

const read = (paths: Paths, path: number): number[] =>
  Array.from(paths.ports.subarray(path, path + paths.lengthOf(path)))

describe('the path store', () => {
  it('keeps paths apart, and through its growth', () => {
    const paths = new Paths()
    const lists = Array.from({ length: 3000 }, (_, i) => [i, i + 1, i + 2].slice(0, 1 + (i % 3)))
    const offsets = lists.map((list) => paths.add(list))
    lists.forEach((list, i) => expect(read(paths, offsets[i]!)).toEqual(list))
  })

  it('makes room for a path longer than all before it', () => {
    const paths = new Paths()
    const first = paths.add([1, 2])
    const long = Array.from({ length: 20_000 }, (_, i) => i)
    expect(read(paths, paths.add(long))).toEqual(long)
    expect(read(paths, first)).toEqual([1, 2])
  })

  it('has one place for all that go the same way', () => {
    const paths = new Paths()
    const path = paths.add([4, 8, 12])
    expect(paths.add([4, 8])).not.toBe(path)
    expect(paths.add([4, 8, 12])).toBe(path)
  })

  it('knows the way back from either end', () => {
    const paths = new Paths()
    const path = paths.add([4, 8, 13])
    const back = paths.reverseOf(path)
    expect(read(paths, back)).toEqual([12, 9, 5])
    expect(paths.reverseOf(back)).toBe(path)
    expect(paths.add([12, 9, 5])).toBe(back)
    expect(paths.reverseOf(-1)).toBe(-1)
  })

  it('knows the way back of a list that is its own', () => {
    const paths = new Paths()
    const path = paths.add([6, 7])
    expect(paths.reverseOf(path)).toBe(path)
  })
})
