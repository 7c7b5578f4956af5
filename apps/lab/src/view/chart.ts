/**
 * A plot of time series (uPlot) with what all plots of the lab share: one zoom, one cursor, the
 * playhead, one scale for all lanes in a row, and colours of the theme.
 */
import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { Session } from '../model/session.ts'
import { COMPUTED_PX, flowColour } from '../scene/palette.ts'
import { showValues } from './chart-values.ts'
import {
  dashOf,
  drawNames,
  keyStyle,
  LABELS_CLOSE_PX,
  LABELS_NARROW_PX,
  LABELS_PX,
} from './end-labels.ts'
import { drawAgain } from './again.ts'
import { html, isDarkNow, throttled } from './html.ts'
import { followPlayhead } from './playhead.ts'
import { tickTexts } from './time-text.ts'
import { followTouch } from './touch.ts'

export interface ChartLine {
  readonly name: string
  /** What it is for, said where there is room. */
  readonly of?: string
  /** Place in the palette. */
  readonly colour: number
  readonly values: ArrayLike<number | null>
  /** Instead of that of the colour. */
  readonly dash?: readonly number[]
  /** By a rule or by equations, not measured: round dots. */
  readonly isComputed?: boolean
  /** The least and the most of what `values` are means of: a band. */
  readonly low?: ArrayLike<number | null>
  readonly high?: ArrayLike<number | null>
}

export interface ChartData {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly x: ArrayLike<number>
  readonly lines: readonly ChartLine[]
  /** What lines are read against, in grey. */
  readonly guides?: readonly ChartLine[]
  /** Lines of the run before: faint, behind the others. */
  readonly ghosts?: readonly ChartLine[]
  /** Lines of all charts at the same scale. */
  readonly peers?: readonly ChartLine[]
  readonly yMax?: number | undefined
  readonly yMin?: number | undefined
  readonly isTime: boolean
  readonly xLog?: boolean | undefined
  readonly isStepped?: boolean | undefined
  /** No value is between two whole numbers, and no tick. */
  readonly isWhole?: boolean | undefined
  readonly showX: (value: number) => string
  readonly showY: (value: number) => string
}

interface ChartProps {
  readonly data: ChartData
  readonly session: Session
  readonly height?: number
  /** Of the lane that a story's step is about: on a phone it comes first, as its picture does. */
  readonly isAbout?: boolean
  /** Another with the same axis stands below it, and has its title. */
  readonly isAbove?: boolean
  /** Of three or more: what stands in brackets has no room. */
  readonly isBrief?: boolean
}

/** Plots of one key move their cursors together. */
const SYNC = 'lab'

export function Chart(props: ChartProps): VNode {
  const { data: given, session, isAbout = false, isAbove = false, isBrief = false } = props
  const height = (props.height ?? 190) - (isAbove ? X_TITLE_PX : 0)
  const data = useMemo(() => (isAbove ? { ...given, xLabel: '' } : given), [given, isAbove])
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const shape = shapeOf(data)
  const latest = useRef(data)
  latest.current = data
  const [remade, setRemade] = useState(0)
  useEffect(() => {
    const box = place.current
    if (box === null) return undefined
    const made = new uPlot(optionsOf(latest, session, box.clientWidth, height), columns(data), box)
    plot.current = made
    const observer = new ResizeObserver(() => {
      const width = box.clientWidth
      if (width === 0) return
      // What was wide and gives way to other lanes is made anew, with the room of a narrow one.
      const isOther = roomOf(width).namesPx !== roomOf(made.width).namesPx
      if (isOther) setRemade((times) => times + 1)
      else made.setSize({ width, height })
    })
    observer.observe(box)
    const unlisten = data.isTime ? followPlayhead(made, session) : (): void => undefined
    const untouch = data.isTime ? followFingers(made, session) : (): void => undefined
    // For those who hear the page: what the lines are at the playhead.
    const say = throttled(() => box.setAttribute('aria-description', saidAt(latest, session)), 500)
    const unsay = data.isTime ? [session.listen('state', say), session.listen('tick', say)] : []
    return () => {
      observer.disconnect()
      unlisten()
      untouch()
      unsay.forEach((stop) => stop())
      made.destroy()
      plot.current = undefined
    }
  }, [shape, session, height, remade])
  const [from, to] = xRange(data, session)
  // The workbench is drawn at every piece of news; a plot only when its own data or range change.
  useEffect(() => {
    const made = plot.current
    if (made === undefined) return
    session.later(made, () => {
      if (plot.current !== made) return
      made.setData(columns(data), false)
      made.batch(() => {
        made.setScale('x', { min: from, max: to })
        made.setScale('y', { min: data.yMin ?? 0, max: yTop(data, session) })
      })
    })
  }, [data, shape, session, from, to, remade])
  const summary = data.lines.map((line) => line.name).join(', ')
  return html`<figure class=${isAbout ? 'chart about' : 'chart'}>
    <figcaption>${isBrief ? data.title.replace(/ \([^)]*\)/u, '') : data.title}</figcaption>
    <div ref=${place} class="plot" role="img" aria-label=${`${data.title}: ${summary}`}></div>
    <ul class=${data.isTime ? 'legend off-screen' : 'legend'}>
      ${data.lines.map(
        (line) =>
          html`<li data-series=${line.name} data-colour=${flowColour(line.colour)}>
            <span class="key" style=${keyStyle(line)} aria-hidden="true"></span>${line.name}
          </li>`,
      )}
    </ul>
  </figure>`
}

function saidAt({ current }: { readonly current: ChartData }, { playheadPs }: Session): string {
  const step = current.x[0] ?? 1
  const at = Math.max(0, Math.ceil(playheadPs / step) - 1)
  const values = current.lines
    .map(({ name, values: all }) => ({ name, value: all[at] ?? null }))
    .filter((line): line is { name: string; value: number } => line.value !== null)
    .sort((a, b) => b.value - a.value)
  const words = values.map(({ name, value }) => `${name} ${current.showY(value)}`)
  return `At ${current.showX(playheadPs)}: ${words.join(', ') || 'nothing'}`
}

/** A plot is made anew when this changes; otherwise its data are. */
function shapeOf(data: ChartData): string {
  const names = data.lines.map((line) => `${line.name}/${line.colour}/${dashOf(line).join()}`)
  const theme = isDarkNow() ? 'dark' : 'light'
  const more = [
    ...(data.guides ?? []).map(({ name, of = '' }) => `${name}/${of}`),
    ...(data.ghosts ?? []).map(({ colour }) => colour),
  ]
  return JSON.stringify([data.yLabel, data.xLabel, data.xLog, data.isStepped, theme, names, more])
}

function columns(data: ChartData): uPlot.AlignedData {
  const none = new Array<null>(data.x.length).fill(null)
  return [
    data.x,
    ...data.lines.map((line) => line.values),
    ...data.lines.flatMap(({ high, low }) => [high ?? none, low ?? none]),
    ...(data.guides ?? []).map((line) => line.values),
    ...(data.ghosts ?? []).map((line) => line.values),
  ] as unknown as uPlot.AlignedData
}

function xRange(data: ChartData, session: Session): [number, number] {
  if (!data.isTime) {
    const [first, last] = [data.x[0] ?? 0, data.x[data.x.length - 1] ?? 1]
    return [first, last > first ? last : first + 1]
  }
  const [from, to] = session.zoomPs ?? [0, session.endPs]
  return [from, Math.max(to, from + 1)]
}

function yTop(data: ChartData, session: Session): number {
  if (data.isTime && session.zoomPs !== undefined && data.peers !== undefined) {
    const [from, to] = session.zoomPs
    const step = (data.x[1] ?? 1) - (data.x[0] ?? 0) || 1
    const range = [Math.floor(from / step) - 1, Math.ceil(to / step)] as const
    const most = largest(data.peers, ...range)
    if (most > 0) return most * 1.08
  }
  if (data.yMax !== undefined && data.yMax > 0) return data.yMax
  return Math.max(1e-9, largest(data.lines) * 1.05)
}

export function largest(
  lines: readonly ChartLine[],
  from: number = 0,
  to: number = Infinity,
): number {
  let most = 0
  for (const { values } of lines) {
    for (let i = Math.max(0, from); i < Math.min(values.length, to); i++) {
      const value = values[i] ?? 0
      if (value > most) most = value
    }
  }
  return most
}

function optionsOf(
  latest: { readonly current: ChartData },
  session: Session,
  width: number,
  height: number,
): uPlot.Options {
  const data = latest.current
  const isDark = isDarkNow()
  const ink = isDark ? '#c3cad4' : '#3c4654'
  const grid = { stroke: isDark ? '#2a313c' : '#e3e7ec', width: 1 }
  const { font, valuesPx, namesPx } = roomOf(width)
  const axis = { stroke: ink, grid, ticks: { ...grid, size: 5 }, gap: 4, font }
  const labelsPx = data.isTime ? namesPx : HALF_TICK_PX
  return {
    width,
    height,
    padding: [10, labelsPx, 0, 0],
    legend: { show: false },
    bands: data.lines.map((line, i) => ({
      series: [data.lines.length + 1 + 2 * i, data.lines.length + 2 + 2 * i] as uPlot.Band.Bounds,
      fill: `${flowColour(line.colour, isDark)}1c`,
    })),
    cursor: {
      sync: data.isTime ? { key: SYNC } : undefined,
      drag: { x: data.isTime, y: false, setScale: false },
    } as uPlot.Cursor,
    scales: {
      x: { time: false, distr: data.xLog === true ? 3 : 1, auto: false },
      y: { auto: false },
    },
    axes: [
      {
        ...axis,
        ...titled(data.xLabel, X_TITLE_PX),
        size: 26,
        // '1.002 ms' must fit between two ticks.
        space: X_SPACE_PX,
        values: (_, ticks) => xTexts(latest.current, ticks),
      },
      {
        ...axis,
        // As wide with a title as without: one moment is at one place in all plots of a page.
        ...titled(data.yLabel, Y_TITLE_PX),
        size: valuesPx + (data.yLabel === '' ? Y_TITLE_PX : 0),
        // '750 Mb/s' must fit beside the title.
        ...{ gap: 3, ticks: { ...grid, size: 4 } },
        // Low plots too have a value between the least and the most to read by.
        space: Y_SPACE_PX,
        ...(data.isWhole === true ? { incrs: WHOLE_STEPS } : {}),
        values: (_, ticks) => ticks.map((v) => show(latest.current.showY, v)),
      },
    ],
    series: seriesOf(data, ink, isDark),
    hooks: {
      draw: data.isTime
        ? [
            // Where lines end would answer an open question.
            (plot) => void (session.isAsking || drawNames(plot, latest.current, { ink, isDark })),
          ]
        : [],
      // Above all lines, and below what they are read against.
      drawSeries: [
        (plot, at) => void (at === data.lines.length && drawAgain(plot, latest.current, isDark)),
      ],
      setCursor: [(plot) => showValues(plot, latest.current)],
      setSelect: [(plot) => zoomToSelected(plot, session)],
    },
  }
}

/** Time is zoomed to what was dragged over, unless that is a slip of the hand. */
function zoomToSelected(plot: uPlot, session: Session): void {
  const { left, width } = plot.select
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  if (width < 6) return
  session.zoom([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')])
}

/** The lines, the edges of their bands, and what they are read against: as in `columns`. */
function seriesOf(data: ChartData, ink: string, isDark: boolean): uPlot.Series[] {
  const stepped = { paths: uPlot.paths.stepped!({ align: 1 }) }
  const steps = data.isStepped === true ? stepped : {}
  return [
    {},
    ...data.lines.map((line) => ({
      label: line.name,
      stroke: flowColour(line.colour, isDark),
      dash: [...dashOf(line)],
      ...strokeOf(line, 1.6),
      points: { show: false },
      ...steps,
    })),
    ...data.lines.flatMap(() => [EDGE, EDGE]),
    ...(data.guides ?? []).map((line) => ({
      stroke: ink,
      dash: [...dashOf(line, true)],
      ...strokeOf(line, 1),
      points: { show: false },
      // A rate that is fair changes when a flow comes or goes, and not before.
      ...(line.isComputed === true ? stepped : {}),
    })),
    ...(data.ghosts ?? []).map(({ colour }) => ({
      stroke: `${flowColour(colour, isDark)}66`,
      width: 3,
      points: { show: false },
      ...steps,
    })),
  ]
}

/** Dots are as wide as they are round. */
function strokeOf({ isComputed }: ChartLine, width: number): Pick<uPlot.Series, 'width' | 'cap'> {
  return isComputed === true ? { width: COMPUTED_PX, cap: 'round' } : { width }
}

const EDGE: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } }

const WHOLE_STEPS = [1, 10, 100, 1000].flatMap((power) => [power, 2 * power, 5 * power])

const FONT = '11px system-ui, sans-serif'
/** Left of a plot: its values, and what they are of. */
const Y_PX = 66
const Y_TITLE_PX = 14
export const BEFORE_AXIS_PX: number = Y_PX + Y_TITLE_PX
const X_TITLE_PX = 14
const X_SPACE_PX = 56
/** Half of '10 ms' at the end of an axis. */
const HALF_TICK_PX = 20
const Y_SPACE_PX = 19

interface Room {
  readonly font: string
  /** Left of a plot, without its title, and right of it. */
  readonly valuesPx: number
  readonly namesPx: number
}

/** A narrow plot gives what it can to its lines: one as wide as a phone, one of three lanes. */
function roomOf(width: number): Room {
  if (width >= 420) return { font: FONT, valuesPx: Y_PX, namesPx: LABELS_PX }
  const namesPx = width < 340 ? LABELS_CLOSE_PX : LABELS_NARROW_PX
  return { font: '10px system-ui, sans-serif', valuesPx: 56, namesPx }
}

function titled(label: string, labelSize: number): Partial<uPlot.Axis> {
  return label === '' ? {} : { label, labelSize, labelGap: 0, labelFont: FONT }
}

/** Moments that are close together are told apart, and equal steps have equal numbers. */
function xTexts({ showX, isTime }: ChartData, ticks: readonly (number | null)[]): string[] {
  const texts = ticks.map((value) => show(showX, value))
  return isTime ? tickTexts(ticks, texts) : texts
}

function show(format: (value: number) => string, value: number | null): string {
  if (value === 0) return '0'
  return value === null ? '' : format(value)
}

/** Two fingers zoom time about where they are; one moves it, once there is more than is shown. */
function followFingers(plot: uPlot, session: Session): () => void {
  const psOf = (dx: number): number => plot.posToVal(0, 'x') - plot.posToVal(dx, 'x')
  return followTouch(plot.over, {
    pinch: (factor, x, _y, dx) => session.zoomAbout(factor, plot.posToVal(x, 'x'), psOf(dx)),
    drag: (dx) =>
      session.zoomPs !== undefined && session.zoomAbout(1, plot.posToVal(0, 'x'), psOf(dx)),
  })
}
