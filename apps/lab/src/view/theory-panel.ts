/** Theory over packets: each lane's fluid and max-min rates, dashed, and how far from the edge. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type * as theoryModule from '../model/theory.ts'
import type { LaneTheory } from '../model/theory.ts'
import type { LaneResult, Session } from '../model/session.ts'
import { portByName } from '../scene/picture.ts'
import { Chart, largest } from './chart.ts'
import type { ChartData, ChartLine } from './chart.ts'
import { html } from './html.ts'
import { ratesRow, SMOOTH_PART } from './plots.ts'
import type { ShownLane } from './plots.ts'

type Theory = typeof theoryModule
interface Known {
  readonly theory: Theory
  readonly of: ReadonlyMap<LaneResult, LaneTheory>
}

/** A line of this colour is dashed, in the colour of its packets. */
const DASHED = 8
const FLOWS_MAX = 4
const time = { xLabel: 'time', isTime: true, showX: shortTime } as const

/** Closed at first: the equations are loaded, and solved, when somebody wants them. */
export function TheoryPanel(props: {
  readonly session: Session
  readonly lanes: readonly ShownLane[]
}): VNode {
  const { session, lanes } = props
  const [isOpen, setOpen] = useState(false)
  const known = useTheory(isOpen ? lanes : [])
  const done = lanes.flatMap((lane) => {
    const theory = lane.result === undefined ? undefined : known?.of.get(lane.result)
    return theory === undefined ? [] : [{ lane, theory }]
  })
  const charts =
    known === undefined ? [] : done.flatMap((one) => chartsOf(known.theory, one.lane, one.theory))
  const onToggle = (event: Event): void => setOpen((event.target as HTMLDetailsElement).open)
  return html`<details class="plots" id="theory" onToggle=${onToggle}>
    <summary>
      Theory: the scheme as a fluid, and exact max-min rates, dashed over the packets
    </summary>
    ${isOpen && done.length < lanes.length && html`<p class="hint">When the run is over.</p>`}
    ${done.map(
      ({ lane, theory }) =>
        html`<dl class="theory">
          <dt>${lane.title}</dt>
          <dd>${theory.facts.map(([name, value]) => `${name}: ${value}`).join('; ')}.</dd>
        </dl>`,
    )}
    ${(['bytes', 'bit/s'] as const)
      .map((unit) => sameScale(charts.filter(({ yLabel }) => yLabel === unit)))
      .map(
        (row, i) =>
          html`<div key=${i} class=${`plot-row c${row.length}`}>
            ${row.map(
              (data) => html`<${Chart} key=${data.title} data=${data} session=${session} />`,
            )}
          </div>`,
      )}
  </details>`
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

function chartsOf({ fluidAt, stepsAt }: Theory, lane: ShownLane, theory: LaneTheory): ChartData[] {
  const { recording, title } = lane
  const { fluid, maxMin } = theory
  const x = recording.timesPs()
  const charts: ChartData[] = []
  const port = fluid === undefined ? -1 : portByName(recording, fluid.port)
  if (fluid !== undefined && port >= 0) {
    const lines: ChartLine[] = [
      { name: 'packets', colour: 0, values: recording.queueOf(port) },
      { name: 'fluid', colour: DASHED, values: fluidAt(fluid, x) },
    ]
    const words = { title: `Queue and fluid: ${title}`, yLabel: 'bytes', showY: shortSize }
    charts.push({ ...time, ...words, x, lines })
  }
  if (maxMin.length > 0 && maxMin.length <= FLOWS_MAX) {
    const names = maxMin.map(({ name }) => name)
    const packets = ratesRow([lane], names, SMOOTH_PART).charts[0]!.lines
    const exact = maxMin.map((steps, i): ChartLine => {
      const colour = (packets.find(({ name }) => name === steps.name)?.colour ?? i) % DASHED
      return { name: `${steps.name}, max-min`, colour: colour + DASHED, values: stepsAt(steps, x) }
    })
    const words = { title: `Rates and max-min: ${title}`, yLabel: 'bit/s', showY: shortRate }
    charts.push({ ...time, ...words, x, lines: [...packets, ...exact] })
  }
  return charts
}

function sameScale(charts: readonly ChartData[]): ChartData[] {
  const most = Math.max(0, ...charts.map((chart) => largest(chart.lines)))
  return charts.map((chart) => ({ ...chart, yMax: most * 1.05 }))
}
