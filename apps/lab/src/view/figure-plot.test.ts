// @vitest-environment jsdom
/** Figures as the page draws them: nothing hidden, nothing outside, what was published hollow. */
import { render } from 'preact'
import { describe, expect, it, vi } from 'vitest'
import type { Plot } from '../../../../experiments/figure.ts'
import { FigurePlot } from './figure-plot.ts'
import { html } from './html.ts'

const plain: Plot = {
  title: 'Queue',
  kind: 'lines',
  x: { label: 'load', unit: '' },
  y: { label: 'queue', unit: 'KB' },
  curves: [],
}

function drawn(plot: Plot): HTMLElement {
  const element = document.createElement('div')
  render(html`<${FigurePlot} plot=${plot} />`, element)
  return element
}

const numbers = (elements: NodeListOf<Element>, name: string): number[] =>
  [...elements].map((element) => Number(element.getAttribute(name)))

const legendOf = (element: HTMLElement): string[] =>
  [...element.querySelectorAll('.legend li')].map((item) => item.textContent!.trim())

describe('a plot of a figure', () => {
  it('has dots, not bars, on a logarithmic axis, and says that it is one', () => {
    const x = ['DCTCP', 'TIMELY', 'PFC alone']
    const own = { name: 'queue', x, y: [96, 8.5, 5960], half: [0, 9, 100] }
    const bars = drawn({
      ...plain,
      ...{ kind: 'bars', y: { ...plain.y, scale: 'log' }, curves: [own] },
    })
    expect(bars.querySelectorAll('.figure-svg rect')).toHaveLength(0)
    const places = numbers(bars.querySelectorAll('.figure-svg .dot'), 'cx')
    expect(places[1]).toBeLessThan(places[0]!)
    expect(places[0]).toBeLessThan(places[2]!)
    expect(bars.querySelector('.axes')!.textContent).toContain('log scale')
    const starts = [...bars.querySelectorAll('.whisker')].map((path) =>
      Number(/^M([\d.]+)/u.exec(path.getAttribute('d')!)![1]),
    )
    const grid = numbers(bars.querySelectorAll('.grid[y2]'), 'x1')
    expect(starts).toHaveLength(2)
    for (const from of starts) expect(from).toBeGreaterThanOrEqual(Math.min(...grid))
  })

  it('has an edge around intervals on bars, and dots above theirs', () => {
    const own = { name: 'queue', x: ['a', 'b'], y: [96, 8.5], half: [9, 2] }
    const whiskers = (scale: 'linear' | 'log'): Element[] => {
      const plot: Plot = { ...plain, kind: 'bars', y: { ...plain.y, scale }, curves: [own] }
      return [...drawn(plot).querySelectorAll('.whisker')]
    }
    expect(whiskers('linear')).toHaveLength(2)
    // A pale bar on a dark page hides a light line that has no dark edge.
    for (const path of whiskers('linear')) {
      const edge = path.previousElementSibling!
      expect(edge.getAttribute('d')).toBe(path.getAttribute('d'))
      expect(edge.getAttribute('stroke')).toBe('var(--card)')
    }
    for (const path of whiskers('log')) expect(path.nextElementSibling!.nodeName).toBe('circle')
  })

  it.each(['log', 'linear'] as const)('begins its axis where intervals begin: %s', (scale) => {
    const [y, half] =
      scale === 'log'
        ? [
            [0.25, 133],
            [0.11, 84],
          ]
        : [
            [-2, 5],
            [7, 1],
          ]
    const own = { name: 'deviation', x: ['3 flows', '6 flows'], y, half }
    const bars = drawn({ ...plain, ...{ kind: 'bars', y: { ...plain.y, scale }, curves: [own] } })
    const starts = [...bars.querySelectorAll('.whisker')].map((path) =>
      Number(/^M(-?[\d.]+)/u.exec(path.getAttribute('d')!)![1]),
    )
    const least = Math.min(...numbers(bars.querySelectorAll('.grid[y2]'), 'x1'))
    const words = numbers(bars.querySelectorAll('.word tspan'), 'x')
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(Math.max(...words))
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(least)
  })

  it('has each bar beside its word where others have none there', () => {
    const curves = [
      { name: 'stable', x: ['2 flows', '8 flows'], y: [1.3, 1.6] },
      { name: 'unstable', x: ['16 flows', '32 flows'], y: [89, 19] },
    ]
    const bars = drawn({ ...plain, kind: 'bars', curves })
    const middles = [...bars.querySelectorAll('.figure-svg rect')].map(
      (bar) => Number(bar.getAttribute('y')) + Number(bar.getAttribute('height')) / 2,
    )
    const words = numbers(bars.querySelectorAll('.word tspan'), 'y')
    expect(words).toHaveLength(4)
    words.forEach((y, i) => expect(Math.abs(y - 4 - middles[i]!)).toBeLessThan(2))
  })

  it('has values of all curves in its table, both ends of each among them', () => {
    const x = Array.from({ length: 1250 }, (_, i) => i)
    const curves = ['packets', 'fluid'].map((name) => ({ name, x, y: x.map((at) => at + 1) }))
    const values = drawn({ ...plain, curves }).querySelector('.values-table')!
    const rows = [...values.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((cell) => cell.textContent),
    )
    expect(rows).toHaveLength(400)
    for (const { name } of curves) {
      expect(rows.find(([curve]) => curve === name)).toEqual([name, '0', '1'])
      expect(rows.findLast(([curve]) => curve === name)).toEqual([name, '1,249', '1,250'])
    }
    expect(values.textContent).toContain('400 of 2,500 values')
    expect(values.querySelector('summary')!.getAttribute('aria-label')).toBe('Values of Queue')
  })

  it('has crosses, no dots and no bars, where nothing was measured', () => {
    const x = ['uniform', 'tornado']
    const names = ['ROMM', 'VLB']
    const curves = [
      ...names.map((name) => ({ name, x, y: [1, 0.5], isExpected: true })),
      ...names.map((name) => ({ name, x, y: [1, 0.4], isPublished: true })),
    ]
    const y = { label: 'throughput', unit: 'of capacity', scale: 'log' } as const
    const bars = drawn({ ...plain, kind: 'bars', y, curves })
    const crosses = [...bars.querySelectorAll('.figure-svg .cross')]
    expect(crosses).toHaveLength(4)
    expect(new Set(crosses.map((one) => one.getAttribute('stroke'))).size).toBe(2)
    expect(bars.querySelectorAll('.figure-svg rect, .figure-svg .dot')).toHaveLength(0)
    expect(bars.querySelectorAll('.figure-svg circle[fill=none]')).toHaveLength(4)
    expect(legendOf(bars)).toEqual(['ROMM, computed', 'VLB, computed', 'published'])
  })

  it('has intervals of several curves beside each other, where they would be one line', () => {
    const curves = ['R2C2', 'PFQ', 'TCP'].map((name, i) => {
      return { name, x: [1, 10], y: [i + 4, i + 4], half: [3, 3] }
    })
    const places = numbers(drawn({ ...plain, curves }).querySelectorAll('.interval'), 'x1')
    expect(places).toHaveLength(6)
    const [first, , second, , third] = places
    expect(second! - first!).toBe(3)
    expect(third! - second!).toBe(3)
    const alone = drawn({ ...plain, curves: curves.slice(1, 2) })
    expect(numbers(alone.querySelectorAll('.interval'), 'x1')[0]).toBeCloseTo(second!, 6)
  })

  it('has marks on all of its lines or on none', () => {
    const line = (name: string, points: number): Plot['curves'][number] => ({
      ...{ name, x: Array.from({ length: points }, (_, i) => i) },
      y: Array.from({ length: points }, (_, i) => i % 7),
    })
    const marks = (...points: number[]): number =>
      drawn({ ...plain, curves: points.map((count) => line(`${count}`, count)) }).querySelectorAll(
        '.figure-svg circle',
      ).length
    expect(marks(21, 30)).toBe(51)
    expect(marks(21, 160)).toBe(0)
  })

  it('has the values of bars in a column, where no interval and no mark reaches', () => {
    const x = ['worst case', 'uniform']
    const own = ['ROMM', 'WLB'].map((name, i) => ({ name, x, y: [4 + i, 1], half: [0.25, 0.5] }))
    const mark = { name: 'ROMM', x, y: [4.2, 5.4], isPublished: true }
    const bars = drawn({ ...plain, kind: 'bars', curves: [...own, mark] })
    const values = [...bars.querySelectorAll('text.value')]
    expect(new Set(values.map((text) => text.getAttribute('x'))).size).toBe(1)
    expect(values[0]!.textContent!.trim()).toBe('4.00 ± 0.25')
    const column = Number(values[0]!.getAttribute('x')) - 11 * 6
    const marks = numbers(bars.querySelectorAll('.figure-svg circle'), 'cx')
    const ends = [...bars.querySelectorAll('.whisker')].map((path) =>
      Number(/H([\d.]+)/u.exec(path.getAttribute('d')!)![1]),
    )
    for (const px of [...marks, ...ends]) expect(px).toBeLessThan(column)
  })

  it('draws what was computed as dots that nobody takes for published or measured', () => {
    const words = ['a', 'b']
    const of = (kind: Plot['kind'], x: readonly (number | string)[]): HTMLElement =>
      drawn({
        ...{ ...plain, kind },
        curves: [
          { name: 'PFC', x, y: [1, 2] },
          { name: 'fair share', x, y: [1.5, 1.5], isExpected: true },
        ],
      })
    for (const plot of [of('bars', words), of('lines', [1, 2]), of('dots', [1, 2])]) {
      expect(plot.querySelectorAll('circle[fill=none]')).toHaveLength(0)
      expect(plot.querySelectorAll('.expected, .expected path').length).toBeGreaterThan(0)
      const dotted = plot.querySelectorAll(
        '.figure-svg [stroke-dasharray]:not([stroke-dasharray=""])',
      )
      for (const path of dotted) expect(path.getAttribute('stroke-dasharray')).toBe('0 5')
      expect(legendOf(plot)).toEqual(['PFC', 'fair share, computed'])
    }
  })

  it('has one style for one name in all plots of a figure', () => {
    const x = [0, 1, 2]
    const first: Plot = {
      ...plain,
      curves: [
        { name: 'DCTCP', x, y: [1, 2, 3] },
        { name: 'DCQCN', x, y: [1, 2, 3] },
      ],
    }
    const second: Plot = {
      ...plain,
      curves: [
        { name: 'TIMELY', x, y: [9, 1, 4] },
        { name: 'DCQCN', x, y: [0, 4, 1] },
      ],
    }
    const among = [first, second]
    const lineOf = (plot: Plot, i: number): string => {
      const element = document.createElement('div')
      render(html`<${FigurePlot} plot=${plot} among=${among} />`, element)
      const path = element.querySelectorAll('.figure-svg path[stroke-width="1.8"]')[i]!
      return `${path.getAttribute('stroke')} ${path.getAttribute('stroke-dasharray') ?? ''}`
    }
    expect(lineOf(first, 1)).toBe(lineOf(second, 1))
    expect(lineOf(second, 0)).not.toBe(lineOf(second, 1))
  })

  it('shows intervals of draws on a logarithmic axis too, within the picture', () => {
    const curve = { name: 'mean', x: [0.05, 0.2], y: [20, 200], half: [5, 250] }
    const plot = drawn({ ...plain, y: { ...plain.y, scale: 'log' }, curves: [curve] })
    const spans = plot.querySelectorAll('.interval')
    expect(spans).toHaveLength(2)
    const [low, high] = [numbers(spans, 'y1'), numbers(spans, 'y2')]
    low.forEach((from, i) => expect(from).toBeGreaterThan(high[i]!))
    for (const end of [...low, ...high]) expect(end).toBeLessThanOrEqual(290)
    for (const end of [...low, ...high]) expect(end).toBeGreaterThanOrEqual(0)
  })

  it('has room for intervals below the values where its axis is not from zero', () => {
    const curve = { name: 'over VLB', x: [0.1, 1], y: [1.08, 1.03], half: [0.1, 0.36] }
    const plot = drawn({ ...plain, y: { ...plain.y, isMagnified: true }, curves: [curve] })
    const spans = plot.querySelectorAll('.interval')
    const middles = numbers(plot.querySelectorAll('.figure-svg circle'), 'cy')
    const [low, high] = [numbers(spans, 'y1'), numbers(spans, 'y2')]
    middles.forEach((at, i) => expect(low[i]! - at).toBeCloseTo(at - high[i]!, 6))
  })

  it('alternates the colours of two curves that lie on each other, in lines and in marks', () => {
    const x = [0, 1, 2, 3]
    const curves = [
      { name: 'circuit', x, y: [9, 5, 6, 9] },
      { name: 'floating point', x, y: [9, 5, 6, 9] },
      { name: 'floating point', x: [2], y: [6], isPublished: true },
    ]
    const plot = drawn({ ...plain, curves })
    const [first, second, pieces, ...marks] = plot.querySelectorAll('.figure-svg path')
    const colourOf = (path: Element): string =>
      path.getAttribute(path.getAttribute('fill') === 'none' ? 'stroke' : 'fill')!
    expect(colourOf(second!)).not.toBe(colourOf(first!))
    // Above the second the first is drawn again, with gaps as long as its pieces.
    expect(pieces!.getAttribute('d')).toBe(first!.getAttribute('d'))
    const [on, off, ...more] = pieces!.getAttribute('stroke-dasharray')!.split(' ')
    expect([off, more]).toEqual([on, []])
    // Half of each mark; and no ring but what was published.
    expect(marks).toHaveLength(4)
    for (const path of [pieces!, ...marks]) expect(colourOf(path)).toBe(colourOf(first!))
    const discs = plot.querySelectorAll('.figure-svg circle:not([fill=none])')
    expect(new Set(numbers(discs, 'r')).size).toBe(1)
    const widths = numbers(plot.querySelectorAll('.figure-svg path[stroke-width]'), 'stroke-width')
    expect(new Set(widths).size).toBe(1)
    expect(plot.querySelectorAll('.figure-svg circle[fill=none]')).toHaveLength(1)
    expect(legendOf(plot)).toEqual(['circuit', 'floating point', 'floating point, published'])
  })

  it('keeps to the part of an axis that is asked for, and says so', () => {
    const curves = [{ name: '10Gbps', x: [1, 10], y: [94, 100] }]
    const plot = drawn({ ...plain, y: { ...plain.y, isMagnified: true }, curves })
    const words = [...plot.querySelectorAll('.axes text')].map((text) => text.textContent!.trim())
    expect(words).toContain('queue (KB); not from 0')
    const low = { ...plain, y: { ...plain.y, isMagnified: true } }
    const near = drawn({ ...low, curves: [{ name: 'a', x: [1, 2], y: [1, 10] }] })
    expect(near.querySelector('.axes')!.textContent).not.toContain('not from 0')
    // From the foot to the top of the picture.
    const [first, last] = numbers(plot.querySelectorAll('.figure-svg circle'), 'cy')
    expect(first! - last!).toBeGreaterThan(200)
  })

  it('is as wide on a phone as its words can be read', () => {
    const x = ['a word that is rather long for a phone', 'b']
    const bars: Plot = { ...plain, kind: 'bars', curves: [{ name: 'one', x, y: [1, 2] }] }
    const lines: Plot = { ...plain, curves: [{ name: 'one', x: [0, 1], y: [1, 2] }] }
    const widthOf = (plot: Plot): number =>
      Number(drawn(plot).querySelector('.figure-svg')!.getAttribute('viewBox')!.split(' ')[2])
    expect([widthOf(bars), widthOf(lines)]).toEqual([720, 720])
    const query = { matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }
    vi.stubGlobal('matchMedia', () => query)
    // 390 pixels of a phone less its margins: text of 12 is at least 10 tall.
    for (const plot of [bars, lines]) expect((12 * 350) / widthOf(plot)).toBeGreaterThan(10)
    vi.unstubAllGlobals()
  })

  it('has the title of words above them and that of the axis below, on a phone too', () => {
    const [x, y] = [
      { label: 'ports with the mask', unit: '' },
      { label: 'throughput of F1 over what an idle network gives to it alone', unit: 'Gb/s' },
    ]
    const curves = [{ name: 'one', x: ['none', 'all'], y: [1, 2] }]
    const check = (): void => {
      const bars = drawn({ ...plain, ...{ kind: 'bars', x, y, curves } })
      const [, top, width, height] = bars
        .querySelector('.figure-svg')!
        .getAttribute('viewBox')!
        .split(' ')
        .map(Number)
      const [title, ...under] = [...bars.querySelectorAll('.label')]
      const first = Math.min(...numbers(bars.querySelectorAll('.word tspan'), 'y'))
      const last = Math.max(...numbers(bars.querySelectorAll('.word tspan'), 'y'))
      expect(title!.textContent!.trim()).toBe('ports with the mask')
      expect(Number(title!.getAttribute('y'))).toBeLessThan(first - 8)
      expect(Number(title!.getAttribute('y'))).toBeGreaterThan(top! + 8)
      for (const line of under) {
        const [at, middle] = [line.getAttribute('y'), line.getAttribute('x')].map(Number)
        expect(at).toBeGreaterThan(last + 12)
        expect(at).toBeLessThan(top! + height! - 3)
        const reach = (line.textContent!.trim().length * 6) / 2
        expect(middle! - reach).toBeGreaterThan(0)
        expect(middle! + reach).toBeLessThan(width!)
      }
    }
    check()
    const query = { matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }
    vi.stubGlobal('matchMedia', () => query)
    check()
    vi.unstubAllGlobals()
  })

  it('does not shout of a surface that hardly varies, and says what its rings are', () => {
    const z = { label: 'throughput', unit: 'Gb/s' }
    const [x, y] = [
      [75, 150, 75, 150],
      [0, 0, 1, 1],
    ]
    const heat = (own: number[]): HTMLElement =>
      drawn({
        ...{ ...plain, kind: 'surface', z },
        curves: [
          { name: 'contributors', x, y, z: own },
          { name: 'contributors', x: [150], y: [1], z: [3.4], isPublished: true },
        ],
      })
    const coloursOf = (own: number[]): (string | null)[] =>
      [...heat(own).querySelectorAll('.figure-svg rect:not([fill=none])')].map((cell) =>
        cell.getAttribute('fill'),
      )
    const levels = (fill: string | null): number[] => fill!.match(/\d+/gu)!.map(Number)
    const apart = (own: number[]): number => {
      const [first, , , last] = coloursOf(own).map(levels)
      return Math.max(...first!.map((level, i) => Math.abs(level - last![i]!)))
    }
    expect(apart([3.39, 3.4, 3.41, 3.42])).toBeLessThan(20)
    expect(apart([1, 2, 3, 4])).toBeGreaterThan(100)
    const key = heat([1, 2, 3, 4]).querySelector('.published-key')!
    expect(key.textContent!.replaceAll(/\s+/gu, ' ').trim()).toBe('published: 3.4 Gb/s')
  })

  it('has words on x, a row of a surface as a curve, one entry for what was published', () => {
    const x = ['short', 'long']
    const words = drawn({ ...plain, curves: [{ name: 'a', x, y: [1, 2] }] })
    expect(words.querySelectorAll('.figure-svg circle')).toHaveLength(2)
    expect(words.querySelector('.axes')!.textContent).toContain('short')
    const surface = { name: 'a', x: [1, 2], y: [5, 5], z: [3, 4] }
    const z = { label: 'height', unit: '' }
    const row = drawn({ ...plain, kind: 'surface', z, curves: [surface] })
    expect(row.querySelectorAll('.figure-svg circle')).toHaveLength(2)
    const curves = ['f1', 'f2'].flatMap((name) => [
      { name, x, y: [1, 2] },
      { name, x, y: [1, 2], isPublished: true },
    ])
    const bars = drawn({ ...plain, kind: 'bars', curves })
    expect(legendOf(bars)).toEqual(['f1', 'f2', 'published'])
  })
})
