// @vitest-environment jsdom
/** What the page says of a figure's checks, in one sentence. */
import { expect, it } from 'vitest'
import { holds, ours, within } from '../../../../experiments/figure.ts'
import { verdictWords } from './figures-view.ts'

it('does not say that nobody published a number beside which it stands', () => {
  const checks = [
    within('rate', 5, 5, 0.01, 'Gb/s'),
    holds('share', 'fair', 0.5, false, ''),
    ours('rate of another scheme', 4, 'Gb/s'),
    { ...ours('recovery', 150, 'us', 'fitted to it'), published: 150 },
  ]
  expect(verdictWords(checks)).toBe(
    '1 agrees with the paper; 1 differs, with the cause in the table; ' +
      '1 is our own: nobody published it; 1 is no check: it was fitted.',
  )
})
