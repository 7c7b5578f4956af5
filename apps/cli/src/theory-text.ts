/** What a fluid model says, for the terminal. */
import { formatRate, formatSize, formatTime, shortRate, shortSize, shortTime } from '@weir/engine'
import type { Analysis, MapCell, Quantity, Stability, Trajectory } from '@weir/theory'
import { bodeText } from './bode-text.ts'
import { courseText } from './course-text.ts'
import { renderTable, wrap } from './table.ts'
import type { VerdictPaint } from './terminal.ts'
import type { Question } from './theory.ts'

/** Prose is broken here even in a pipe. */
const PROSE_COLUMNS = 100

export function theoryText(
  question: Question,
  { point, stability }: Analysis,
  course: Trajectory,
  paint: VerdictPaint,
  widthMax: number,
): string {
  const { model, unused } = question
  const notes = [
    ...model.leavesOut,
    ...(unused.length > 0 ? [`Of the preset, the model does not know ${unused.join(', ')}.`] : []),
  ]
  const title = paint.bold(`${model.title} as a fluid`)
  const prose = (text: string): string => wrap(text, Math.min(widthMax, PROSE_COLUMNS)).join('\n')
  const quantities = quantitiesText(point.quantities, widthMax)
  return [
    `${title}\n${paint.dim(model.cite)}\n${networkText(question)}`,
    `${paint.bold('Fixed point')}\n${prose(point.why)}\n${quantities}`,
    ...(stability === undefined
      ? []
      : [stabilityText(stability, paint), bodePart(stability, paint)]),
    `${paint.bold('Trajectory')}\n${prose(courseText(course, question))}\n`,
    `${paint.bold('Left out')}\n${notes.map((note) => prose(`- ${note}`)).join('\n')}\n`,
  ].join('\n')
}

function networkText({ network }: Question): string {
  const { flows, rateBps, delayPs, packetBytes, lineRateBps } = network
  const line = lineRateBps === undefined ? '' : `, senders of ${formatRate(lineRateBps)}`
  return (
    `${flows} flows share ${formatRate(rateBps)}${line}; a round trip of ${formatTime(delayPs)} ` +
    `without queueing, packets of ${formatSize(packetBytes)}.\n`
  )
}

function quantitiesText(quantities: readonly Quantity[], widthMax: number): string {
  if (quantities.length === 0) return ''
  return renderTable(
    [
      { title: 'quantity', align: 'left' },
      { title: 'value', align: 'right' },
      { title: 'from', align: 'left', wraps: true },
    ],
    quantities.map((one) =>
      [one.name, quantityText(one), one.cite ?? ''].map((text) => ({ text })),
    ),
    widthMax,
  )
}

export function quantityText({ value, unit }: Quantity): string {
  if (!Number.isFinite(value)) return '-'
  switch (unit) {
    case 'bytes':
      return shortSize(value)
    case 'bit/s':
      return shortRate(value)
    case 's':
      return shortTime(value * 1e12)
    case 'degrees':
      return `${value.toFixed(1)} deg`
    case '':
      return String(Number(value.toPrecision(4)))
  }
}

export function verdictSentence({ isStable, isEdge, roots, margins }: Stability): string {
  const [root] = roots
  if (root === undefined) return 'No root was found.'
  const omega = Math.abs(root.im)
  const turn = omega > 0 ? `, turning once in ${shortTime((2 * Math.PI * 1e12) / omega)}` : ''
  if (isEdge) return `On the edge: a disturbance neither grows nor dies${turn}.`
  const pace = shortTime(1e12 / Math.abs(root.re))
  const sentence = isStable
    ? `Stable: a disturbance dies by e in ${pace}${turn}.`
    : `Not stable: a disturbance grows by e in ${pace}${turn}.`
  const isOdd = margins.phaseDegrees > 0 !== isStable && Number.isFinite(margins.phaseDegrees)
  return isOdd ? `${sentence} The phase margin says otherwise; the roots decide.` : sentence
}

function stabilityText(stability: Stability, paint: VerdictPaint): string {
  const { margins, roots, isStable, isEdge } = stability
  // Of a loop that is not stable, a gain that it could still have is no margin.
  const isMargin = isStable || isEdge || margins.gain < 1
  const rows = [
    ['phase margin', degrees(margins.phaseDegrees), at(margins.crossover)],
    isMargin
      ? ['gain margin', decibels(margins.gain), at(margins.phaseCrossover)]
      : ['gain margin', '-', ''],
    ['delay margin', isEdge ? '-' : shortTime(margins.delay * 1e12), ''],
    ...roots.map((root, i) => [i === 0 ? 'rightmost root' : 'next', rootText(root), '']),
  ]
  const table = renderTable(
    [
      { title: 'margin', align: 'left' },
      { title: 'value', align: 'right' },
      { title: 'at', align: 'left' },
    ],
    rows.map((row) => row.map((text) => ({ text }))),
  )
  const tint = isStable ? paint.agrees : paint.differs
  return `${paint.bold('Stability')}\n${tint(verdictSentence(stability))}\n${table}`
}

function bodePart(stability: Stability, paint: VerdictPaint): string {
  const what = 'gain, and phase below it; dots: gain crossover, dashes: the edge of each'
  return `${paint.bold('Open loop')}\n${what}\n${bodeText(stability)}\n`
}

function degrees(value: number): string {
  return Number.isFinite(value) ? `${value.toFixed(1)} deg` : '-'
}

function decibels(factor: number): string {
  const text = (20 * Math.log10(factor)).toFixed(1)
  return Number.isFinite(factor) ? `${text === '-0.0' ? '0.0' : text} dB` : '-'
}

function at(omega: number): string {
  return Number.isFinite(omega) ? `${Number(omega.toPrecision(4))} rad/s` : ''
}

function rootText({ re, im }: { readonly re: number; readonly im: number }): string {
  // On the axis, but for rounding: a limit cycle.
  const real = Math.abs(re) < 1e-9 * Math.abs(im) ? 0 : Number(re.toPrecision(4))
  return im === 0 ? `${real} /s` : `${real} +- ${Number(im.toPrecision(4))}i /s`
}

/** One row for each delay, one column for each number of flows; why, where there is no number. */
export function mapText(
  { model, network }: Question,
  cells: readonly MapCell[],
  paint: VerdictPaint,
  widthMax: number = PROSE_COLUMNS,
): string {
  const { rateBps, packetBytes } = network
  const shared = `${formatRate(rateBps)} shared, packets of ${formatSize(packetBytes)}.`
  const head = `${paint.bold(`${model.title} as a fluid`)}\n${paint.dim(model.cite)}\n${shared}\n`
  const width = Math.min(widthMax, PROSE_COLUMNS)
  const reasons = [...new Set(cells.flatMap(({ why }) => (why === undefined ? [] : [why])))]
  if (cells.every(({ verdict }) => verdict === 'none')) {
    const all = `No fixed point at any of ${cells.length} places. ${reasons.join(' ')}`
    return `${head}\n${wrap(all, width).join('\n')}\n`
  }
  const noted = reasons.map((why) => `${wrap(`none: ${why}`, width).join('\n')}\n`)
  return (
    `${head}\n${paint.bold('Real part of the rightmost root, in 1/s')}\n` +
    `Below 0 is stable: a disturbance dies, by e in the inverse of it.\n` +
    `${mapTable(cells, paint)}${noted.length > 0 ? '\n' : ''}${noted.join('')}`
  )
}

function mapTable(cells: readonly MapCell[], paint: VerdictPaint): string {
  const flows = [...new Set(cells.map((cell) => cell.flows))]
  const delays = [...new Set(cells.map((cell) => cell.delayPs))]
  const rows = delays.map((delayPs) => [
    { text: formatTime(delayPs) },
    ...flows.map((count) => {
      const cell = cells.find((one) => one.flows === count && one.delayPs === delayPs)!
      const text = cell.verdict === 'none' ? 'none' : String(Number(cell.growth.toPrecision(3)))
      return { text, paint: cell.verdict === 'stable' ? paint.agrees : paint.differs }
    }),
  ])
  const columns = [
    { title: 'delay', align: 'right' as const },
    ...flows.map((count) => ({ title: `${count} flows`, align: 'right' as const })),
  ]
  return renderTable(columns, rows)
}
