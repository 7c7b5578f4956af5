import type { Result, ValidSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { drawn, holds, needsFull, ours, within } from '../../../experiments/figure.ts'
import type { Figure, FigureContext } from '../../../experiments/figure.ts'
import { figures } from '../../../experiments/index.ts'
import { reproducedJson, reproducedText, tally } from './reproduction-text.ts'
import {
  figuresNamed,
  reproduceAll,
  type Reproduced,
  type ReproduceOptions,
} from './reproduction.ts'

type Reproduce = (context: FigureContext) => ReturnType<Figure['reproduce']>

const nothing = { draws: 'one draw', checks: [], plots: [], notes: [] }
const figure = (id: string, reproduce: Reproduce = () => Promise.resolve(nothing)): Figure => ({
  id,
  title: `Figure ${id}`,
  cite: 'document Z',
  claim: 'A claim.',
  reproduce,
})
const spec = {} as ValidSpec
const plain = (text: string): string => text
const paint = { agrees: plain, differs: plain, bold: plain, dim: plain }

function options(changes: Partial<ReproduceOptions> = {}): ReproduceOptions {
  let clock = 0
  return {
    size: 'quick',
    stop: new AbortController().signal,
    run: () => Promise.resolve({ kind: 'result', result: {} as Result }),
    onProgress: () => {},
    onFigure: () => {},
    now: () => clock++,
    ...changes,
  }
}

describe('the catalogue of figures', () => {
  it('names each figure once, as <document>/<item>', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/)
  })
})

describe('figuresNamed', () => {
  const all = ['a/one', 'a/two', 'ab/one'].map((id) => figure(id))
  const ids = (...words: string[]): string[] => figuresNamed(all, words).map(({ id }) => id)

  it('takes a figure, a document and all, each figure once', () => {
    expect(ids('a/two')).toEqual(['a/two'])
    expect(ids('a/all')).toEqual(['a/one', 'a/two'])
    expect(ids('a')).toEqual(['a/one', 'a/two'])
    expect(ids('all')).toEqual(['a/one', 'a/two', 'ab/one'])
    expect(ids('ab/one', 'a/one', 'ab/all')).toEqual(['a/one', 'ab/one'])
  })

  it('says what was meant by a slip', () => {
    expect(() => ids('a/twoo')).toThrow("there is no figure 'a/twoo'; did you mean 'a/two'?")
    expect(() => ids('b/all')).toThrow("did you mean 'a/all'?")
  })
})

describe('reproduceAll', () => {
  it('goes on after a figure that throws', async () => {
    const wrong = figure('a/wrong', () => Promise.reject(new Error('out of ideas')))
    const { done, broken } = await reproduceAll([wrong, figure('a/right')], options())
    expect(done.map((one) => one.figure.id)).toEqual(['a/right'])
    expect(broken.map(({ error }) => error.message)).toEqual(['out of ideas'])
  })

  it('breaks a figure of which a run fails', async () => {
    const runs = figure('a/runs', async (context) => {
      await Promise.all([context.simulate(spec), context.simulate(spec)])
      return nothing
    })
    const run = (): Promise<{ kind: 'failed'; error: Error }> =>
      Promise.resolve({ kind: 'failed', error: new Error('a run failed') })
    const { broken } = await reproduceAll([runs], options({ run }))
    expect(broken.map(({ error }) => error.message)).toEqual(['a run failed'])
  })

  it('keeps finished figures when it is stopped, and calls none broken', async () => {
    const controller = new AbortController()
    const kept: string[] = []
    const second = figure('a/second', async (context) => {
      controller.abort()
      await context.simulate(spec)
      return nothing
    })
    const { done, broken } = await reproduceAll(
      [figure('a/first'), second, figure('a/third')],
      options({
        stop: controller.signal,
        run: () => Promise.resolve({ kind: 'stopped' }),
        onFigure: (one) => kept.push(one.figure.id),
      }),
    )
    expect(kept).toEqual(['a/first'])
    expect(done.length).toBe(1)
    expect(broken).toEqual([])
  })

  it('tells how far it is, by the figure and else by its runs', async () => {
    const told: number[] = []
    const runs = figure('a/runs', async (context) => {
      await context.simulate(spec)
      context.progress(0.5, 'half')
      return nothing
    })
    await reproduceAll(
      [figure('a/first'), runs],
      options({
        onProgress: (fraction) => told.push(fraction),
        run: (_, onProgress) => {
          onProgress(0.25)
          return Promise.resolve({ kind: 'result', result: {} as Result })
        },
      }),
    )
    expect(told).toEqual([0, 0.5, 0.625, 0.75])
  })
})

describe('the text of a figure', () => {
  const reproduced: Reproduced = {
    figure: figure('a/one'),
    seconds: 1.23456,
    result: {
      ...nothing,
      checks: [
        within('goodput', 950, 12_345.678, 0.1, 'Mb/s', 'because of a reason that needs words'),
        holds('queue', 'almost twice as low', NaN, true, 'packets'),
      ],
    },
  }

  it('sets published beside measured, and wraps words on a narrow terminal', () => {
    const wide = reproducedText(reproduced, paint, Infinity)
    expect(wide).toMatch(/^The paper: A claim\.$/m)
    expect(wide).toMatch(
      /^goodput +950 +12,346 +Mb\/s +differs +one draw +because of a reason .*words$/m,
    )
    expect(wide).toMatch(/^queue +almost twice as low +- +packets +agrees +one draw$/m)
    const narrow = reproducedText(reproduced, paint, 80)
    const widest = Math.max(...narrow.split('\n').map((line) => line.length))
    expect(widest).toBeLessThanOrEqual(80)
    expect(narrow.replace(/\s+/g, ' ')).toContain('reason')
  })

  it('is JSON with exactly the fields that were promised', () => {
    const { figures: all } = JSON.parse(reproducedJson([reproduced])) as {
      figures: { checks: object[] }[]
    }
    expect(Object.keys(all[0]!)).toEqual(['id', 'seconds', 'checks', 'others', 'fitted'])
    const fields = ['name', 'published', 'measured', 'unit', 'verdict', 'note', 'half', 'draws']
    expect(Object.keys(all[0]!.checks[0]!)).toEqual(fields)
  })

  it('ends with what the runs were, in lines that can be read', () => {
    const notes = [
      'Runs of 30,000 flows, of 42 KB on average, which is what sets their load.',
      'Two.',
    ]
    const one = { ...reproduced, result: { ...reproduced.result, notes } }
    expect(reproducedText(one, paint, 40)).toMatch(
      /\n\n- Runs of 30,000 flows, of 42 KB on\n {2}average.*\n {2}.*\n- Two\.\n$/,
    )
    const without = { ...one, result: { ...one.result, notes: [] } }
    expect(reproducedText(without, paint, 40)).not.toContain('\n- ')
  })

  it('keeps apart what nobody published or this size cannot test, and lists fits', () => {
    const fitted = [{ value: 'a depth of 480', to: 'Fig. 4' }]
    const checks = [
      drawn('share', 0.5, [0.49, 0.5, 0.51], [0.4, 0.6], ''),
      ours('a tuned setting', [1, 2, 3], 'Gb/s'),
      needsFull('a tail', '4 times', 'too few flows'),
    ]
    const one = {
      ...reproduced,
      figure: { ...reproduced.figure, fitted },
      result: { ...reproduced.result, checks },
    }
    const text = reproducedText(one, paint, Infinity)
    expect(text).toMatch(/^share +0\.5 +0\.500 ± 0\.025 +agrees +3 seeds$/m)
    const tuned = /^a tuned setting +not published +2\.0 \(1\.0 to 3\.0\) +Gb\/s +ours +3 seeds$/m
    expect(text).toMatch(tuned)
    expect(text).toMatch(/^a tail +4 times +- +needs --full +one draw +too few flows$/m)
    expect(text).toMatch(/^a depth of 480 +Fig\. 4$/m)
    expect(tally(checks)).toEqual({ agree: 1, all: 1 })
    const json = JSON.parse(reproducedJson([one])) as { figures: Record<string, object[]>[] }
    expect(json.figures[0]!.checks).toHaveLength(1)
    expect(json.figures[0]!.others).toHaveLength(2)
    expect(json.figures[0]!.fitted).toEqual(fitted)
  })
})
