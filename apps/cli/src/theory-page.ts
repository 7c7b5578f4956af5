/** A fluid model's answer as plots and a page: fixed point, Bode plot, trajectory. */
import type { Analysis, Trajectory } from '@weir/theory'
import type { Curve, Plot } from '../../../experiments/figure.ts'
import { plotSvg } from './report/figure-plots.ts'
import { escape, pageHtml } from './report/html.ts'
import { courseText } from './course-text.ts'
import { quantityText, verdictSentence } from './theory-text.ts'
import type { Question } from './theory.ts'
import { version } from './version.ts'

export interface DrawnTheory {
  readonly page: string
  /** By file name. */
  readonly svgs: ReadonlyMap<string, string>
}

export function theoryPage(
  question: Question,
  analysis: Analysis,
  course: Trajectory,
  command: string,
): DrawnTheory {
  const plots: [string, Plot][] = [
    ...bodePlots(question, analysis),
    ['queue.svg', queuePlot(question, analysis, course)],
    ['rates.svg', ratePlot(question, course)],
  ]
  const svgs = new Map(plots.map(([name, plot]) => [name, plotSvg(plot)]))
  const title = `${question.model.title} as a fluid`
  const figures = [...svgs.values()].map((svg) => `<figure>${svg}</figure>`).join('\n')
  const verdict =
    analysis.stability === undefined ? '' : `<p>${escape(verdictSentence(analysis.stability))}</p>`
  const leftOut = question.model.leavesOut.map((line) => `<li>${escape(line)}`).join('\n')
  const page = pageHtml(title, [
    `<header><h1>${escape(title)}</h1><p class="soft">${escape(question.model.cite)}; Weir ` +
      `${version}. Made by</p><pre>${escape(command)}</pre></header>`,
    `<section><h2>Fixed point</h2><p>${escape(analysis.point.why)}</p>${table(analysis)}${verdict}`,
    `<div class="plots">${figures}</div>`,
    `<p>${escape(courseText(course, question))}</p>`,
    `<ul>${leftOut}</ul></section>`,
  ])
  return { page, svgs }
}

function table({ point }: Analysis): string {
  const rows = point.quantities.map(
    (one) =>
      `<tr><td>${escape(one.name)}</td><td class="number">${escape(quantityText(one))}</td>` +
      `<td class="why">${escape(one.cite ?? '')}</td></tr>`,
  )
  return `<div class="scroll"><table class="checks"><tbody>${rows.join('\n')}</tbody></table></div>`
}

function bodePlots(question: Question, { stability }: Analysis): [string, Plot][] {
  if (stability === undefined) return []
  const { omega, gainDb, phaseDegrees } = stability.bode
  const { crossover, phaseDegrees: margin } = stability.margins
  const x = { label: 'frequency', unit: 'rad/s', scale: 'log' as const }
  // Beyond one turn and a half of a delay nothing can be told from a plot.
  const shown = Math.max(2, phaseDegrees.filter((phase) => phase > -540).length)
  const title = question.model.title
  const edge = (name: string, y: number): Curve => ({
    name,
    x: [omega[0]!, omega[shown - 1]!],
    y: [y, y],
    isPublished: true,
  })
  const marked = (y: number): Curve[] =>
    Number.isFinite(crossover) ? [{ name: 'gain crossover', x: [crossover], y: [y] }] : []
  return [
    [
      'bode-gain.svg',
      {
        title: `${title}: gain of the open loop`,
        kind: 'lines',
        x,
        y: { label: 'gain', unit: 'dB' },
        curves: [
          { name: 'gain', x: omega.slice(0, shown), y: gainDb.slice(0, shown) },
          edge('0 dB', 0),
          ...marked(0),
        ],
      },
    ],
    [
      'bode-phase.svg',
      {
        title: `${title}: phase of the open loop (margin ${margin.toFixed(1)} degrees)`,
        kind: 'lines',
        x,
        y: { label: 'phase', unit: 'degrees' },
        curves: [
          { name: 'phase', x: omega.slice(0, shown), y: phaseDegrees.slice(0, shown) },
          edge('-180 degrees', -180),
          ...marked(margin - 180),
        ],
      },
    ],
  ]
}

function queuePlot(question: Question, { point }: Analysis, course: Trajectory): Plot {
  const ms = Array.from(course.times, (time) => time * 1e3)
  const level = point.quantities.find(({ name }) => name === 'queue')
  const line: Curve[] =
    level === undefined
      ? []
      : [
          {
            name: 'fixed point',
            x: [ms[0]!, ms.at(-1)!],
            y: [level.value / 1e3, level.value / 1e3],
            isPublished: true,
          },
        ]
  return {
    title: `${question.model.title}: queue of ${question.network.flows} flows`,
    kind: 'lines',
    x: { label: 'time', unit: 'ms' },
    y: { label: 'queue', unit: 'KB' },
    curves: [
      { name: 'queue', x: ms, y: Array.from(course.queueBytes, (bytes) => bytes / 1e3) },
      ...line,
    ],
  }
}

function ratePlot(question: Question, course: Trajectory): Plot {
  const ms = Array.from(course.times, (time) => time * 1e3)
  return {
    title: `${question.model.title}: rate of a flow`,
    kind: 'lines',
    x: { label: 'time', unit: 'ms' },
    y: { label: 'rate', unit: 'Gb/s' },
    curves: course.rateBps.map((rates, g) => ({
      name: course.rateBps.length === 1 ? 'each flow' : `group ${g + 1}`,
      x: ms,
      y: Array.from(rates, (bps) => bps / 1e9),
    })),
  }
}
