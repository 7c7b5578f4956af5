import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import { within, type Figure, type Plot } from '../../../../experiments/figure.ts'
import { drawFigure, figurePage } from './figure-page.ts'
import { plotSvg } from './figure-plots.ts'
import { colour } from './palette.ts'

const axis = (label: string, scale: 'linear' | 'log' = 'linear'): Plot['x'] => ({
  label,
  unit: 'us',
  scale,
})
const grid = [1, 2, 4, 8]
const plots: readonly Plot[] = [
  {
    title: 'Lines <and> letters',
    kind: 'lines',
    x: axis('time'),
    y: axis('queue', 'log'),
    curves: [
      { name: 'ours', x: [0, 1, 2, 3], y: [0, 10, NaN, 1000] },
      { name: 'ours', x: [0, 3], y: [5, 500], isPublished: true },
      { name: 'theirs', x: [0, 3], y: [50, 50], isPublished: true },
    ],
  },
  {
    title: 'Steps',
    kind: 'steps',
    x: axis('time'),
    y: axis('rate'),
    curves: [{ name: 'a', x: [0, 1], y: [1, 2] }],
  },
  {
    title: 'Dots',
    kind: 'dots',
    x: axis('size', 'log'),
    y: axis('slowdown'),
    curves: [
      { name: 'a', x: [1, 10], y: [1, 2] },
      { name: 'b', x: [1, 10], y: [2, 3], isPublished: true },
    ],
  },
  {
    title: 'Bars',
    kind: 'bars',
    x: axis('scheme'),
    y: axis('rate'),
    curves: [
      { name: 'f1', x: ['TCP, drops at inputs', 'none'], y: [1, 2] },
      { name: 'f2', x: ['none', 'TCP, drops at inputs'], y: [3, NaN] },
      { name: 'f2', x: ['none'], y: [2.5], isPublished: true },
    ],
  },
  {
    title: 'Surface',
    kind: 'surface',
    x: axis('period', 'log'),
    y: axis('flows'),
    z: axis('time to converge'),
    curves: ['one', 'two'].map((name, k) => ({
      name,
      x: grid.flatMap((x) => grid.map(() => x)),
      y: grid.flatMap(() => grid),
      z: grid.flatMap((x) => grid.map((y) => x * (y + k))),
    })),
  },
]

const figure: Figure = {
  id: 'made/up',
  title: 'A figure & its plots',
  cite: 'document Z',
  claim: 'What it says.',
  reproduce: () => Promise.reject(new Error('never asked')),
}
const result = {
  draws: 'one seed',
  checks: [within('a check', 10, 20, 0.1, 'us', 'twice as much <why>')],
  plots,
  notes: ['A note.'],
}

describe('plotSvg', () => {
  it('draws every kind as an SVG that stands alone', () => {
    for (const plot of plots) {
      const svg = plotSvg(plot)
      expect(svg, plot.kind).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
      expect(svg, plot.kind).not.toMatch(/NaN|undefined|Infinity/)
      // Parsed as XML, as a program that knows no HTML would.
      expect(() => new JSDOM(svg, { contentType: 'image/svg+xml' }), plot.kind).not.toThrow()
    }
  })

  it('marks what was published in the colour of our curve, and dashes a level', () => {
    const svg = plotSvg(plots[0]!)
    expect(svg).toContain('ours, published')
    const dashed = [...svg.matchAll(/<path[^>]*stroke-dasharray="5 4"[^>]*>/g)].length
    const groups = [...svg.matchAll(/<g[^>]*stroke-dasharray="5 4"[^>]*>/g)].length
    expect(dashed + groups).toBe(1)
    expect([...svg.matchAll(/<circle [^>]*r="4"/g)]).toHaveLength(4)
    expect([...svg.matchAll(/stroke="#0072b2"/g)].length).toBeGreaterThanOrEqual(2)
  })

  it('draws the interval of each mean over draws, in lines and in bars', () => {
    for (const kind of ['lines', 'bars'] as const) {
      const x = kind === 'bars' ? ['a', 'b'] : [1, 2]
      const plot = { ...plots[1]!, kind, curves: [{ name: 'a', x, y: [1, 2] }] }
      const drawn = { ...plot, curves: [{ name: 'a', x, y: [1, 2], half: [0.5, NaN] }] }
      const rules = (svg: string): number => [...svg.matchAll(/<line /g)].length
      // On a bar of any colour it has an edge.
      const lines = kind === 'bars' ? 2 : 1
      expect(rules(plotSvg(drawn)) - rules(plotSvg(plot))).toBe(lines)
    }
  })

  it('puts what was published on our bar of that name, and takes no room for it', () => {
    const { curves, ...bars } = plots[3]!
    const ours = plotSvg({ ...bars, curves: curves.slice(0, 2) })
    const both = plotSvg({ ...bars, curves })
    const boxes = (svg: string): string[] => svg.match(/<rect [^>]*x="[^>]*>/g) ?? []
    // The legends differ, the bars do not.
    expect(boxes(both).slice(2)).toEqual(boxes(ours).slice(2))
    expect(both.match(/>published</g)).toHaveLength(1)
    const ring = /<circle cx="([\d.]+)"[^>]* r="4"/.exec(both)
    const bar = boxes(ours)
      .map((box) =>
        ['x', 'width'].map((name) => Number(new RegExp(` ${name}="([\\d.]+)"`).exec(box)?.[1])),
      )
      .find(([x = NaN, width = NaN]) => Math.abs(x + width / 2 - Number(ring?.[1])) < 0.2)
    expect(bar).toBeDefined()
  })

  it('has dots, not bars, on a logarithmic axis, and says that it is one', () => {
    const { curves, y, ...bars } = plots[3]!
    const svg = plotSvg({ ...bars, y: { ...y, scale: 'log' }, curves: curves.slice(0, 2) })
    expect(svg).not.toMatch(/<g aria-label="rect"/)
    expect([...svg.matchAll(/<circle [^>]*r="4"/g)]).toHaveLength(3)
    expect(svg).toContain('log scale')
  })

  it('draws what was computed as dots that nobody takes for published or measured', () => {
    for (const kind of ['lines', 'bars'] as const) {
      const x = kind === 'bars' ? ['a', 'b'] : [1, 2]
      const curves = [
        { name: 'PFC', x, y: [1, 2] },
        { name: 'fair share', x, y: [1.5, 1.5], isExpected: true },
      ]
      const svg = plotSvg({ ...plots[1]!, kind, curves })
      expect(svg).toContain('fair share, computed')
      expect(svg).not.toContain('published')
      expect(svg).toMatch(/<g [^>]*stroke="currentColor"[^>]*stroke-dasharray="0 5"/)
      expect(svg.match(/stroke-dasharray="0 5"/g)).toHaveLength(2)
      expect(svg).not.toMatch(/<circle [^>]*r="4"/)
    }
  })

  it('draws what was computed beside nothing measured as crosses, in its legend too', () => {
    const x = ['uniform', 'tornado']
    const curves = ['ROMM', 'VLB'].map((name) => ({ name, x, y: [1, 0.5], isExpected: true }))
    const bars = plotSvg({ ...plots[1]!, kind: 'bars', curves })
    expect(bars.match(/l8 8m0 -8l-8 8/g)).toHaveLength(2)
    expect(bars).not.toMatch(/<rect|stroke-dasharray|<circle/)
    const measured = plotSvg({ ...plots[1]!, kind: 'bars', curves: [{ name: 'a', x, y: [1, 2] }] })
    expect(measured).toContain('<rect')
  })

  it('tells computed curves apart, in the colours of ours of the same name', () => {
    const x = [0, 1]
    const curve = (name: string, isExpected: boolean): Plot['curves'][number] => {
      return { name, x, y: [1, 2], isExpected }
    }
    const of = (...curves: Plot['curves'][number][]): string[] =>
      [...plotSvg({ ...plots[1]!, curves }).matchAll(/<g stroke="([^"]*)">/g)].map((m) => m[1]!)
    const [f1, f2, one, two] = of(
      ...[curve('f1', false), curve('f2', false)],
      ...[curve('f1', true), curve('f2', true)],
    )
    expect([one, two]).toEqual([f1, f2])
    // Nothing is measured: theory alone.
    expect(new Set(of(curve('2 flows', true), curve('4 flows', true))).size).toBe(2)
  })

  it('alternates the colours of curves that lie on each other, the first drawn last', () => {
    const x = [0, 1, 2, 3]
    const curves = ['a', 'b', 'c'].map((name) => ({ name, x, y: [1, 5, 2, 2] }))
    const svg = plotSvg({ ...plots[1]!, kind: 'lines', curves })
    const lines = [...svg.matchAll(/<g aria-label="line"[^>]*>/g)].map(([text]) => ({
      stroke: /stroke="([^"]*)"/.exec(text)![1],
      dash: /stroke-dasharray="([^"]*)"/.exec(text)?.[1]?.split(/[ ,]+/).map(Number),
    }))
    const [a, b, c, b1, a2, ...more] = lines
    expect(more).toEqual([])
    expect([a, b, c].map((line) => line!.dash)).toEqual([undefined, undefined, undefined])
    expect([b1!.stroke, a2!.stroke]).toEqual([b!.stroke, a!.stroke])
    expect(b1!.dash).toEqual([b1!.dash![0], b1!.dash![0]])
    expect(a2!.dash).toEqual([b1!.dash![0], 2 * b1!.dash![0]!])
  })

  it('puts what was computed of a bar on that bar, and says it once', () => {
    const x = ['a', 'b']
    const curves = ['f1', 'f2'].flatMap((name) => [
      { name, x, y: [1, 2] },
      { name, x, y: [1.5, 1.5], isExpected: true },
    ])
    const svg = plotSvg({ ...plots[1]!, kind: 'bars', curves })
    expect(svg.match(/>computed</g)).toHaveLength(1)
    const group = /<g aria-label="rule"[^>]*stroke-dasharray="0 5".*?<\/g>/.exec(svg)![0]
    const widths = [...group.matchAll(/x1="([\d.]+)" x2="([\d.]+)"/g)].map(
      ([, from, to]) => Number(to) - Number(from),
    )
    // A plot of two words with two bars each is 454 wide: all bars of a word would be 180.
    expect(widths).toHaveLength(2)
    for (const width of widths) expect(width).toBeLessThan(100)
  })

  it('has one colour for one name in all plots of a figure', () => {
    const curve = (name: string): Plot['curves'][number] => ({ name, x: [0, 1], y: [1, 2] })
    const among = [
      { ...plots[1]!, curves: [curve('DCTCP'), curve('DCQCN')] },
      { ...plots[1]!, curves: [curve('DCQCN')] },
    ]
    const first = /<g stroke="(#\w+)">.*DCQCN/.exec(plotSvg(among[0]!, among))![1]
    expect(plotSvg(among[1]!, among)).toContain(`stroke="${first!}"`)
  })

  it('begins axes at zero unless a plot asks otherwise, and says then that it does not', () => {
    const high = { ...plots[1]!, curves: [{ name: 'a', x: [0, 1], y: [95, 100] }] }
    expect(plotSvg(high)).toContain('>0</text>')
    const magnified = plotSvg({ ...high, y: { ...high.y, isMagnified: true } })
    expect(magnified).not.toContain('>20</text>')
    expect(magnified).toContain('not from 0')
  })

  it('ends the interval of what is never negative at zero', () => {
    const curves = [{ name: 'a', x: [1, 2], y: [1, 2], half: [3, 1] }]
    expect(plotSvg({ ...plots[1]!, curves })).not.toMatch(/>[-\u2212]\d/)
    const signed = [{ name: 'a', x: [1, 2], y: [1, -2], half: [3, 1] }]
    expect(plotSvg({ ...plots[1]!, curves: signed })).toMatch(/>[-\u2212]\d/)
  })

  it('ends an interval that reaches zero at the least of a logarithmic axis', () => {
    const curves = [{ name: 'a', x: [1, 2], y: [30, 80], half: [40, 10] }]
    const log = { ...plots[1]!, y: { ...plots[1]!.y, scale: 'log' } as const, curves }
    expect(plotSvg(log)).not.toMatch(/>[-\u2212]\d/)
    expect(plotSvg(log)).toMatch(/>30<\/text>/)
  })

  it('puts what was published of no bar on the only one, or across all of its word', () => {
    const bars = (names: readonly string[]): Plot => ({
      ...{ ...plots[1]!, kind: 'bars' },
      curves: [
        ...names.map((name) => ({ name, x: ['a', 'b'], y: [1, 2] })),
        { name: 'text: one', x: ['a'], y: [1], isPublished: true },
      ],
    })
    const dashes = (svg: string): number => [...svg.matchAll(/stroke-dasharray="5 4"/g)].length
    const [one, two] = [plotSvg(bars(['ours'])), plotSvg(bars(['ours', 'theirs']))]
    // A ring, and one in the legend; nothing is a bar that is none.
    expect([one, two].map((svg) => [...svg.matchAll(/<circle /g)].length)).toEqual([2, 2])
    expect([dashes(one), dashes(two)]).toEqual([0, 1])
    expect(two).toContain('>text: one, published<')
  })

  it('draws a surface of one row as the curve that it is', () => {
    const surface = plots[4]!
    const row = { name: 'one', x: grid, y: [3, 3, 3, 3], z: [1, 2, 3, 4] }
    const svg = plotSvg({ ...surface, curves: [row] })
    expect(svg).toContain('Surface: flows 3 us')
    expect(svg).toContain('time to converge (us)')
    expect(svg).not.toContain('<rect')
  })

  it('gives a flat surface one colour', () => {
    const surface = plots[4]!
    const fills = (z: readonly number[]): number => {
      const x = [1, 1, 2, 2]
      const svg = plotSvg({ ...surface, curves: [{ name: '', x, y: [1, 2, 1, 2], z }] })
      const ramp = svg.match(/<rect x="[^"]*" width="[^"]*" height="9" fill="[^"]*"/g) ?? []
      expect(ramp).toHaveLength(48)
      return Number(/>([\d.]+)<\/text>/.exec(svg.slice(svg.lastIndexOf('height="9"')))![1])
    }
    expect(fills([3.39, 3.4, 3.41, 3.42])).toBe(0)
    expect(fills([1, 2, 3, 4])).toBe(1)
  })

  it('draws the edge at which heights change their sign, and marks on each surface', () => {
    const signed = (name: string) => ({
      ...{ name, x: [1, 2, 1, 2], y: [1, 1, 2, 2], z: [-1, 1, -1, -1] },
    })
    const text = { name: 'text', x: [1], y: [2], isPublished: true }
    const curves = [signed('one'), signed('two'), text]
    const svg = plotSvg({ ...plots[0]!, kind: 'surface', z: plots[0]!.y, curves })
    expect(svg.match(/<g [^>]*stroke="#c3342d"/g)!.length).toBeGreaterThanOrEqual(1)
    // A ring on each, and the ring's edge.
    expect(svg.match(/<circle /g)).toHaveLength(4)
  })

  it('draws a cell a point of a surface, and the ramp by which it is read', () => {
    const svg = plotSvg(plots[4]!)
    expect([...svg.matchAll(/<rect /g)].length).toBeGreaterThanOrEqual(2 * 16 + 48)
    expect(svg).toContain('time to converge (us)')
  })
})

it('gives zero no colour of its own, where a surface has heights of both signs', () => {
  const { curves, ...surface } = plots[4]!
  const [one] = curves
  const shifted = { ...surface, curves: [{ ...one!, z: one!.z!.map((z) => z - 8) }] }
  const fills = [...plotSvg(shifted).matchAll(/<rect [^>]*fill="(?:rgb\(([\d, ]+)\)|#(\w{6}))"/g)]
  const colours = fills.map(([, levels, hex]) =>
    levels !== undefined
      ? levels.split(',').map(Number)
      : [0, 2, 4].map((at) => parseInt(hex!.slice(at, at + 2), 16)),
  )
  const isNeutral = (levels: readonly number[]): boolean =>
    Math.min(...levels) > 230 && Math.max(...levels) - Math.min(...levels) < 12
  // As in the lab: brown below zero, violet above.
  const [[red, , blue] = []] = colours
  expect(red!).toBeGreaterThan(blue!)
  // Of sixteen products of 1, 2, 4 and 8, four are 8.
  expect(colours.filter(isNeutral).length).toBeGreaterThanOrEqual(4)
})

it('folds plots that are not of the document', () => {
  const aside = { ...plots[0]!, title: 'Beside', isAside: true }
  const html = figurePage(
    [drawFigure(figure, { ...result, plots: [aside, plots[1]!] })],
    'weir',
    'quick',
  )
  const [, folded] = html.split('<details>')
  expect(folded!.split('</details>')[0]).toContain('Beside')
  expect(folded!.split('</details>')[0]).not.toContain('Steps')
})

describe('figurePage', () => {
  const page = figurePage([drawFigure(figure, result)], './weir reproduce made/up', 'quick')

  it('holds the citation, the checks, the notes and each plot, and needs no network', () => {
    for (const text of [
      'document Z',
      '<b>The paper:</b> What it says.',
      'twice as much &lt;why&gt;',
      'A note.',
    ]) {
      expect(page).toContain(text)
    }
    for (const { title } of plots) expect(page).toContain(title.replace(/<and>/, '&lt;and&gt;'))
    expect(page.match(/src="|href="[^#]|url\(|@import|https?:\/\/(?!www\.w3\.org)/g)).toBeNull()
    expect(page).toContain('<td class="verdict differs">differs</td>')
  })

  it('has a blue that is seen on a dark page', () => {
    expect(page).toContain(`.plot [stroke="${colour(0)}"] { stroke:`)
  })

  it('counts what agrees, what is ours and what this size cannot tell apart', () => {
    const [check] = result.checks
    const checks = [
      ...[check!, { ...check!, verdict: 'ours' as const }],
      ...['a', 'b'].map((name) => ({ ...check!, name, verdict: 'needs --full' as const })),
    ]
    const words = figurePage([drawFigure(figure, { ...result, checks })], '', 'quick')
    expect(words).toContain('0 of 1 checks agree; 1 is a result of our own; 2 need the full size.')
    expect(words.replaceAll('\u00a0', ' ')).toContain('20 us (published: 10 us; differs).')
  })

  it('says once what all draw, calls what was fitted so, and counts no checks as none', () => {
    expect(page).toContain('<p class="soft">Random draws: one seed.</p>')
    expect(page).not.toContain('<th>random draws</th>')
    const fitted = { ...result.checks[0]!, verdict: 'ours' as const, note: 'fitted to it' }
    const one = drawFigure(figure, { ...result, checks: [fitted] })
    const both = figurePage([one, drawFigure(figure, result)], '', 'quick')
    expect(both).toContain('<td class="verdict soft">fitted</td>')
    expect(both).toContain('1 is no check: it was fitted.')
    expect(both).toContain('<td class="soft">no check in this size</td>')
    const checks = [...result.checks, { ...result.checks[0]!, draws: '5 seeds' }]
    const apart = figurePage([drawFigure(figure, { ...result, checks })], '', 'quick')
    expect(apart).toContain('<th>random draws</th>')
  })

  it('is the same to the byte each time', () => {
    const again = figurePage([drawFigure(figure, result)], './weir reproduce made/up', 'quick')
    expect(again).toBe(page)
  })
})
