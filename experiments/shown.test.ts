import { describe, expect, it } from 'vitest'
import { drawn, holds, inRange, ours, within } from './figure.ts'
import { claimantOf, drawsSentence, isOfDocument, measuredText, numberText } from './shown.ts'
import { isOfOtherSize, saidAndFound, shownOf, spanText, withUnit } from './shown.ts'

describe('a number of a figure', () => {
  it('has three digits, and no zeros at its end if it is exact', () => {
    expect([0, 1, 0.95, 12.345, 949.6, 3930.4].map((value) => numberText(value))).toEqual([
      ...['0', '1', '0.95', '12.3', '950', '3,930'],
    ])
    expect(numberText(0.1 + 0.2)).toBe('0.3')
    expect(numberText(1.0004)).toBe('1.00')
    expect(numberText(NaN)).toBe('-')
  })

  it('has as many as show on which side of a bound it is, and that it is not the published', () => {
    expect(measuredText(inRange('a', 'above 1', 1.004, [1.0001, 2], 'ratio'))).toBe('1.004')
    expect(measuredText(inRange('a', 'at least 1', 0.9998, [1, 2], 'ratio'))).toBe('0.9998')
    expect(measuredText(within('a', 1, 1, 0.01, 'ratio'))).toBe('1')
    expect(measuredText(within('a', 8, 8.0003, 0.01, 'Mb/s'))).toBe('8.0003')
  })

  it('of one thing has no unit of many', () => {
    expect(withUnit('1', 'places')).toBe('1\u00a0place')
    expect(withUnit('1', 'RRPs')).toBe('1\u00a0RRP')
    expect(withUnit('0', 'places')).toBe('0\u00a0places')
    expect(withUnit('1.00', 'packets')).toBe('1.00\u00a0packets')
    for (const unit of ['us', 'ms', 'times', 'KB', 'Gb/s']) {
      expect(withUnit('1', unit)).toBe(`1\u00a0${unit}`)
    }
  })

  it('has as many decimals as its interval, which decides them', () => {
    expect(spanText(0.00787, 0.000634)).toBe('0.0079 ± 0.0006')
    expect(spanText(198, 0.0351)).toBe('198.00 ± 0.04')
    expect(spanText(0.5, 0.0248)).toBe('0.500 ± 0.025')
    expect(spanText(3778.2, 754)).toBe('3,778 ± 754')
    expect(spanText(12, NaN)).toBe('12')
    expect(spanText(13.0001, 0.0011)).toBe('13.000 ± 0.001')
    // 0.9 is in reach of 0.91 less 0.008: one digit would say that it is not.
    const check = drawn('a', 'nine tenths', [0.9032, 0.91, 0.9168], [0.9, 1], '')
    const [mean, half] = measuredText(check).split(' ± ').map(Number)
    expect(check.verdict).toBe('differs')
    expect(mean! - half!).toBeLessThan(0.9)
  })

  it('shows the draws, and no values below zero, where they spread more than their mean', () => {
    expect(measuredText(ours('queue', [3, 20, 230], 'KB'))).toBe('84 (3 to 230)')
    expect(measuredText(ours('less', [0.00809, 0.0407, 0.01061], ''))).toBe(
      '0.020 (0.008 to 0.041)',
    )
    expect(measuredText(ours('gain', [-3, 20, 230], 'KB'))).toMatch(/^82 ± 319$/)
  })

  it('does not leave its interval or a short unit alone on a line', () => {
    expect(withUnit('0.451 ± 0.027', '')).toBe('0.451\u00a0±\u00a00.027')
    expect(withUnit('82 ± 15', 'times')).toBe('82\u00a0±\u00a015\u00a0times')
    expect(withUnit('3.5', '%')).toBe('3.5%')
  })
})

describe('the words of a figure', () => {
  it('say whose claim it is', () => {
    const figure = { id: 'accurate/fig5', title: '', cite: '', claim: 'It is faster.' }
    expect(claimantOf(figure)).toBe('The paper')
    expect(claimantOf({ ...figure, id: 'lecture/hpcc' })).toBe('The lecture and its papers')
    expect(claimantOf({ ...figure, claimant: 'Our question' })).toBe('Our question')
    expect(claimantOf({ ...figure, claim: 'The paper says: faster. Here not.' })).toBe('')
  })

  it('have the words of the document and ours apart', () => {
    expect(saidAndFound('The paper says: faster. Here not; it is slower.')).toEqual([
      ...['The paper says: faster.', 'Here not; it is slower.'],
    ])
    expect(saidAndFound('It is faster than Here.')).toEqual(['It is faster than Here.', ''])
  })

  it('are published only where a document has a figure or table of them', () => {
    expect(isOfDocument({ cite: 'section III, Fig. 5' })).toBe(true)
    expect(isOfDocument({ cite: 'section VI, Table III' })).toBe(true)
    expect(isOfDocument({ cite: 'sections I and III; not a figure of the paper' })).toBe(false)
    expect(isOfDocument({ cite: 'Figs. 3 and 4', claimant: 'Our question' })).toBe(false)
  })

  it('say what is left to chance in a sentence', () => {
    expect(drawsSentence('no chance')).toBe('Nothing in these runs is random.')
    expect(drawsSentence('3 seeds')).toBe('Random draws: 3 seeds.')
  })
})

it('says of a check what it is: an answer without a number, and what was fitted', () => {
  const asked = holds('rates recover', 'they would not', 0, true, '1 yes, 0 no')
  expect(shownOf(asked)).toEqual({
    ...{ published: 'they would not', measured: 'no', unit: '', verdict: 'agrees' },
  })
  const own = ours('recovery', 150, 'us', 'no check: fitted to it')
  expect(shownOf({ ...own, published: 150 }).verdict).toBe('fitted')
  expect(shownOf(own).verdict).toBe('ours')
  const ofOther = { ...ours('queue', 116, 'KB'), published: 'published for 512 nodes' }
  expect(shownOf(ofOther).verdict).toBe('ours')
  expect(isOfOtherSize(ofOther)).toBe(true)
})
