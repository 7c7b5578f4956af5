// @vitest-environment jsdom
/** What the page says of a figure's checks, in one sentence, and its list of figures. */
import { render } from 'preact'
import { expect, it, vi } from 'vitest'
import { holds, ours, within } from '../../../../experiments/figure.ts'
import type { Plot } from '../../../../experiments/figure.ts'
import { List, rowsOf, verdictWords, whoseOf } from './figures-view.ts'
import { html } from './html.ts'

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

it('says with what checks agree: one paper, several, or what was asked of a solver', () => {
  const one = [within('rate', 5, 5, 0.01, 'Gb/s')]
  const said = (claimant: string, claim: string): string =>
    verdictWords(one, whoseOf({ claimant, claim }))
  expect(said('The paper', 'It is fair.')).toBe('1 agrees with the paper.')
  expect(said('The lecture and its papers', 'It is.')).toBe('1 agrees with the papers.')
  expect(said('', 'Their papers say: it is.')).toBe('1 agrees with the papers.')
  expect(said('What was asked of it', 'To 1e-6.')).toBe('1 agrees with what was asked.')
})

it('lists all figures and which one is open, folded above it on a narrow page', async () => {
  const listed = async (isNarrow: boolean): Promise<HTMLElement> => {
    const query = { matches: isNarrow, addEventListener: vi.fn(), removeEventListener: vi.fn() }
    vi.stubGlobal('matchMedia', () => query)
    const element = document.createElement('div')
    render(html`<${List} figure="accurate/fig5" choose=${vi.fn()} />`, element)
    await vi.waitFor(() => expect(element.querySelector('[aria-current=true]')).not.toBeNull())
    vi.unstubAllGlobals()
    return element
  }
  const wide = await listed(false)
  expect(wide.querySelector('details')).toBeNull()
  const open = wide.querySelectorAll('[aria-current=true]')
  expect([...open].map((card) => card.getAttribute('data-figure'))).toEqual(['accurate/fig5'])
  const narrow = await listed(true)
  expect(narrow.querySelector('details')!.open).toBe(false)
  expect(narrow.querySelectorAll('details [data-figure]')).toHaveLength(
    wide.querySelectorAll('[data-figure]').length,
  )
})

it('sets many plots of one kind and the same axes beside each other, and no few', () => {
  const plot = (title: string, kind: Plot['kind'], unit = 'KB'): Plot => ({
    ...{ title, kind, curves: [] },
    ...{ x: { label: 'time', unit: 'ms' }, y: { label: 'queue', unit } },
  })
  const many = Array.from({ length: 6 }, (_, i) => plot(`queue ${i}`, 'lines'))
  const bars = plot('all', 'bars')
  expect(rowsOf([bars, ...many, bars]).map(({ length }) => length)).toEqual([1, 6, 1])
  expect(rowsOf(many.slice(1)).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1])
  expect(rowsOf([...many.slice(3), bars, ...many.slice(3)])).toHaveLength(7)
})
