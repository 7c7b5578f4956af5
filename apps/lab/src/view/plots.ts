/**
 * The plots of an experiment: rates, queues, fairness and the scheme's inside over time, lane
 * beside lane at one scale; completion times and slowdown of all lanes in one plot each.
 */
import { formatSize, shortSize, shortTime } from '@weir/engine'
import { empiricalCdf } from '@weir/metrics'
import type { LaneRun, Pin, Session } from '../model/session.ts'
import type { Recording } from '../model/recording.ts'
import { INNER_FLOWS } from '../worker/protocol.ts'
import { plain } from '../model/compare.ts'
import { rateText } from '../model/rate-text.ts'
import { LANE_COLOUR, PAUSED, PORT_COLOUR } from '../scene/palette.ts'
import { portByName } from '../scene/picture.ts'
import type { Level } from '../scene/tanks.ts'
import { atTimes, ghostOfPort, ghostRates } from './ghosts.ts'
import { largest } from './chart.ts'
import type { ChartData, ChartLine } from './chart.ts'
import { guidesOf, headroomGuides, queueGuides } from './guides.ts'
import { insideUnit } from './inside-units.ts'
import { banded, meanShares } from './smooth.ts'

export type ShownLane = LaneRun & { readonly recording: Recording; readonly title: string }

/** A row of plots: one a lane, or one for all. */
export interface PlotRow {
  readonly id: string
  readonly charts: readonly ChartData[]
}

export const LINES_MAX = 8
const BANDS_MAX = 3
const LEAST_QUEUE = 0.1
/**
 * A picture is a few packets long, too short for a rate: means of this part of the run are shown.
 */
export const SMOOTH_PART: number = 1 / 160

/** Flows that have a line and a colour: pinned ones, endless ones, then the largest. By name. */
export function chosenFlows(lanes: readonly ShownLane[], pins: readonly Pin[]): string[] {
  const names = pins.filter(({ kind }) => kind === 'flow').map(({ name }) => name)
  const flows = lanes.flatMap(({ recording }) => recording.flows.slice(0, 4000))
  const others = flows
    .filter((flow) => flow !== undefined)
    .sort((a, b) => b.sizeBytes - a.sizeBytes || a.startPs - b.startPs)
  for (const { name } of others) {
    if (names.length >= LINES_MAX) break
    if (!names.includes(name)) names.push(name)
  }
  return names
}

/**
 * A flow's colour is that of its row, in the first lane that has it: the same in every plot, step
 * and lane, whatever else is shown.
 */
export function flowColourOf(lanes: readonly ShownLane[], name: string): number {
  for (const { recording } of lanes) {
    const row = recording.rowOf.get(name)
    if (row !== undefined) return row
  }
  return 0
}

export function chosenPorts(lanes: readonly ShownLane[], pins: readonly Pin[]): string[] {
  const names = pins.filter(({ kind }) => kind === 'port').map(({ name }) => name)
  const most = new Map<string, number>()
  for (const { recording } of lanes) {
    const { scene } = recording
    const ofSwitches = recording
      .portsByQueue()
      .filter(({ port }) => scene.nodes[scene.from[port]!]!.kind === 'switch')
    for (const { port, bytesMax } of ofSwitches.slice(0, 6)) {
      const name = recording.portName(port)
      most.set(name, Math.max(bytesMax, most.get(name) ?? 0))
    }
  }
  const longest = Math.max(...most.values(), 0)
  for (const [name, bytes] of [...most].sort((a, b) => b[1] - a[1])) {
    // A queue that is little beside the longest is only a name more.
    if (names.length >= 6 || bytes < longest * LEAST_QUEUE) break
    if (!names.includes(name)) names.push(name)
  }
  return names
}

const time = { xLabel: 'time', isTime: true, showX: shortTime } as const

/** A mean over a window, in a band from the least to the most; and what would be fair. */
export function ratesRow(
  lanes: readonly ShownLane[],
  names: readonly string[],
  part: number,
  { pins, hasTotal }: Pick<Session, 'pins' | 'hasTotal'> = { pins: [], hasTotal: false },
): PlotRow {
  const pinned = new Set(pins.map(({ name }) => name))
  const charts = lanes.map(({ recording, title, result, before }): ChartData => {
    const x = recording.timesPs()
    const found = names.flatMap((name) => {
      const row = recording.rowOf.get(name)
      return row === undefined ? [] : [{ name, colour: flowColourOf(lanes, name), row }]
    })
    const values = recording.ratesOf(found.map(({ row }) => row))
    // Bands of many lines would be one fog: few have one, or those that a person has pinned.
    const hasBand = (name: string): boolean => found.length <= BANDS_MAX || pinned.has(name)
    const lines = found.map(({ name, colour }, i): ChartLine => {
      const mean = banded(values[i]!, part)
      return { name, colour, ...(hasBand(name) ? mean : { values: mean.values }) }
    })
    const { mtuBytes, headerBytes } = result?.spec.hosts ?? { mtuBytes: 1, headerBytes: 0 }
    const payloadShare = mtuBytes / (mtuBytes + headerBytes)
    const guides = guidesOf(recording, lines, { payloadShare, part, hasTotal })
    const chart = { title: `Rate per flow: ${title}`, yLabel: 'received', lines, showY: rateText }
    const ghosts = before === undefined ? [] : ghostRates(before.recording, x, found, part)
    return { ...time, ...chart, guides, ghosts, x }
  })
  return { id: 'rates', charts: sameScale(charts) }
}

export function queuesRow(
  lanes: readonly ShownLane[],
  names: readonly string[],
  told: readonly Level[] = [],
): PlotRow {
  const charts = lanes.map(({ recording, title, before }): ChartData => {
    const x = recording.timesPs()
    // Ports have no flow's colour: a colour is a flow wherever it is seen.
    const lines = names.flatMap((name, i) => {
      const port = portByName(recording, name)
      const colour = PORT_COLOUR + i
      return port < 0 ? [] : [{ name, colour, values: recording.queueOf(port) }]
    })
    const chart = { title: `Queue per port: ${title}`, yLabel: 'held', lines, showY: shortSize }
    const ghosts = lines.flatMap(({ name, colour }) =>
      before === undefined
        ? []
        : ghostOfPort(before.recording, x, name, colour, (p) => before.recording.queueOf(p)),
    )
    return { ...time, ...chart, ghosts, x }
  })
  const most = largest(charts.flatMap(({ lines }) => lines))
  const guided = charts.map((chart, i): ChartData => {
    const { recording } = lanes[i]!
    const ports = chart.lines.map(({ name }) => portByName(recording, name))
    return { ...chart, guides: queueGuides(recording, ports, { most, told }) }
  })
  return { id: 'queues', charts: sameScale(guided) }
}

/** Utilisation and time paused of one port; means of a part of the run, if one is given. */
export function portRow(lanes: readonly ShownLane[], name: string, part: number = 0): PlotRow {
  const isEverPaused = lanes.some(({ recording }) => {
    const port = portByName(recording, name)
    return port >= 0 && recording.pausedOf(port).some((share) => (share ?? 0) > 0)
  })
  const charts = lanes.flatMap(({ recording, title, before }): ChartData[] => {
    const port = portByName(recording, name)
    if (port < 0) return []
    const x = recording.timesPs()
    // No band: single pictures are empty or full, and a grey one would look like the future.
    const kept = meanShares([...recording.pausedOf(port)], part)
    const used = meanShares([...recording.utilisationOf(port)], part)
    const lines: ChartLine[] = [
      { name: 'utilisation', colour: LANE_COLOUR, values: used },
      // A line at zero in the colour of a pause would say of an idle link that it was stopped.
      ...(isEverPaused ? [{ name: 'kept from sending', colour: PAUSED, values: kept }] : []),
    ]
    const ghosts =
      before === undefined
        ? []
        : ghostOfPort(before.recording, x, name, LANE_COLOUR, (p) =>
            before.recording.utilisationOf(p),
          )
    const chart = { title: `${name}: ${title}`, yLabel: 'share', lines, showY: plain, yMax: 1.02 }
    return [{ ...time, ...chart, guides: headroomGuides(recording), ghosts, x }]
  })
  return { id: `port ${name}`, charts }
}

export function fairnessRow(lanes: readonly ShownLane[]): PlotRow {
  const charts = lanes.map(({ recording, title }): ChartData => {
    const lines = [{ name: 'Jain', colour: LANE_COLOUR, values: recording.fairness(SMOOTH_PART) }]
    const chart = {
      title: `Fairness: ${title}`,
      yLabel: "Jain's index",
      lines,
      showY: plain,
      yMax: 1.02,
    }
    return { ...time, ...chart, x: recording.timesPs() }
  })
  return { id: 'fairness', charts }
}

/** One variable of the scheme's inside, of flows or of ports. */
export function insideRow(
  lanes: readonly ShownLane[],
  variable: string,
  flowNames: readonly string[],
): PlotRow {
  const charts = lanes.flatMap(({ recording, title, before, lane }): ChartData[] => {
    const { flowInternals, portInternals, innerPorts } = recording.scene
    const x = recording.timesPs()
    const ghosts: ChartLine[] = []
    const ofFlow = flowInternals.indexOf(variable)
    const ofPort = portInternals.indexOf(variable)
    const lines: ChartLine[] = []
    if (ofFlow >= 0) {
      for (const flow of recording.flows.slice(0, INNER_FLOWS)) {
        if (flow === undefined || !flowNames.includes(flow.name)) continue
        const colour = flowColourOf(lanes, flow.name)
        lines.push({ name: flow.name, colour, values: recording.internalOfFlow(flow.row, ofFlow) })
        const row = before?.recording.rowOf.get(flow.name)
        const at = before?.recording.scene.flowInternals.indexOf(variable) ?? -1
        if (before === undefined || row === undefined || row >= INNER_FLOWS || at < 0) continue
        const old = before.recording.internalOfFlow(row, at)
        ghosts.push({ name: flow.name, colour, values: atTimes(before.recording, x, old) })
      }
    } else if (ofPort >= 0) {
      innerPorts.forEach((port, i) => {
        const values = recording.internalOfPort(i, ofPort)
        const isMoving = values.some((value) => value !== null && value !== values[0])
        if (!isMoving || lines.length >= LINES_MAX) return
        lines.push({ name: recording.portName(port), colour: PORT_COLOUR + lines.length, values })
      })
    }
    if (lines.length === 0) return []
    const { label: yLabel, show: showY, isWhole = false } = insideUnit(lane.scheme, variable)
    const steps = isWhole ? { isWhole, isStepped: true } : {}
    const chart = { title: `${variable} inside ${title}`, yLabel, lines, showY, ...steps }
    return [{ ...time, ...chart, ghosts, x }]
  })
  return { id: `inside ${variable}`, charts: sameScale(charts) }
}

/** Completion times of all flows that ended, one step line a lane. */
export function fctRow(lanes: readonly ShownLane[]): PlotRow {
  const curves = lanes.map(({ recording, title }, lane) => {
    const colour = LANE_COLOUR + lane
    const ended = recording.flows.filter((flow) => flow?.sizeBytes < Infinity && flow.endPs > 0)
    const fct = ended.map((flow) => flow.endPs - flow.startPs).sort((a, b) => a - b)
    return { title, colour, cdf: empiricalCdf(fct) }
  })
  const chart = joinedChart(
    curves.map(({ title, colour, cdf }) => ({
      name: title,
      colour,
      x: cdf.values,
      y: cdf.fractions,
    })),
    'hold',
  )
  if (chart === undefined) return { id: 'fct', charts: [] }
  const words = { title: 'Completion times: share of flows done', xLabel: 'time', yLabel: 'share' }
  return {
    id: 'fct',
    charts: [
      {
        ...chart,
        ...words,
        isTime: false,
        xLog: true,
        isStepped: true,
        yMax: 1.02,
        showX: shortTime,
        showY: plain,
      },
    ],
  }
}

/** 99th percentile of slowdown by size of flow, from the results' buckets. */
export function slowdownRow(lanes: readonly ShownLane[]): PlotRow {
  const curves = lanes.flatMap(({ result, title }, lane) => {
    const colour = LANE_COLOUR + lane
    const used = (result?.summary.buckets ?? []).filter((bucket) => bucket.flows > 0)
    if (used.length === 0) return []
    const x = used.map(({ fromBytes, toBytes }) =>
      Number.isFinite(toBytes) ? toBytes : Math.max(2 * fromBytes, 1),
    )
    return [{ name: title, colour, x, y: used.map(({ slowdownP99 }) => slowdownP99) }]
  })
  const chart = joinedChart(curves, 'gap')
  if (chart === undefined || chart.x.length < 2) return { id: 'slowdown', charts: [] }
  const words = { title: 'Slowdown by size: 99th percentile', xLabel: 'size', yLabel: 'times' }
  return {
    id: 'slowdown',
    charts: [{ ...chart, ...words, isTime: false, xLog: true, showX: sizeText, showY: plain }],
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1 ? formatSize(Math.round(bytes)) : ''
}

interface Curve {
  readonly name: string
  readonly colour: number
  readonly x: readonly number[]
  readonly y: readonly number[]
}

/** Curves with x of their own on the union of all x; `hold` keeps the last value between. */
function joinedChart(
  curves: readonly Curve[],
  between: 'hold' | 'gap',
): { x: number[]; lines: ChartLine[] } | undefined {
  const all = new Set(curves.flatMap((curve) => [...curve.x]).filter((x) => x > 0))
  const x = [...all].sort((a, b) => a - b)
  if (x.length === 0) return undefined
  const lines = curves.map(({ name, colour, x: own, y }) => {
    const at = new Map(own.map((value, i) => [value, y[i]!]))
    let last: number | null = between === 'hold' ? 0 : null
    const values = x.map((value) => {
      const here = at.get(value)
      if (here !== undefined && Number.isFinite(here)) last = here
      else if (between === 'gap') return null
      return last
    })
    return { name, colour, values: between === 'gap' ? bridged(values) : values }
  })
  return { x, lines }
}

/** Points that another lane brought in are passed over by a straight line. */
export function bridged(values: readonly (number | null)[]): (number | null)[] {
  const filled = [...values]
  let last = -1
  values.forEach((value, i) => {
    if (value === null) return
    for (let k = last + 1; k < i && last >= 0; k++) {
      filled[k] = values[last]! + ((value - values[last]!) * (k - last)) / (i - last)
    }
    last = i
  })
  return filled
}

/** Lane beside lane at one scale: the eye compares heights. */
function sameScale(charts: readonly ChartData[]): ChartData[] {
  const peers = charts.flatMap(({ lines, guides = [], ghosts = [] }) => [
    ...lines,
    ...guides,
    ...ghosts,
  ])
  const most = largest(peers)
  return charts.map((chart) => ({ ...chart, yMax: most * 1.05, peers }))
}
