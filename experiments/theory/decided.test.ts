import { expect, it } from 'vitest'
import { decided } from './decided.ts'

const judged = (size: 'quick' | 'full', values: readonly number[]): readonly [string, string] => {
  const { verdict, note } = decided(
    size,
    'share',
    'more than 60%',
    values,
    [60, Infinity],
    '%',
    'x',
  )
  return [verdict, note]
}

it('agrees and differs as any claim over draws where the interval is on one side', () => {
  expect(judged('quick', [70, 71, 72])).toEqual(['agrees', 'x'])
  expect(judged('full', [40, 41, 42])).toEqual(['differs', 'x'])
})

it('says that the spread decides where the mean is in range and its interval is not', () => {
  const why = '62\u00a0±\u00a030%: the mean is in range, its interval is not; 1 of 3 draws are; x'
  expect(judged('quick', [55, 55, 76])).toEqual(['needs --full', why])
  expect(judged('full', [55, 55, 76])).toEqual(['differs', why])
})

it('does not excuse a mean out of range by a wide interval', () => {
  expect(judged('quick', [40, 50, 70])).toEqual(['differs', 'x'])
})
