/**
 * A scheme's page for the terminal. The prose is that of docs/schemes/<name>.md; the parameters are
 * the program's own, so that what is shown is what a run uses: the page's table gives way to them.
 */
import { formatRate, formatSize, formatTime } from '@weir/engine'
import type { Param, ParamValue, SchemeCard } from '@weir/schemes'
import pc from 'picocolors'
import { reflowed, renderTable, type Column } from './table.ts'

const PARAMETERS_HEADING = /^##\s+Parameters/i

export function explanation(
  card: SchemeCard,
  page: string,
  isTerminal: boolean,
  widthMax: number = Infinity,
): string {
  const paint = pc.createColors(isTerminal && pc.isColorSupported)
  const needs = card.needs.length === 0 ? 'nothing special' : card.needs.join(', ')
  const head = `${paint.bold(`${card.name}: ${card.title}`)}\n${card.cite}\nNeeds: ${needs}\n`
  const sections = sectionsOf(page)
  if (!sections.some(({ heading }) => PARAMETERS_HEADING.test(heading))) {
    sections.push({ heading: '## Parameters', body: '' })
  }
  const texts = sections.map(({ heading, body }) => {
    const isParameters = PARAMETERS_HEADING.test(heading)
    const prose = isParameters ? withoutFirstTable(body) : body
    const shown = plain(reflowed(prose, widthMax))
    const parts = [isParameters ? parametersText(card, widthMax) : '', shown].filter(Boolean)
    return `${paint.bold(heading.replace(/^#+\s*/, ''))}\n\n${parts.join('\n')}`
  })
  return [head, ...texts].map((text) => text.trimEnd()).join('\n\n') + '\n'
}

function parametersText(card: SchemeCard, widthMax: number): string {
  const entries = Object.entries(card.params)
  if (entries.length === 0) return 'none\n'
  const cells = entries.map(([name, param]) =>
    [name, valueText(param, param.default), rangeText(param), param.about, param.source].map(
      (text) => ({ text }),
    ),
  )
  return renderTable(COLUMNS, cells, widthMax) + reflowed(presetsText(card), widthMax)
}

/** On a narrow terminal the sources go first; --json and the page have them. */
const COLUMNS: readonly Column[] = [
  { title: 'parameter', align: 'left' },
  { title: 'default', align: 'left' },
  { title: 'range', align: 'left', dropOrder: 1 },
  { title: 'what it does', align: 'left', wraps: true, widthMin: 30 },
  { title: 'source of the default', align: 'left', wraps: true, widthMin: 24, dropOrder: 2 },
]

/** A value as a person writes it in a scenario. */
export function valueText(param: Param, value: ParamValue): string {
  if (typeof value !== 'number') return String(value)
  switch (param.unit) {
    case 'time':
      return formatTime(value)
    case 'size':
      return formatSize(value)
    case 'rate':
      return formatRate(value)
    case 'fraction':
    case 'number':
    case 'count':
    case 'boolean':
    case 'choice':
    case 'text':
      return String(Number(value.toPrecision(6)))
  }
}

function rangeText(param: Param): string {
  if (param.unit === 'choice') return param.choices.join(' | ')
  if (param.unit === 'boolean') return 'true | false'
  if (param.unit === 'text') return 'any'
  const low = param.min ?? (param.unit === 'fraction' ? 0 : undefined)
  const high = param.max ?? (param.unit === 'fraction' ? 1 : undefined)
  if (low === undefined && high === undefined) return 'any'
  if (high === undefined) return `${valueText(param, low!)} or more`
  if (low === undefined) return `${valueText(param, high)} or less`
  return `${valueText(param, low)} .. ${valueText(param, high)}`
}

function presetsText(card: SchemeCard): string {
  const presets = Object.entries(card.presets)
  if (presets.length === 0) return ''
  const lines = presets.map(([name, { about, source, values }]) => {
    const changes = Object.entries(values).map(([key, value]) => {
      const param = card.params[key]
      return `${key}=${param === undefined ? String(value) : valueText(param, value)}`
    })
    return `  ${name}: ${about} (${source})\n    ${changes.join(' ') || 'the defaults'}`
  })
  return `\nPresets\n\n${lines.join('\n')}\n`
}

interface Section {
  readonly heading: string
  readonly body: string
}

/** What is before the first second-level heading repeats the card and is left out. */
function sectionsOf(page: string): Section[] {
  return page
    .split(/^(?=##\s)/m)
    .filter((part) => part.startsWith('## '))
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      return { heading, body: lines.join('\n').trim() }
    })
}

/** The first table lists the parameters, which the program has itself; others say other things. */
function withoutFirstTable(body: string): string {
  const lines = body.split('\n')
  const isRow = (line: string): boolean => line.trimStart().startsWith('|')
  const begin = lines.findIndex(isRow)
  if (begin < 0) return body
  const length = lines.slice(begin).findIndex((line) => !isRow(line))
  lines.splice(begin, length < 0 ? Infinity : length)
  return lines.join('\n').trim()
}

/** Markdown that only a browser needs is taken off; indented and fenced text stays as it is. */
function plain(markdown: string): string {
  return markdown
    .replace(/^```.*$\n?/gm, '')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 ($2)')
    .replace(/\*\*([^*\n]+)\*\*/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1')
}
