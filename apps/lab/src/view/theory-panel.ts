/** Theory over packets: each lane's fluid and max-min rates, dotted, and how far from the edge. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { shortSize, shortTime } from '@weir/engine'
import { rateText } from '../model/rate-text.ts'
import type * as theoryModule from '../model/theory.ts'
import type { LaneTheory } from '../model/theory.ts'
import type { LaneResult, Session } from '../model/session.ts'
import { PORT_COLOUR } from '../scene/palette.ts'
import { portByName } from '../scene/picture.ts'
import type { Level } from '../scene/tanks.ts'
import { ComputedKey } from './choices.ts'
import { Chart, largest } from './chart.ts'
import type { ChartData, ChartLine } from './chart.ts'
import { queueGuides } from './guides.ts'
import { html } from './html.ts'
import { ratesRow, SMOOTH_PART } from './plots.ts'
import type { ShownLane } from './plots.ts'

type Theory = typeof theoryModule
interface Known {
  readonly theory: Theory
  readonly of: ReadonlyMap<LaneResult, LaneTheory>
}

const FLOWS_MAX = 4
const time = { xLabel: 'time', isTime: true, showX: shortTime } as const

interface TheoryProps {
  readonly session: Session
  readonly lanes: readonly ShownLane[]
}

/** Closed at first: the equations are loaded, and solved, when somebody wants them. */
export function TheoryPanel({ session, lanes }: TheoryProps): VNode {
  const [isOpen, setOpen] = useState(false)
  const onToggle = (event: Event): void => setOpen((event.target as HTMLDetailsElement).open)
  return html`<details class="plots" id="theory" onToggle=${onToggle}>
    <summary>
      Theory: the scheme as a fluid, and exact max-min rates, dotted over the packets
    </summary>
    ${isOpen && html`<${TheoryOf} session=${session} lanes=${lanes} units=${['bytes', 'bit/s']} />`}
  </details>`
}

/** `units`: queues ('bytes'), rates ('bit/s'), or both. */
export function TheoryOf(
  props: TheoryProps & {
    readonly units: readonly ('bytes' | 'bit/s')[]
    readonly height?: number
    /** Other plots stand below. */
    readonly isAbove?: boolean
  },
): VNode {
  const { session, lanes, units, height, isAbove } = props
  const known = useTheory(lanes)
  const done = lanes.flatMap((lane) => {
    const theory = lane.result === undefined ? undefined : known?.of.get(lane.result)
    return theory === undefined ? [] : [{ lane, theory }]
  })
  const levels = session.told?.levels ?? []
  const charts =
    known === undefined
      ? []
      : done.flatMap((one) => chartsOf(known.theory, one.lane, one.theory, levels))
  const isShort = height !== undefined
  return html`<div class="theory-of">
    <${ComputedKey} charts=${charts} />
    ${done.length < lanes.length && html`<p class="hint">When the run is over.</p>`}
    ${!session.isAsking && done.map((one) => html`<${Facts} ...${one} isShort=${isShort} />`)}
    ${units
      .map((unit) => sameScale(charts.filter(({ yLabel }) => yLabel === unit)))
      .map(
        (row, i) =>
          html`<div key=${i} class=${`plot-row c${row.length}`}>
            ${row.map(
              (data) =>
                html`<${Chart}
                  key=${data.title}
                  data=${data}
                  session=${session}
                  height=${height}
                  isAbove=${isAbove}
                />`,
            )}
          </div>`,
      )}
  </div>`
}

/** What a story needs of it; under Theory there is more. */
const SHORT = ['queue at rest', 'phase margin', 'verdict']

function Facts(props: {
  readonly lane: ShownLane
  readonly theory: LaneTheory
  readonly isShort: boolean
}): VNode {
  const { lane, theory, isShort } = props
  const facts = theory.facts.filter(([name]) => !isShort || SHORT.includes(name))
  const said = facts.map(([name, value]) => `${name}: ${value}`).join('; ')
  if (isShort) return html`<p class="facts">${lane.title}, as a fluid: ${said}.</p>`
  return html`<dl class="theory">
    <dt>${lane.title}</dt>
    <dd>${said}.</dd>
  </dl>`
}

/** Of the lanes that are done; computed once a result, after the page has drawn it. */
function useTheory(lanes: readonly ShownLane[]): Known | undefined {
  const [known, setKnown] = useState<Known | undefined>(undefined)
  const results = lanes.flatMap(({ result }) => (result === undefined ? [] : [result]))
  useEffect(() => {
    let isCurrent = true
    const missing = results.filter((result) => known?.of.has(result) !== true)
    if (missing.length === 0) return undefined
    void import('../model/theory.ts').then((theory) => {
      if (!isCurrent) return
      const of = new Map(results.map((r) => [r, known?.of.get(r) ?? theory.laneTheory(r.spec)]))
      setKnown({ theory, of })
    })
    return () => {
      isCurrent = false
    }
  }, results)
  return known
}

function chartsOf(
  { fluidAt, stepsAt }: Theory,
  lane: ShownLane,
  theory: LaneTheory,
  told: readonly Level[],
): ChartData[] {
  const { recording, title } = lane
  const { fluid, maxMin } = theory
  const x = recording.timesPs()
  const charts: ChartData[] = []
  const port = fluid === undefined ? -1 : portByName(recording, fluid.port)
  if (fluid !== undefined && port >= 0) {
    const lines: ChartLine[] = [
      { name: 'packets', colour: PORT_COLOUR, values: recording.queueOf(port) },
      { name: 'fluid', colour: PORT_COLOUR, values: fluidAt(fluid, x), isComputed: true },
    ]
    const words = { title: `Queue and fluid: ${title}`, yLabel: 'bytes', showY: shortSize }
    const guides = queueGuides(recording, [port], { most: largest(lines), told })
    charts.push({ ...time, ...words, x, lines, guides })
  }
  if (maxMin.length > 0 && maxMin.length <= FLOWS_MAX) {
    const names = maxMin.map(({ name }) => name)
    const packets = ratesRow([lane], names, SMOOTH_PART).charts[0]!.lines
    const exact = maxMin.map((steps, i): ChartLine => {
      const colour = packets.find(({ name }) => name === steps.name)?.colour ?? i
      const values = stepsAt(steps, x)
      return { name: `${steps.name}, max-min`, colour, values, isComputed: true }
    })
    const words = { title: `Rates and max-min: ${title}`, yLabel: 'bit/s', showY: rateText }
    charts.push({ ...time, ...words, x, lines: [...packets, ...exact] })
  }
  return charts
}

function sameScale(charts: readonly ChartData[]): ChartData[] {
  const peers = charts.flatMap(({ lines, guides = [] }) => [...lines, ...guides])
  const yMax = largest(peers) * 1.05
  return charts.map((chart) => ({ ...chart, yMax, peers }))
}
