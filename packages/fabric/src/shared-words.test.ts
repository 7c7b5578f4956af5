import { describe, expect, it } from 'vitest'
import { SharedWords } from './shared-words.ts'

describe('words that nodes share', () => {
  it('are read as they were last published, each node its own', () => {
    const words = new SharedWords({ everyPs: 5, words: 2 }, 3)
    words.write(1, 0, 10)
    words.write(1, 1, 11)
    expect([words.read(1, 0), words.read(1, 1), words.everyPs]).toEqual([0, 0, 5])
    words.publish()
    words.write(1, 0, 20)
    const all = [0, 1, 2].map((node) => [words.read(node, 0), words.read(node, 1)])
    expect(all).toEqual([
      [0, 0],
      [10, 11],
      [0, 0],
    ])
  })

  it('are as many for each node as were declared, and no node has others', () => {
    const words = new SharedWords({ everyPs: 5, words: 2 }, 3)
    for (const [node, word] of [
      [1, 2],
      [1, -1],
      [1, 0.5],
      [-1, 1],
      [3, 0],
      [2, 2],
      [0.25, 0],
    ] as const) {
      const sentence = `word ${word} of node ${node} is not among the shared 2 per node`
      expect(() => words.write(node, word, 1)).toThrow(sentence)
      expect(() => words.read(node, word)).toThrow(sentence)
    }
    expect(() => words.write(2, 1, 1)).not.toThrow()
  })

  it('are told to other threads by the one that runs their node, and taken from it', () => {
    const words = new SharedWords({ everyPs: 5, words: 1 }, 2)
    const told: number[][] = []
    words.share = { isMine: (node) => node === 0, tell: (...what) => void told.push(what) }
    words.write(0, 0, 7)
    words.write(1, 0, 8)
    words.publish()
    expect(told).toEqual([[0, 0, 7]])
    expect([words.read(0, 0), words.read(1, 0)]).toEqual([7, 0])
    words.note(1, 0, 9)
    words.publish()
    expect(words.read(1, 0)).toBe(9)
  })
})
