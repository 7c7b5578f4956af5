/** `weir theory` from the inside: what is asked, what is said, what is drawn. */
import { analyse, fluidModels, stabilityMap, trajectory } from '@weir/theory'
import type { Analysis, Trajectory } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { bodeText } from './bode-text.ts'
import { courseText } from './course-text.ts'
import { theoryPage } from './theory-page.ts'
import { mapText, quantityText, theoryText } from './theory-text.ts'
import { questionOf } from './theory.ts'
import type { Question, TheoryOptions } from './theory.ts'

const PLAIN: TheoryOptions = {
  flows: 10,
  rate: '40Gbps',
  delay: '20us',
  packet: '1000B',
  set: [],
  time: '1ms',
}

const same = (text: string): string => text
const paint = { agrees: same, differs: same, bold: same, dim: same }

function answer(question: Question): { analysis: Analysis; course: Trajectory } {
  const { model, network, values, groups, seconds } = question
  const system = model.create(network, values, groups)
  return {
    analysis: analyse(model, network, values),
    course: trajectory(system, seconds, seconds / 50),
  }
}

describe('a question to a fluid model', () => {
  it("takes the scheme's parameters with their units, and its presets", () => {
    const { values, network, unused } = questionOf('dcqcn', {
      ...PLAIN,
      preset: 'firmware',
      set: ['kmax=1.6MB', 'pmax=0.08', 'increaseTimer=100us', 'markAt=enqueue'],
    })
    expect(network).toEqual({ flows: 10, rateBps: 40e9, delayPs: 20e6, packetBytes: 1000 })
    expect(values).toMatchObject({ kmax: 1.6e6, pmax: 0.08, increaseTimer: 100e6, kmin: 100e3 })
    expect(values['markAt']).toBe('enqueue')
    expect(unused).toContain('feedback')
  })

  it('splits the flows among first rates', () => {
    const { groups } = questionOf('timely', { ...PLAIN, flows: 5, from: '7Gbps, 3Gbps' })
    expect(groups).toEqual([
      { rateBps: 7e9, flows: 2 },
      { rateBps: 3e9, flows: 3 },
    ])
  })

  it('says in one sentence what is wrong, and what would be right', () => {
    const cases: [string, Partial<TheoryOptions>, RegExp][] = [
      ['dcqnc', {}, /^there is no fluid model 'dcqnc'; did you mean 'dcqcn'\?/],
      ['qcn', {}, /^qcn has no fluid model; there are none, dctcp/],
      ['dcqcn', { rate: '40GB' }, /^--rate: '40GB' counts bytes/],
      ['dcqcn', { delay: '0' }, /^--delay: '0' is nothing; write more than 0\.$/],
      ['dcqcn', { set: ['kmx=5KB'] }, /^--set: there is no parameter 'kmx'; did you mean 'kma?x/],
      ['dcqcn', { set: ['kmax=5'] }, /^--set kmax: '5' has no unit/],
      ['dcqcn', { set: ['g=fast'] }, /^--set g: 'fast' is not a number/],
      ['pacc', { set: ['clampTarget=yes'] }, /^--set clampTarget: 'yes' is neither true nor/],
      ['dcqcn', { preset: 'papr' }, /^--preset: there is no preset 'papr'; did you mean 'paper'/],
      ['rocc', { preset: 'x' }, /rocc has paper, paper-100g\.$/],
      ['none', { preset: 'x' }, /none has none\.$/],
      ['hpcc', { flows: 1, from: '1Gbps,2Gbps' }, /^--from: 2 rates for 1 flows; name fewer/],
      ['pacc', { set: ['form=print'] }, /^--set form: there is no choice 'print'; did you mean 'p/],
      ['dcqcn', { set: ['kmax=1KB'] }, /^--set kmax: kmin \(5KB\) is above kmax \(1KB\); write/],
      [
        'dcqcn',
        { set: ['pmax=2'] },
        /^--set pmax: 2 is out of range; write a value from 0 to 1\.$/,
      ],
      ['dcqcn', { set: ['markAt=exit'] }, /^--set markAt: "exit" is not a choice/],
      ['pacc', { set: ['interval=1ps'] }, /^--set interval: 1ps is out of range; write/],
      ['patched-timely', { set: ['tHigh=1us'] }, /^--set tHigh: tLow \(50us\) is above/],
    ]
    for (const [name, options, sentence] of cases) {
      expect(() => questionOf(name, { ...PLAIN, ...options }), name).toThrow(sentence)
    }
  })
})

describe('its answer', () => {
  it('names fixed point, margins, roots and trajectory, and says whether it is stable', () => {
    const question = questionOf('dcqcn', PLAIN)
    const { analysis, course } = answer(question)
    const text = theoryText(question, analysis, course, paint, Infinity)
    for (const word of ['10 flows share 40Gbps', 'marking probability p*', 'phase margin']) {
      expect(text).toContain(word)
    }
    expect(text).toContain('\nStable: a disturbance dies')
    const far = questionOf('dcqcn', { ...PLAIN, delay: '150us' })
    const other = answer(far)
    expect(theoryText(far, other.analysis, other.course, paint, 80)).toContain('Not stable:')
  })

  it('has a Bode plot that ordinary terminals can show: 72 columns of ASCII', () => {
    const { analysis } = answer(questionOf('dcqcn', PLAIN))
    const lines = bodeText(analysis.stability!).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    for (const line of lines) expect(line).toMatch(/^[ -~]*$/)
    const crossed = lines.filter((line) => /^ +0 dB \|-+\*+-/.test(line))
    expect(crossed).toHaveLength(1)
    // The phase is above -180 degrees at the dots, where the gain is 0 dB: a margin of 2.8 degrees.
    expect(lines.filter((line) => /^ *-180 deg \|/.test(line))).toHaveLength(1)
    expect(lines.at(-1)).toMatch(/1e2 +1e3 +1e4 rad\/s$/)
  })

  it('calls a limit cycle neither stable nor not', () => {
    const question = questionOf('dctcp', { ...PLAIN, rate: '10Gbps', delay: '100us' })
    const { analysis, course } = answer(question)
    expect(analysis.stability!.isStable).toBe(false)
    const text = theoryText(question, analysis, course, paint, 80)
    expect(text).toContain('On the edge: a disturbance neither grows nor dies')
    expect(text).toMatch(/rightmost root +0 \+- \d+i \/s/)
  })

  it('has no gain to spare where it is not stable', () => {
    const question = questionOf('pacc', { ...PLAIN, set: ['form=printed'] })
    const { analysis, course } = answer(question)
    expect(analysis.stability!.margins.gain).toBeGreaterThan(1)
    const text = theoryText(question, analysis, course, paint, Infinity)
    expect(text).toMatch(/gain margin +-\s*\n/)
  })

  it('does without margins where there is no fixed point', () => {
    const question = questionOf('timely', { ...PLAIN, rate: '10Gbps' })
    const { analysis, course } = answer(question)
    const text = theoryText(question, analysis, course, paint, Infinity)
    expect(text).toContain('No single one')
    expect(text).not.toContain('phase margin')
  })

  it('has a page with a Bode plot for every model that has margins, and none without', () => {
    for (const { name } of fluidModels) {
      const question = questionOf(name, { ...PLAIN, time: '200us' })
      const { analysis, course } = answer(question)
      const { page, svgs } = theoryPage(question, analysis, course, './weir theory <x>')
      expect(svgs.has('bode-phase.svg')).toBe(analysis.stability !== undefined)
      expect(svgs.has('queue.svg')).toBe(true)
      expect(page).toContain('./weir theory &lt;x&gt;')
      expect(page).not.toContain('NaN')
    }
  })

  it('maps flows and delays in a table', () => {
    const question = questionOf('dcqcn', PLAIN)
    const { model, network, values } = question
    const cells = stabilityMap(model, network, values, [2, 40], [4e6, 150e6])
    const text = mapText(question, cells, paint)
    expect(text).toMatch(/4us +-\d+\.?\d* +none/)
    expect(text).toMatch(/150us +\d+ +none/)
    expect(text).toContain('40Gbps shared')
    expect(text).toMatch(/\nnone: p\* is above pmax/)
  })

  it('says why instead of a map without a number', () => {
    const question = questionOf('dctcp', PLAIN)
    const { model, network, values } = question
    const text = mapText(question, stabilityMap(model, network, values, [2, 40], [4e6]), paint)
    expect(text).toMatch(/No fixed point at any of 2 places\. None: a threshold makes a limit/)
    expect(text).not.toContain('rightmost')
  })

  it('says of a course that it has not come to rest, and how much of the link is used', () => {
    const textOf = (name: string, time: string): string => {
      const question = questionOf(name, { ...PLAIN, rate: '25Gbps', delay: '12us', time })
      return courseText(answer(question).course, question)
    }
    // From line rate, patched TIMELY piles up megabytes first: its fixed point is at 197 KB.
    expect(textOf('patched-timely', '20ms')).toContain('It has not come to rest: the queue still')
    expect(textOf('patched-timely', '200ms')).not.toContain('It has not come to rest')
    expect(textOf('timely', '20ms')).toMatch(
      /link is used to 1\d%\. It has not .*: rates still grow/,
    )
    expect(textOf('hpcc', '20ms')).toMatch(/used to 97%\.$/)
    expect(textOf('none', '1ms')).not.toContain('rest')
  })

  it('writes quantities with their units', () => {
    const of = (value: number, unit: 'bytes' | 'bit/s' | 's' | 'degrees' | ''): string =>
      quantityText({ name: 'x', value, unit })
    expect([of(125e3, 'bytes'), of(1e9, 'bit/s'), of(2e-5, 's')]).toEqual([
      ...['125 KB', '1 Gbps', '20 us'],
    ])
    expect([of(-126.9, 'degrees'), of(0.0471404, ''), of(NaN, '')]).toEqual([
      ...['-126.9 deg', '0.04714', '-'],
    ])
  })
})
