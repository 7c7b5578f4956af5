/**
 * A ring that locks up, and how far lanes help.
 *
 * Trivedi 2019, "Priority-based Flow Control": 'deadlocks in large networks'. W. Dally and C.
 * Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks", 1987 (its
 * abstract was looked up): with two virtual channels a link, and packets that change to the second
 * where they cross one chosen link (the dateline), a ring cannot lock up, whatever the flows.
 *
 * Here a flow keeps its class along its way, so a lane is the flow's: flows that cross the dateline
 * have the second. That breaks the cycle where flows cross two links, for those in the second lane
 * then do not cover the ring; with three links each they do, and it locks up again. Lanes by hop
 * are not built: docs/lanes.md has the design.
 */
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { holds, ours } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'

const SWITCHES = 4
const LANES = [3, 4] as const
const CONTROLS = {
  PFC: { buffer: '2MB', flowControl: { kind: 'pfc', xoff: '100KB' } },
  credits: { switch: 'input-buffered', buffer: '32KB', flowControl: 'credits' },
} as const
type ControlName = keyof typeof CONTROLS
const CONTROL_NAMES = ['PFC', 'credits'] as const

export const lanes: Figure = {
  id: 'lecture/lanes',
  title: 'A ring that locks up, with one lane and with two',
  cite: 'Trivedi 2019, "Priority-based Flow Control"; Dally and Seitz, 1987',
  claim: 'A ring under back-pressure locks up with one lane, and not with two and a dateline.',
  switches: [
    {
      name: 'back-pressure',
      without: ({ fabric }) =>
        fabric.flowControl.kind === 'pfc' ? ['fabric.flowControl=none'] : [],
      breaks: ['PFC, one lane'],
    },
    {
      name: 'the second lane',
      without: ({ name }) => (name.includes('two-lanes') ? laneOfAll(LANES[0]) : []),
      breaks: ['PFC, two lanes, flows over 2'],
    },
  ],
  reproduce,
}

interface Case {
  readonly control: ControlName
  readonly lanes: 1 | 2
  /** Links of the ring that each flow crosses. */
  readonly links: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const cases = CONTROL_NAMES.flatMap((control): Case[] => [
    { control, lanes: 1, links: 2 },
    { control, lanes: 1, links: 3 },
    { control, lanes: 2, links: 2 },
    { control, lanes: 2, links: 3 },
  ])
  const results = await Promise.all(cases.map((one) => context.simulate(specOf(one))))
  context.progress(1, 'rings')
  const delivered = results.map(
    ({ flows }) => flows.deliveredBytes.reduce((sum, bytes) => sum + bytes, 0) / 1e6,
  )
  return {
    checks: cases.map((one, i) => checkOf(one, results[i]!)),
    plots: [
      {
        title: 'Delivered before the ring locks up, of 20 MB',
        kind: 'bars',
        x: { label: 'lanes, and links of the ring that a flow crosses', unit: '' },
        y: { label: 'delivered', unit: 'MB' },
        curves: CONTROL_NAMES.map((control) => {
          const own = cases.flatMap((one, i) => (one.control === control ? [i] : []))
          return {
            name: control,
            x: own.map((i) => wordsOf(cases[i]!)),
            y: own.map((i) => delivered[i]!),
          }
        }),
      },
    ],
    draws: 'no chance',
    notes: [
      'Four flows of 5 MB, clockwise around four switches, one from each. With two lanes the ' +
        'flows that cross the link from S3 to S0 have the second one, all along their way.',
    ],
  }
}

const wordsOf = ({ lanes: count, links }: Case): string =>
  `${count === 1 ? 'one lane' : 'two lanes'}, flows over ${links}`

function checkOf(one: Case, { ended }: Result): Check {
  const isLocked = ended.why === 'deadlock'
  const name = `${one.control}, ${wordsOf(one)} links: locked up`
  const unit = '1 yes, 0 no'
  const published = one.lanes === 1 ? 'deadlocks' : 'free of deadlock, whatever the flows'
  if (one.control === 'credits' && one.links === 2) {
    const why =
      'outputs serve inputs in turn, and these four flows never all wait: luck, with a lane'
    return ours(name, isLocked ? 1 : 0, unit, why)
  }
  return holds(
    name,
    published,
    isLocked ? 1 : 0,
    isLocked === (one.lanes === 1),
    unit,
    one.lanes === 2 && one.links === 3
      ? 'a lane is that of a flow here and not of a hop: the three flows of the second cover ' +
          'the ring'
      : '',
  )
}

/** Does a flow from this switch cross the dateline, from the last switch to the first? */
const isAcross = (from: number, links: number): boolean => from + links >= SWITCHES

function laneOfAll(lane: number): string[] {
  return Array.from({ length: SWITCHES }, (_, i) => `workload.0.flows.${i}.class=${lane}`)
}

function specOf(one: Case): ValidSpec {
  const ring = Array.from({ length: SWITCHES }, (_, i) => i)
  const at = (i: number): number => i % SWITCHES
  return validateSpec({
    name: `${one.control} ${wordsOf(one)}`.replaceAll(/[ ,]+/gu, '-'),
    topology: {
      kind: 'graph',
      hosts: ring.map((i) => `H${i}`),
      switches: ring.map((i) => `S${i}`),
      rate: '25Gbps',
      delay: '1us',
      links: [...ring.map((i) => `H${i} S${i}`), ...ring.map((i) => `S${i} S${at(i + 1)}`)],
    },
    fabric: CONTROLS[one.control],
    workload: [
      {
        flows: ring.map((i) => ({
          name: `f${i}`,
          from: `H${i}`,
          to: `H${at(i + one.links)}`,
          path: Array.from({ length: one.links + 1 }, (_, k) => `S${at(i + k)}`),
          size: '5MB',
          class: one.lanes === 2 && isAcross(i, one.links) ? LANES[1] : LANES[0],
        })),
      },
    ],
    scheme: 'none',
    run: { until: '20ms' },
    metrics: { interval: 'none' },
  })
}
