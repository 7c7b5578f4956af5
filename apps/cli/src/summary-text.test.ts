import { describe, expect, it } from 'vitest'
import { fewestSized, summaryText } from './summary-text.ts'
import { madeResult } from './testing/made-result.ts'

describe('the summary of a run', () => {
  it.each([
    [99, '(fewer than 100 flows: p99 is the slowest)'],
    [100, '(fewer than 1,000 flows: p99.9 is the slowest)'],
    [999, '(fewer than 1,000 flows: p99.9 is the slowest)'],
  ])('says what is no tail in %i flows', (flows, sentence) => {
    expect(summaryText(madeResult({ flows }))).toContain(sentence)
  })

  it('says nothing of it where there are flows enough, or none with a size', () => {
    expect(summaryText(madeResult({ flows: 1000 }))).not.toContain('fewer than')
    const { flows, ...rest } = madeResult({ flows: 3 })
    const endless = { ...rest, flows: { ...flows, sizeBytes: flows.sizeBytes.map(() => Infinity) } }
    expect(summaryText(endless)).not.toContain('fewer than')
  })

  it('counts by the run that has the fewest', () => {
    expect(fewestSized([madeResult({ flows: 300 }), madeResult({ flows: 7 })])).toBe(7)
  })
})
