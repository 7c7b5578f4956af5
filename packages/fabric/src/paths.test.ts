import { describe, expect, it } from 'vitest'
import { Paths } from './paths.ts'

const read = (paths: Paths, offset: number, length: number): number[] =>
  Array.from(paths.ports.subarray(offset, offset + length))

describe('the path store', () => {
  it('keeps paths apart, and through its growth', () => {
    const paths = new Paths()
    const lists = Array.from({ length: 3000 }, (_, i) => [i, i + 1, i + 2].slice(0, 1 + (i % 3)))
    const offsets = lists.map((list) => paths.add(list))
    lists.forEach((list, i) => expect(read(paths, offsets[i]!, list.length)).toEqual(list))
  })

  it('makes room for a path longer than all before it', () => {
    const paths = new Paths()
    const first = paths.add([1, 2])
    const long = Array.from({ length: 20_000 }, (_, i) => i)
    expect(read(paths, paths.add(long), long.length)).toEqual(long)
    expect(read(paths, first, 2)).toEqual([1, 2])
  })

  it('gives the place of a path that is released to the next of its length', () => {
    const paths = new Paths()
    const offset = paths.add([1, 2, 3])
    paths.add([4, 5, 6])
    paths.release(offset, 3)
    expect(paths.add([7, 8])).not.toBe(offset)
    expect(paths.add([7, 8, 9])).toBe(offset)
    expect(read(paths, offset, 3)).toEqual([7, 8, 9])
    expect(paths.add([7, 8, 9])).not.toBe(offset)
  })
})
