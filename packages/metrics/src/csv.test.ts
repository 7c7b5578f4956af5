import { expect, it } from 'vitest'
import { csvChunks, csvText } from './csv.ts'

it('writes rows that any other tool reads', () => {
  const rows = [
    ['name', 'value'],
    ['h0->h1, class 3', 1.5],
    ['say "no"', NaN],
    ['two\nlines', Infinity],
    ['', 0],
  ]
  expect(csvText(rows)).toBe(
    'name,value\n"h0->h1, class 3",1.5\n"say ""no""",\n"two\nlines",\n,0\n',
  )
  expect(csvText([])).toBe('')
})

it('is the same text in pieces', () => {
  const rows = Array.from({ length: 2500 }, (_, i) => [i, `flow, ${i}`])
  const pieces = [...csvChunks(rows)]
  expect(pieces.join('')).toBe(csvText(rows))
  expect(pieces.length).toBe(3)
})
