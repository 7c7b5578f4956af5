// @vitest-environment jsdom
/** What the page says of a figure's checks, in one sentence, and its list of figures. */
import { render } from 'preact'
import { expect, it, vi } from 'vitest'
import { holds, needsFull, ours, within } from '../../../../experiments/figure.ts'
import type { Plot } from '../../../../experiments/figure.ts'
import { Checks, foundWords, verdictWords, whoseOf } from './figure-checks.ts'
import { claimOf, List, Outcome, placesOf, rowsOf, shownOf } from './figures-view.ts'
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

it('calls nothing fitted that the paper has of another size', () => {
  const queue = {
    ...ours('queue', 116, 'KB', 'Median 9 KB.'),
    published: 'published for 512 nodes',
  }
  expect(verdictWords([queue])).toBe('1 is no check: it was published of another size.')
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

it('says what was found before it counts what agrees', () => {
  const checks = [within('rate', 5, 5, 0.01, 'Gb/s'), holds('share', 'fair', 0.5, false, '')]
  const card = { claim: 'It is fair.', claimant: 'The paper', headline: 'share' }
  expect(foundWords(card, { checks }).replaceAll('\u00a0', ' ')).toBe(
    'Share: 0.5 (published: fair; differs). Rate: 5 Gb/s (published: 5 Gb/s; agrees). ' +
      '1 agrees with the paper; 1 differs, with the cause in the table.',
  )
})

it('has words where a size measured nothing, and the value where its draws cannot decide', () => {
  const later = needsFull('tail', 'below 5 us', 'few flows', 'us')
  const checks = [later, { ...later, name: 'mean', measured: 4 }]
  const element = document.createElement('div')
  render(html`<${Checks} checks=${checks} draws="" />`, element)
  const cells = [...element.querySelectorAll('td[data-of=measured]')]
  expect(cells.map((cell) => cell.textContent!.trim().replaceAll('\u00a0', ' '))).toEqual([
    ...['not in this size', '4 us'],
  ])
})

it('puts nothing that we found into the mouth of a paper', () => {
  const claim = 'The paper says: PACC is fairer. Here it is, and slow.'
  expect(claimOf({ claimant: '', claim })).toEqual({
    ...{ who: 'The paper says:', said: 'PACC is fairer.', found: 'Here it is, and slow.' },
  })
  expect(claimOf({ claimant: 'The paper', claim: 'It is fair.' })).toEqual({
    ...{ who: 'The paper:', said: 'It is fair.', found: '' },
  })
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
  // Several measures over one x are read down it.
  const over = ['ratio', 'share', 'KB', 'packets'].map((label) => ({
    ...plot(label, 'lines'),
    y: { label, unit: '' },
  }))
  expect(rowsOf(over).map(({ length }) => length)).toEqual([4])
  expect(rowsOf(over.slice(1)).map(({ length }) => length)).toEqual([1, 1, 1])
})

it('shows the pictures of the document, and folds what stands beside them', async () => {
  const plot = (title: string, isAside: boolean): Plot => ({
    ...{ title, kind: 'lines', isAside, curves: [{ name: 'a', x: [1, 2], y: [1, 2] }] },
    ...{ x: { label: 'time', unit: 'ms' }, y: { label: 'queue', unit: 'KB' } },
  })
  const plots = [plot('Fig. 1', false), plot('by length', true)]
  const state = { type: 'done', result: { checks: [], plots, notes: [] } }
  const element = document.createElement('div')
  render(html`<${Outcome} state=${state} />`, element)
  await vi.waitFor(() => expect(element.querySelectorAll('figure')).toHaveLength(2))
  const folded = element.querySelector<HTMLDetailsElement>('details.asides')!
  expect(folded.open).toBe(false)
  expect(folded.querySelector('figcaption')!.textContent).toBe('by length')
  expect(folded.querySelector('summary')!.textContent).toContain('by length')
})

it('has no empty half of a wide screen: checks, or notes, beside a plot that is alone', () => {
  const line: Plot = {
    ...{ title: 'queue', kind: 'lines', curves: [] },
    ...{ x: { label: 'time', unit: 'ms' }, y: { label: 'queue', unit: 'KB' } },
  }
  const surfaces: Plot = {
    ...{ ...line, kind: 'surface' },
    curves: ['a', 'b'].map((name) => ({ name, x: [1, 2], y: [1, 2], z: [1, 2] })),
  }
  expect(placesOf([[line]], 5)).toBe('odd few')
  expect(placesOf([[line]], 24)).toBe('odd many')
  expect(placesOf([[line], [line]], 5)).toBe('even few')
  // Beside a tall one two others have room; what is beside the document's fills the second.
  const words = Array.from({ length: 21 }, (_, i) => `scheme ${i}`)
  const tall: Plot = {
    ...{ ...line, kind: 'bars' },
    curves: [{ name: 'a', x: words, y: words.map(() => 1) }],
  }
  expect(placesOf([[tall]], 24)).toBe('odd many')
  expect(placesOf([[line], [tall]], 24)).toBe('odd many')
  expect(placesOf([[tall], [line], [line]], 24)).toBe('even many')
  const aside = { ...line, isAside: true }
  const rowsShown = (isInColumns: boolean): number =>
    shownOf([line, tall, aside], isInColumns).rows.length
  expect([rowsShown(false), rowsShown(true)]).toEqual([2, 3])
  expect(shownOf([line, line, aside], true).asides).toEqual([aside])
  // What takes both columns begins a row, and notes stand in the gap before it.
  expect(placesOf([[line, line], [line]], 5)).toBe('odd few')
  expect(placesOf([[line], [surfaces]], 5)).toBe('many gap')
})
