/** The middle of the page: scenes, the clock, what is there now, results and plots. */
import { shortTime } from '@weir/engine'
import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { whole } from '../model/compare.ts'
import { OWN } from '../model/experiment.ts'
import type { Experiment } from '../model/experiment.ts'
import type { LaneRun, Session } from '../model/session.ts'
import { Chart } from './chart.ts'
import {
  BandKey,
  ComputedKey,
  InsideChoice,
  LaneChoice,
  Legend,
  TotalChoice,
  WindowChoice,
} from './choices.ts'
import { CircuitPanel, hasCircuit } from './circuit-panel.ts'
import { Findings } from './findings.ts'
import { html, useSession } from './html.ts'
import { Inspector } from './inspector.ts'
import { letterOf } from './lanes.ts'
import { cardOf } from './knobs.ts'
import {
  chosenFlows,
  chosenPorts,
  fairnessRow,
  fctRow,
  flowColourOf,
  insideRow,
  portRow,
  queuesRow,
  ratesRow,
  slowdownRow,
} from './plots.ts'
import { overlaid } from './overlay.ts'
import type { PlotRow, ShownLane } from './plots.ts'
import { cutWords } from '../scene/cut-words.ts'
import { SceneView } from './scene-view.ts'
import { Share } from './share.ts'
import { SinceBefore } from './since-before.ts'
import { TheoryOf, TheoryPanel } from './theory-panel.ts'
import { Transport } from './transport.ts'

/** Plots are made anew at most this often while a run goes on. */
const PLOTS_MS = 300
const PLOTS_LARGE_MS = 1500

interface WorkbenchProps {
  readonly session: Session
  onChange(experiment: Experiment): void
}

export function Workbench({ session, onChange }: WorkbenchProps): VNode {
  useSession(session, 'state')
  const { told } = session
  const rows = useThrottledRows(session)
  const lanes = shownLanes(session)
  const coloured = useMemo(
    () => session.lanes.map((run) => rowsByColour(run, rows.flowNames, lanes)),
    [rows, session.lanes],
  )
  const withCircuit = told?.hasCircuit === false ? undefined : lanes.find(hasCircuit)
  const first = firstRows(session, rows.rows)
  const beside = withCircuit === undefined ? '' : ' beside'
  const others = rows.rows.filter((row) => !first.includes(row))
  // Which has the key of its dots.
  const isTheory = told?.plotted.includes('theory') === true
  const scenes = useLaneInView(session)
  return html`<div class=${session.isAsking ? 'workbench asking' : 'workbench'}>
    <div ref=${scenes} class=${`scenes n${session.lanes.length}${beside}`} tabindex="-1">
      ${session.lanes.map(
        (_, i) =>
          html`<${SceneCard} key=${i} session=${session} at=${i} colouredRows=${coloured[i]} />`,
      )}
      ${withCircuit && html`<${CircuitPanel} session=${session} lane=${withCircuit} />`}
    </div>
    <${Legend}
      isClose=${lanes.every(({ recording }) => recording.close !== undefined)}
      session=${session}
    />
    ${session.hasPackets && lanes.map((lane) => html`<${NotNoted} lane=${lane} />`)}
    <${Transport} session=${session} />
    <${SinceBefore} session=${session} onChange=${onChange} />
    <section class="plots first" aria-label="Rates and queues">
      <div class="row wrap">
        ${told === undefined && html`<h2>Rates and queues</h2>`}
        ${!isTheory && html`<${ComputedKey} charts=${first.flatMap(({ charts }) => charts)} />`}
        <${WindowChoice} session=${session} />
        <${BandKey} charts=${first.flatMap(({ charts }) => charts)} />
        <${TotalChoice} session=${session} />
        ${lanes.length > 1 && html`<${LaneChoice} session=${session} />`}
        <${ZoomHint} session=${session} />
      </div>
      ${lanes.map((lane) => html`<${LeftOut} lane=${lane} />`)}
      ${
        isTheory &&
        html`<${TheoryOf}
          session=${session}
          lanes=${lanes}
          units=${['bytes']}
          height=${told.plotted.length === 1 ? alonePx() : toldPx()}
          isAbove=${first.length > 0}
        />`
      }
      <${PlotRows} session=${session} rows=${first} />
    </section>
    <div class="below">
      <${Findings} lanes=${lanes} />
      <${Inspector} session=${session} lanes=${lanes} />
    </div>
    <section class="plots more" aria-label="More plots">
      <div class="row wrap">
        <h2>More plots</h2>
        <${InsideChoice} session=${session} variables=${rows.variables} />
        <${ComputedKey} charts=${others.flatMap(({ charts }) => charts)} />
      </div>
      <${PlotRows} session=${session} rows=${others} />
    </section>
    <${TheoryPanel} session=${session} lanes=${lanes} />
    <${Share} session=${session} rows=${() => rows.rows} />
  </div>`
}

/** On a narrow screen lanes stand in a row that is scrolled: to the one that a story is about. */
function useLaneInView({ told, lanes }: Session): { readonly current: HTMLDivElement | null } {
  const scenes = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = scenes.current
    if (row === null || told === undefined || lanes.length < 2) return undefined
    const show = (): void => {
      const [first, card] = [row.children[0], row.children[told.lane]]
      if (!(first instanceof HTMLElement) || !(card instanceof HTMLElement)) return
      row.scrollLeft = card.offsetLeft - first.offsetLeft
    }
    // When it is turned, too.
    const observer = new ResizeObserver(show)
    observer.observe(row)
    return () => observer.disconnect()
  }, [told, lanes.length])
  return scenes
}

interface SceneCardProps {
  readonly session: Session
  /** Number of its lane. */
  readonly at: number
  readonly colouredRows: ReturnType<typeof rowsByColour> | undefined
}

/** A lane's scene, with its title and how far its run has come. */
function SceneCard({ session, at, colouredRows }: SceneCardProps): VNode {
  const run = session.lanes[at]!
  const title = titleOf(session, run)
  return html`<article class="scene-card" aria-label=${title}>
    <h2>
      ${session.lanes.length > 1 && html`<span class="letter">${letterOf(at)}</span>`} ${title}
      <small>${stateOf(run, session.isAsking ? 0 : session.endPs)}</small>
    </h2>
    <${SceneView} session=${session} run=${run} title=${title} colouredRows=${colouredRows} />
    ${
      run.failure !== undefined && html`<p class="failure" role="alert">${run.failure.sentence}</p>`
    }
  </article>`
}

/** Right under the clock: what a story says; else rates, what is pinned, and queues. */
function firstRows({ told, pins }: Session, rows: readonly PlotRow[]): PlotRow[] {
  const pinned = pins.filter(({ kind }) => kind === 'port').map(({ name }) => `port ${name}`)
  const usual = ['rates', ...pinned, 'queues']
  const wanted = told === undefined || told.plotted.length === 0 ? usual : told.plotted
  return wanted.flatMap((id) => rows.filter((row) => row.id === id || row.id === `${id} over`))
}

function ZoomHint({ session }: { session: Session }): VNode {
  return html`<span class="hint">Drag, or + and -, to zoom; 0 shows all. Space plays.</span> ${
      session.zoomPs !== undefined &&
      html`<button onClick=${() => session.zoom(undefined)}>Show all of time</button>`
    }`
}

/** Packets that were too many to be drawn one by one are not passed over in silence either. */
function NotNoted({ lane: { title, recording } }: { lane: ShownLane }): (VNode | undefined)[] {
  return cutWords(recording).map(
    (words) => html`<p class="warning not-noted">${title}: ${words}.</p>`,
  )
}

/** Flows that no picture holds are not passed over in silence. */
function LeftOut({ lane: { title, recording } }: { lane: ShownLane }): VNode | undefined {
  if (recording.flowsLeftOut === 0) return undefined
  return html`<p class="warning">
    ${title}: ${whole(recording.flowsLeftOut)} of the flows that ran at once are in no picture, the
    latest to begin; fairness and rates are of the others.
  </p>`
}

/** In a story two rows fit below the picture, on a small screen too. */
const toldPx = (): number => (innerHeight < 1000 ? 146 : 170)

/** What is shown alone has the room of both. */
const alonePx = (): number => (innerHeight < 1000 ? 252 : 340)

function PlotRows({ session, rows }: { session: Session; rows: readonly PlotRow[] }): VNode {
  const isAlone = rows.length === 1 && session.told?.plotted.length === 1
  const height = session.told === undefined ? undefined : isAlone ? alonePx() : toldPx()
  return html`<div>
    ${rows.map(
      ({ id, charts }, row) =>
        html`<div key=${id} class=${`plot-row c${charts.length}`}>
          ${charts.map((data, i) => {
            const isAbout = charts.length === session.lanes.length && session.told?.lane === i
            const isAbove = session.told !== undefined && row < rows.length - 1
            const isBrief = charts.length > 2
            const given = { data, session, height, isAbout, isAbove, isBrief }
            return html`<${Chart} key=${i} ...${given} />`
          })}
        </div>`,
    )}
  </div>`
}

export function titleOf(session: Session, run: LaneRun): string {
  const { scheme, preset, params } = run.lane
  const title = cardOf(scheme, session.ownCard)?.title ?? (scheme === OWN ? 'your scheme' : scheme)
  const changed = Object.entries(params).map(([name, text]) => `${name} ${text}`)
  return [title, ...(preset === '' ? [] : [preset]), ...changed].join(', ')
}

/** `endPs`: of the longest lane. */
function stateOf({ recording, result, failure, isStale }: LaneRun, endPs: number): string {
  if (failure !== undefined) return 'stopped'
  const overPs = recording?.overPs ?? Infinity
  if (result !== undefined) return overPs < endPs ? `ends at ${shortTime(overPs)}` : ''
  if (isStale) return 'running anew'
  if (recording === undefined) return 'starting'
  return `simulating, ${Math.floor((100 * recording.nowPs) / recording.scene.untilPs)} %`
}

function shownLanes(session: Session): ShownLane[] {
  return session.shown.map((run) => ({ ...run, title: titleOf(session, run) }))
}

/** Rows of a lane that have a line in the plots, with their colours. */
function rowsByColour(
  { recording }: LaneRun,
  names: readonly string[],
  lanes: readonly ShownLane[],
): Map<number, number> {
  const rows = new Map<number, number>()
  for (const name of names) {
    const row = recording?.rowOf.get(name)
    if (row !== undefined) rows.set(row, flowColourOf(lanes, name))
  }
  return rows
}

interface Rows {
  readonly rows: readonly PlotRow[]
  /** What of the schemes' inside can be shown. */
  readonly variables: readonly string[]
  readonly flowNames: readonly string[]
}

/** Plots cost more than a picture: they follow the runs at a slower pace. */
function useThrottledRows(session: Session): Rows {
  const [rows, setRows] = useState<Rows>({ rows: [], variables: [], flowNames: [] })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const turn = {}
    const make = (): void => {
      timer = undefined
      // The same turn: rows that are still being made of a run that goes on never come after these.
      if (!session.isSimulating) session.later(turn, () => setRows(allRows(session)))
      else rowByRow(session, turn, setRows)
    }
    const unlisten = session.listen('state', () => {
      if (timer !== undefined) return
      const ports = session.shown.reduce((sum, { recording }) => sum + recording.ports, 0)
      const slow = ports > 1000 ? PLOTS_LARGE_MS : PLOTS_MS
      timer = setTimeout(make, session.isSimulating ? slow : 0)
    })
    make()
    return () => {
      unlisten()
      clearTimeout(timer)
    }
  }, [session])
  return rows
}

export function allRows(session: Session): Rows {
  const { makers, ...rest } = rowMakers(session)
  return {
    ...rest,
    rows: shown(
      makers.map((make) => make()),
      session.isOverlaid,
    ),
  }
}

/** The same with a row a picture, for while a run goes on. */
function rowByRow(session: Session, turn: object, done: (rows: Rows) => void): void {
  const { makers, ...rest } = rowMakers(session)
  const made: PlotRow[] = []
  const next = (): void => {
    const make = makers[made.length]
    if (make === undefined) {
      done({ ...rest, rows: shown(made, session.isOverlaid) })
      return
    }
    made.push(make())
    session.later(turn, next)
  }
  session.later(turn, next)
}

/** Of which rates are means unless another window is chosen. */
const USUAL_PART = 1 / 60

function shown(rows: readonly PlotRow[], isOverlaid: boolean): PlotRow[] {
  const kept = rows.filter(({ charts }) => charts.length > 0)
  return isOverlaid ? kept.map(overlaid) : kept
}

function rowMakers(session: Session): Omit<Rows, 'rows'> & { makers: (() => PlotRow)[] } {
  const lanes = shownLanes(session)
  if (lanes.length === 0) return { makers: [], variables: [], flowNames: [] }
  const told = session.told?.flows ?? []
  const flowNames = told.length > 0 ? told : chosenFlows(lanes, session.pins)
  const looked = session.pins.filter(({ kind }) => kind === 'port').map(({ name }) => name)
  const isToldPorts = session.told !== undefined && looked.length > 0
  const portNames = isToldPorts ? looked : chosenPorts(lanes, session.pins)
  const variables = [
    ...new Set(
      lanes.flatMap(({ recording }) => [
        ...recording.scene.flowInternals,
        ...recording.scene.portInternals,
      ]),
    ),
  ]
  const inside = variables.includes(session.inside) ? session.inside : (variables[0] ?? '')
  const plotted = session.told?.plotted ?? []
  const toldPorts = plotted.filter((id) => id.startsWith('port '))
  // A story may show two of them.
  const insides = new Set([
    ...plotted.filter((id) => id.startsWith('inside ')).map((id) => id.slice('inside '.length)),
    inside,
  ])
  const pinnedPorts = new Set([
    ...session.pins.filter(({ kind }) => kind === 'port').map(({ name }) => name),
    ...toldPorts.map((id) => id.slice('port '.length)),
  ])
  // A link that idles is seen as it is, unless means of a long window are asked for.
  const portPart = session.windowPart > USUAL_PART ? session.windowPart : 0
  const makers = [
    () => ratesRow(lanes, flowNames, session.windowPart, session),
    ...[...pinnedPorts].map((name) => () => portRow(lanes, name, portPart)),
    () => queuesRow(lanes, portNames, session.told?.levels),
    ...[...insides].map((name) => () => insideRow(lanes, name, flowNames)),
    () => fairnessRow(lanes),
    () => joined('fct', [fctRow(lanes), slowdownRow(lanes)]),
  ]
  return { makers, variables, flowNames }
}

function joined(id: string, rows: readonly PlotRow[]): PlotRow {
  return { id, charts: rows.flatMap(({ charts }) => charts) }
}
