import { describe, expect, it } from 'vitest'
import { drawn, holds, needsFull, ours, within } from './figure.ts'
import { foundSentences } from './found.ts'
import { figures } from './index.ts'
import { saidAndFound } from './shown.ts'

type Checks = Parameters<typeof foundSentences>[1]['checks']

const agrees = within('rate of one flow', 5, 5.01, 0.1, 'Gb/s')
const differs = drawn('queue over theirs', 'ten times', [18, 19, 20], [8, 12], 'times')
const own = ours('rate of another', 4, 'Gb/s')
const said = (checks: Checks, headline?: string): string =>
  foundSentences({ headline }, { checks }).replaceAll('\u00a0', ' ')

describe('what a run found', () => {
  it('is its first judged row beside what was published, and one that came out otherwise', () => {
    expect(said([own, agrees, differs])).toBe(
      'Rate of one flow: 5.01 Gb/s (published: 5 Gb/s; agrees). ' +
        'Queue over theirs: 19.0 ± 2.5 times (published: ten times; differs).',
    )
    expect(said([agrees, agrees])).toBe('Rate of one flow: 5.01 Gb/s (published: 5 Gb/s; agrees).')
  })

  it('begins with the row that the figure names; then the nearest of the other verdict', () => {
    const far = holds('far away', 'fair', 0.5, false, '')
    expect(said([far, own, agrees, differs], 'rate of one')).toMatch(/^Rate of one.+Queue over/u)
    expect(said([agrees, own, differs], 'rate of another')).toMatch(
      /^Rate of another: 4 Gb\/s \(ours: nobody published it\)\. Rate of one/u,
    )
  })

  it('takes no row that this size did not measure', () => {
    const later = needsFull('tail', 'below 5', 'too few flows', 'us')
    expect(said([later, own], 'tail')).toBe('Rate of another: 4 Gb/s (ours: nobody published it).')
    expect(said([later])).toBe('')
  })

  it('says of what was fitted, and of what was published of another size, that it is', () => {
    const fitted = { ...ours('recovery', 150, 'us', 'no check: fitted to it'), published: 150 }
    expect(said([fitted])).toBe(
      'Recovery: 150 us (published: 150 us, to which a value was fitted).',
    )
    const sized = { ...ours('queue', 116, 'KB'), published: 'published for 512 nodes: see above' }
    expect(said([sized])).toBe('Queue: 116 KB (published for 512 nodes: see above).')
  })
})

it('has no numbers of one run in the words of a claim, which stand above every run', () => {
  const typed = figures.filter(({ claim }) => {
    const [, found] = saidAndFound(claim)
    const isDated = found.includes('in the full run')
    return !isDated && /\d ?(%|[munp]?s\b|[KMG]B\b|[KMG]b\/s)/u.test(found)
  })
  expect(typed.map(({ id }) => id)).toEqual([])
})
