/**
 * A ring that locks up, and a dateline that keeps it from it.
 *
 * Trivedi 2019, "Priority-based Flow Control": 'deadlocks in large networks'. W. Dally and C.
 * Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks", 1987 (its
 * abstract was looked up): with two virtual channels a link, and packets that change to the second
 * where they cross one chosen link (the dateline), a ring cannot lock up, whatever the flows.
 *
 * Beside it, as results of our own, a lane per flow: flows that cross the dateline have the second
 * one all along their way. That is enough where flows cross two links, for those in the second lane
 * then do not cover the ring, and not where they cross three.
 *
 * Tori of one to four dimensions, whose routes take them in order, need two lanes for each, and as
 * many for control, which goes back the other way: 4, 8, 12 and 16.
 *
 * Changed: until packets could change their lane only the lane per flow was here, and was held
 * against the claim: it differed over three links. The lock-up is now a result of our own. With
 * credits, one lane and two links there is none, which was a result of our own and now differs.
 */
import { Random } from '@weir/engine'
import { cubeCoordinates } from '@weir/fabric'
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

/** MB of each of the four flows; and how many rings with flows at random, of each flow control. */
const FLOW_MB = { quick: 1, full: 5 }
const RINGS = { quick: 6, full: 200 }
/** Smaller buffers than above, which flows of 200 KB fill. */
const RANDOM_CONTROLS = {
  PFC: { buffer: '2MB', flowControl: { kind: 'pfc', xoff: '20KB' } },
  credits: { switch: 'input-buffered', buffer: '8KB', flowControl: 'credits' },
} as const

/** Five servers in a ring, and three in those of other dimensions, whose ways are one link long. */
const TORI = [[5], [5, 3], [5, 3, 3], [5, 3, 3, 3]] as const

export const lanes: Figure = {
  id: 'lecture/lanes',
  title: 'A ring that locks up, with one lane, a lane per flow and a dateline',
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
      name: 'buffers that fill',
      without: ({ fabric }) =>
        fabric.flowControl.kind === 'credits' ? ['fabric.buffer=10MB'] : [],
      breaks: [
        'credits, one lane, flows over 3',
        'credits, one lane, random',
        ...TORI.map((dimensions) => `credits, ${torusWords(dimensions)}, one of them`),
      ],
    },
    {
      name: 'the dateline',
      without: ({ fabric }) => (fabric.lanes.kind === 'none' ? [] : ['fabric.lanes=none']),
      breaks: [
        'PFC, a dateline, flows over 2',
        'PFC, a dateline, flows over 3',
        'PFC, a dateline, random',
        'credits, a dateline, flows over 3',
        'credits, a dateline, random',
        ...TORI.map((dimensions) => `credits, ${torusWords(dimensions)}, datelines`),
      ],
    },
  ],
  reproduce,
}

type Lanes = 'one lane' | 'a lane per flow' | 'a dateline'

interface Case {
  readonly control: ControlName
  readonly lanes: Lanes
  /** Links of the ring that each flow crosses. */
  readonly links: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const cases = CONTROL_NAMES.flatMap((control): Case[] =>
    (['one lane', 'a lane per flow', 'a dateline'] as const).flatMap((one) => [
      { control, lanes: one, links: 2 },
      { control, lanes: one, links: 3 },
    ]),
  )
  const results = await Promise.all(
    cases.map((one) => context.simulate(specOf(one, FLOW_MB[context.size]))),
  )
  context.progress(0.2, 'rings')
  const random = await Promise.all(CONTROL_NAMES.map((control) => randomChecks(context, control)))
  const tori = await Promise.all(TORI.map((dimensions) => torusChecks(context, dimensions)))
  const delivered = results.map(
    ({ flows }) => flows.deliveredBytes.reduce((sum, bytes) => sum + bytes, 0) / 1e6,
  )
  return {
    checks: [...cases.map((one, i) => checkOf(one, results[i]!)), ...random.flat(), ...tori.flat()],
    plots: [
      {
        title: `Delivered before the ring locks up, if it does, of ${4 * FLOW_MB[context.size]} MB`,
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
    draws: 'nothing random',
    notes: [
      `Four flows of ${FLOW_MB[context.size]} MB, clockwise around four switches. With a ` +
        'dateline packets go on in the second lane from the link between S3 and S0 on; with a ' +
        'lane per flow, flows that cross it have the second one all along their way.',
      'Random: rings of 3 to 6 switches, two flows of 200 KB from each, either way round, over ' +
        'any number of links up to one less than the ring has.',
      'Tori: every server sends 200 KB to the server two hops further in the first dimension, ' +
        'and 200 KB to the one that is also one hop further in all others.',
    ],
  }
}

const wordsOf = (one: Case): string => `${one.lanes}, flows over ${one.links}`

function checkOf(one: Case, { ended }: Result): Check {
  const isLocked = ended.why === 'deadlock'
  const name = `${one.control}, ${wordsOf(one)} links: locked up`
  const unit = '1 yes, 0 no'
  const measured = isLocked ? 1 : 0
  if (one.control === 'credits' && one.links === 2) {
    // Where one lane does not lock up, two lanes that do not either show nothing.
    if (one.lanes === 'one lane') return holds(name, 'deadlocks', measured, isLocked, unit, LUCK)
    const why = 'no test of these lanes: the same flows do not lock up with one lane either'
    return ours(name, measured, unit, why)
  }
  if (one.lanes === 'a lane per flow') {
    const why = one.links === 3 ? 'the three flows of the second lane cover the ring' : ''
    return ours(name, measured, unit, why)
  }
  return one.lanes === 'one lane'
    ? holds(name, 'deadlocks', measured, isLocked, unit)
    : holds(name, FREE, measured, !isLocked, unit)
}

const LUCK = 'by luck: outputs serve inputs in turn, and these four flows never all wait'

const FREE = 'free of deadlock, whatever the flows'

/** Rings with flows at random: with one lane some lock up, with a dateline none does. */
async function randomChecks(context: FigureContext, control: ControlName): Promise<Check[]> {
  const count = RINGS[context.size]
  const locked = async (kind: 'none' | 'dateline'): Promise<number> => {
    const specs = Array.from({ length: count }, (_, n) => randomRing(control, n, kind))
    const results = await Promise.all(specs.map((spec) => context.simulate(spec)))
    return results.filter(({ ended }) => ended.why === 'deadlock').length
  }
  const [one, two] = [await locked('none'), await locked('dateline')]
  const name = (words: string): string => `${control}, ${words}, random flows: rings locked up`
  const draws = `${count} rings`
  return [
    { ...holds(name('one lane'), 'deadlocks (at least one)', one, one > 0, `of ${count}`), draws },
    { ...holds(name('a dateline'), FREE, two, two === 0, `of ${count}`), draws },
  ]
}

function torusWords(dimensions: readonly number[]): string {
  return `torus of ${dimensions.join(' x ')}, ${4 * dimensions.length} lanes`
}

/** Every server sends two on along the first dimension: with one lane that ring locks up. */
async function torusChecks(
  context: FigureContext,
  dimensions: readonly number[],
): Promise<Check[]> {
  const [one, many] = await Promise.all(
    (['none', 'dateline'] as const).map((kind) => context.simulate(torus(dimensions, kind))),
  )
  const isLocked = (result: Result): boolean => result.ended.why === 'deadlock'
  const check = (words: string, published: string, result: Result, isRight: boolean): Check =>
    holds(
      `credits, ${torusWords(dimensions)}, ${words}: locked up`,
      published,
      isLocked(result) ? 1 : 0,
      isRight,
      '1 yes, 0 no',
    )
  return [
    check('one of them', 'deadlocks', one!, isLocked(one!)),
    check('datelines', FREE, many!, many!.ended.why === 'completed'),
  ]
}

function torus(dimensions: readonly number[], lanes: 'none' | 'dateline'): ValidSpec {
  const servers = dimensions.reduce((product, size) => product * size, 1)
  const name = (at: readonly number[]): string => `h${at.join('.')}`
  const flows = Array.from({ length: servers }, (_, server) => {
    const at = cubeCoordinates(server, dimensions)
    const to = (step: number, others: number): string =>
      name(at.map((x, d) => (x + (d === 0 ? step : others)) % dimensions[d]!))
    return [to(2, 0), to(2, 1)].map((target) => ({ from: name(at), to: target, size: '200KB' }))
  })
  return validateSpec({
    name: `torus-${dimensions.join('-')}`,
    topology: { kind: 'torus', dimensions: [...dimensions], rate: '25Gbps', delay: '1us' },
    routing: 'dimension-order',
    fabric: { ...RANDOM_CONTROLS.credits, classes: 4 * dimensions.length, lanes },
    hosts: { dataClass: 0, ack: { class: 'control' } },
    workload: [{ flows: flows.flat() }],
    scheme: 'none',
    run: { until: '20ms' },
    metrics: { interval: 'none' },
  })
}

function randomRing(control: ControlName, n: number, kind: 'none' | 'dateline'): ValidSpec {
  const random = new Random(n, 'rings')
  const size = 3 + random.below(4)
  const flows = Array.from({ length: 2 * size }, (_, k) => {
    const from = k % size
    const links = 1 + random.below(size - 1)
    const step = random.below(4) === 0 ? size - 1 : 1
    const path = Array.from({ length: links + 1 }, (_, i) => (from + i * step) % size)
    return {
      from: `h${from}`,
      to: `h${path.at(-1)!}`,
      path: path.map((at) => `n${at}`),
      size: '200KB',
    }
  })
  return validateSpec({
    name: `random-ring-${n}`,
    topology: { kind: 'torus', dimensions: [size], rate: '25Gbps', delay: '1us' },
    fabric: { ...RANDOM_CONTROLS[control], lanes: kind },
    hosts: { dataClass: LANES[0] },
    workload: [{ flows }],
    scheme: 'none',
    run: { until: '10ms' },
    metrics: { interval: 'none' },
  })
}

/** Does a flow from this switch cross the dateline, from the last switch to the first? */
const isAcross = (from: number, links: number): boolean => from + links >= SWITCHES

/** What crosses the dateline, either way, goes on in the second lane. */
const DATELINE = {
  kind: 'by-link',
  changes: [
    { from: `S${SWITCHES - 1}`, to: 'S0', class: LANES[0], becomes: LANES[1] },
    { from: 'S0', to: `S${SWITCHES - 1}`, class: LANES[0], becomes: LANES[1] },
  ],
}

function specOf(one: Case, flowMb: number): ValidSpec {
  const ring = Array.from({ length: SWITCHES }, (_, i) => i)
  const at = (i: number): number => i % SWITCHES
  const isSecond = (i: number): boolean => one.lanes === 'a lane per flow' && isAcross(i, one.links)
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
    fabric: { ...CONTROLS[one.control], lanes: one.lanes === 'a dateline' ? DATELINE : 'none' },
    workload: [
      {
        flows: ring.map((i) => ({
          name: `f${i}`,
          from: `H${i}`,
          to: `H${at(i + one.links)}`,
          path: Array.from({ length: one.links + 1 }, (_, k) => `S${at(i + k)}`),
          size: `${flowMb}MB`,
          class: isSecond(i) ? LANES[1] : LANES[0],
        })),
      },
    ],
    scheme: 'none',
    run: { until: '20ms' },
    metrics: { interval: 'none' },
  })
}
