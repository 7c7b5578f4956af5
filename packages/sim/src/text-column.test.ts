import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NameColumn, WordColumn } from './text-column.ts'

const name = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc
    .tuple(fc.constantFrom('f', 'websearch.', '', 'h-', '0', '00'), fc.nat())
    .map((of) => of.join('')),
  fc.stringMatching(/^[a-c]?[0-9]{0,14}$/),
  fc.constantFrom(
    '4294967295',
    'f4294967295',
    'f4294967294',
    'f007',
    'f0',
    'f00',
    '0',
    '999999999',
  ),
)

describe('a column of texts', () => {
  it.each(['names', 'words'])('gives every one back: %s', (of) => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (texts) => {
        const names = new NameColumn(1)
        const words = new WordColumn(1)
        for (const text of texts) {
          names.push(text)
          words.push(text)
        }
        const column = of === 'names' ? names : words
        expect(texts.map((_, row) => column.at(row))).toEqual(texts)
      }),
      { numRuns: 200, seed: 12 },
    )
  })

  it('has each word once', () => {
    const words = new WordColumn(1)
    for (const word of ['h0', 'h1', 'h0', 'h0']) words.push(word)
    expect(words.words).toEqual(['h0', 'h1'])
    expect([...words.numbers.subarray(0, 4)]).toEqual([0, 1, 0, 0])
  })
})
