/**
 * The parameter space: CCTI_Timer by Marking_Rate.
 *
 * Gran et al. 2010, section VII, figs. 11, 12 and 14, all of scenario 1 with five flows. Published:
 * the victim suffers below about 150 us whatever the Marking_Rate; higher timers make it less
 * sensitive to the Marking_Rate, until PCIe bounds it (fig. 11); the contributors' mean hardly
 * varies, even at 2,000 us (fig. 12); a large part of the space is unfair, and low timers are best
 * (fig. 14). Ours: the edge is at 150 us (becnEvery was fitted to it) where the Marking_Rate is
 * low; see the checks.
 *
 * Changed after first results: fig. 14 was first run for as short a time as the others, in which a
 * slow timer cannot show how slowly it settles; it now runs for the paper's second. Its bound of
 * twice Table I's Var was 1.5 for a while. 'Suffers below about 150 us' was judged at 75 us and
 * less, and is now judged at 125 too. The edge itself, and the victim at 125 and 150 us with
 * Table I's Marking_Rate, which say where it is, agreed; a BECN for 20 packets was fitted to it.
 */
import { drawn, holds, inRange, needsFull, seedsOf } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult, Switch } from '../figure.ts'
import { CITE, CONTRIBUTORS, FITTED, fittedCheck, mean, MS, ratesOf } from './testbed.ts'
import { scenario1, spreads, variance, withoutControl } from './testbed.ts'

/** The Marking_Rate that is called low: Table I's and less; and one that is high. */
const LOW_RATE = 1
const HIGH_RATE = 10
/** The victim has what PCIe gives, to 2%: it does not suffer. */
const FREE = 0.98 * 13

interface Point {
  readonly timerUs: number
  readonly markingRate: number
  readonly victim: number
  readonly contributors: number
  readonly treatment: number
}

type Height = 'victim' | 'contributors' | 'treatment'

export const fig11: Figure = surface(
  'fig11',
  'Victim throughput over CCTI_Timer and Marking_Rate',
  'Below about 150 us the congestion tree forms whatever the Marking_Rate; above, the victim ' +
    'is free.',
  'victim',
  { label: 'mean throughput of F1', unit: 'Gb/s' },
  victimChecks,
  [
    withoutControl(['worst victim', 'victim at 2,000 us']),
    {
      name: 'the difference of timers',
      without: () => ['scheme.params.cctiTimer=300us'],
      breaks: ['best victim at 125 us', 'what Marking_Rate'],
    },
  ],
)

export const fig12: Figure = surface(
  'fig12',
  'Throughput of the contributors over CCTI_Timer and Marking_Rate',
  'The contributors use the congested link fully, even with a timer of 2,000 us.',
  'contributors',
  { label: 'mean throughput of F2 to F5', unit: 'Gb/s' },
  contributorChecks,
  [
    {
      name: 'small steps (CCTI_Increase 1)',
      without: () => ['scheme.params.cctiIncrease=20'],
      breaks: ['contributors, largest', 'contributors at 2,000 us'],
    },
  ],
)

export const fig14: Figure = surface(
  'fig14',
  'Treatment variation Var over CCTI_Timer and Marking_Rate',
  'A large part of the space is unfair and unstable; fairness is best with a low timer.',
  'treatment',
  { label: 'Var', unit: '(Gb/s)^2' },
  treatmentChecks,
  [
    {
      name: 'the difference of timers',
      without: () => ['scheme.params.cctiTimer=150us'],
      breaks: ['Var at 2,000 us'],
    },
  ],
)

const VAR_NOTE =
  'Var measures change: a setting that is unfair for ever, such as a timer of 25 us under which ' +
  'no control takes hold, has a Var of 0.'

function surface(
  item: string,
  title: string,
  claim: string,
  height: Height,
  z: { label: string; unit: string },
  checksOf: (points: readonly Point[], context: FigureContext) => Check[] | Promise<Check[]>,
  switches: readonly Switch[],
): Figure {
  return {
    id: `infiniband/${item}`,
    title,
    cite: `${CITE}, section VII, fig. ${item.slice(3)}`,
    claim,
    fitted: FITTED,
    switches,
    async reproduce(context): Promise<FigureResult> {
      const points = await explore(context, height)
      return {
        checks: await checksOf(points, context),
        plots: [
          {
            title: `Fig. ${item.slice(3)}: ${title.split(' over ')[0]!}`,
            kind: 'surface',
            x: { label: 'CCTI_Timer', unit: 'us', scale: 'log' },
            y: { label: 'Marking_Rate', unit: 'packets' },
            z,
            curves: [
              {
                name: z.label,
                x: points.map(({ timerUs }) => timerUs),
                y: points.map(({ markingRate }) => markingRate),
                z: points.map((point) => point[height]),
              },
              ...publishedOf(height),
            ],
          },
        ],
        draws: 'one seed per point',
        notes: [
          'Flows join 2 to 20 ms apart, not 1 s, so that there is time for more settings; all ' +
            'five are then active for 42 ms (quick) or 420 ms (full), and for fig. 14 for ' +
            '200 ms or ' +
            'the 1 s of the paper.',
          ...(height === 'treatment' ? [VAR_NOTE] : []),
        ],
      }
    },
  }
}

/** Which points to run, and for how long all five flows are active. */
interface Plan {
  readonly timers: readonly number[]
  readonly rates: readonly number[]
  /** Flows join quickly, so far apart; the paper has 1 s. */
  readonly phasePs: number
  readonly toPs: number
}

const FULL_TIMERS = [10, 25, 50, 75, 100, 125, 150, 200, 300, 500, 1000, 1500, 2000]
const FULL_RATES = [0, 1, 2, 5, 10, 20, 40, 80]

/** How fast a slow timer settles shows in a second, as in the paper, and not in less. */
function planOf(height: Height, isFull: boolean): Plan {
  if (height === 'treatment') {
    return isFull
      ? { timers: FULL_TIMERS, rates: FULL_RATES, phasePs: 20 * MS, toPs: 1080 * MS }
      : { timers: [150, 600, 2000], rates: [1], phasePs: 10 * MS, toPs: 240 * MS }
  }
  return isFull
    ? { timers: FULL_TIMERS, rates: FULL_RATES, phasePs: 20 * MS, toPs: 500 * MS }
    : { timers: [75, 100, 125, 150, 300, 2000], rates: [0, 1, 10], phasePs: 2 * MS, toPs: 50 * MS }
}

/** What the text gives of a surface in numbers: the victim is bound by PCIe, 13 Gb/s. */
function publishedOf(height: Height): Curve[] {
  if (height !== 'victim') return []
  return [{ name: 'mean throughput of F1', x: [150], y: [LOW_RATE], z: [13], isPublished: true }]
}

async function explore(context: FigureContext, height: Height): Promise<Point[]> {
  const plan = planOf(height, context.size === 'full')
  const { timers, rates } = plan
  const places = timers.flatMap((timerUs) => rates.map((markingRate) => ({ timerUs, markingRate })))
  let done = 0
  return Promise.all(
    places.map(async ({ timerUs, markingRate }) => {
      const point = await pointOf(context, plan, timerUs, markingRate, 1)
      context.progress(++done / places.length, `${timerUs} us, Marking_Rate ${markingRate}`)
      return point
    }),
  )
}

async function pointOf(
  context: FigureContext,
  { phasePs, toPs }: Plan,
  timerUs: number,
  markingRate: number,
  seed: number,
): Promise<Point> {
  const fromPs = 4 * phasePs
  const settledPs = (fromPs + toPs) / 2
  const result = await context.simulate(
    scenario1({
      scheme: 'infiniband',
      phasePs,
      intervalPs: phasePs / 2,
      settings: [
        `run.until=${toPs}ps`,
        `scheme.params.cctiTimer=${timerUs}us`,
        `scheme.params.markingRate=${markingRate}`,
        `seed=${seed}`,
      ],
    }),
  )
  const contributors = CONTRIBUTORS.map((flow) => ratesOf(result, flow, fromPs, toPs))
  const settled = (flow: string): number => mean(ratesOf(result, flow, settledPs, toPs))
  return {
    timerUs,
    markingRate,
    victim: settled('F1'),
    contributors: mean(CONTRIBUTORS.map(settled)),
    treatment: variance(spreads(contributors)),
  }
}

/** The same point with other seeds. */
function again(
  context: FigureContext,
  height: Height,
  timerUs: number,
  markingRate: number,
): Promise<number[]> {
  const plan = planOf(height, context.size === 'full')
  return Promise.all(
    seedsOf(context).map(
      async (seed) => (await pointOf(context, plan, timerUs, markingRate, seed))[height],
    ),
  )
}

function pick(points: readonly Point[], height: Height, isIn: (point: Point) => boolean): number[] {
  return points.filter(isIn).map((point) => point[height])
}

const EDGE = 'a BECN for 20 packets is fitted to this edge'

async function victimChecks(points: readonly Point[], context: FigureContext): Promise<Check[]> {
  const at = (timerUs: number, isIn: (rate: number) => boolean): number[] =>
    pick(points, 'victim', (p) => p.timerUs === timerUs && isIn(p.markingRate))
  const isLow = (rate: number): boolean => rate <= LOW_RATE
  const timers = [...new Set(points.map(({ timerUs }) => timerUs))]
  const edge = timers.find((timerUs) => Math.min(...at(timerUs, isLow)) >= FREE) ?? Infinity
  const below = Math.max(...pick(points, 'victim', (p) => p.timerUs <= 125))
  const from = Math.min(...pick(points, 'victim', (p) => p.timerUs >= 150 && isLow(p.markingRate)))
  /** What a high Marking_Rate costs the victim. */
  const cost = (timerUs: number): number =>
    Math.min(...at(timerUs, isLow)) - Math.min(...at(timerUs, (rate) => rate === HIGH_RATE))
  const [before, after, slow] = await Promise.all([
    again(context, 'victim', 125, 1),
    again(context, 'victim', 150, 1),
    again(context, 'victim', 2000, HIGH_RATE),
  ])
  const suffers = 'suffers below approximately 150 us, no matter the Marking_Rate'
  return [
    fittedCheck(
      inRange(
        'smallest timer of the sweep with a free victim, Marking_Rate 0 and 1',
        'approximately 150 us',
        edge,
        [140, 160],
        'us',
      ),
      EDGE,
    ),
    fittedCheck(
      drawn('victim at 125 us, Marking_Rate 1', suffers, before, [0, FREE], 'Gb/s'),
      EDGE,
    ),
    inRange('best victim at 125 us or less, any Marking_Rate', suffers, below, [0, FREE], 'Gb/s'),
    fittedCheck(
      drawn(
        'victim at 150 us, Marking_Rate 1',
        'limited by PCIe: 13 Gb/s',
        after,
        [FREE, 1.02 * 13],
        'Gb/s',
      ),
      EDGE,
    ),
    inRange(
      'worst victim from 150 us on, Marking_Rate 0 and 1',
      'limited by PCIe: 13 Gb/s',
      from,
      [FREE, 1.02 * 13],
      'Gb/s',
    ),
    holds(
      `what Marking_Rate ${HIGH_RATE} costs the victim at 150 us, over that at 2,000 us`,
      'keeping it low becomes particularly important with a low timer; less sensitive with a high',
      cost(150) - cost(2000),
      cost(150) > 0.02 * 13 && cost(2000) < cost(150),
      'Gb/s',
      `${hundredths(cost(150))} Gb/s at 150 us, ${hundredths(cost(2000))} at 2,000`,
    ),
    drawn(
      `victim at 2,000 us, Marking_Rate ${HIGH_RATE}`,
      'the HOL blocking is removed even with less BECNs',
      slow,
      [FREE, 1.02 * 13],
      'Gb/s',
    ),
  ]
}

function contributorChecks(points: readonly Point[]): Check[] {
  const area = pick(points, 'contributors', (p) => p.timerUs >= 150 && p.markingRate <= HIGH_RATE)
  const spread = Math.max(...area) / Math.min(...area) - 1
  const slow = pick(points, 'contributors', (p) => p.timerUs === 2000 && p.markingRate <= HIGH_RATE)
  return [
    inRange(
      'contributors, largest mean over smallest less 1, from 150 us and to Marking_Rate 10',
      'vary very little',
      spread,
      [0, 0.05],
      '',
    ),
    inRange(
      'contributors at 2,000 us, the least: share of what H5 takes (13.7)',
      'able to utilize the congested link',
      (4 * Math.min(...slow)) / 13.7,
      [0.95, 1.01],
      '',
    ),
  ]
}

async function treatmentChecks(points: readonly Point[], context: FigureContext): Promise<Check[]> {
  const [tableI, slow] = await Promise.all([
    again(context, 'treatment', 150, LOW_RATE),
    again(context, 'treatment', 2000, LOW_RATE),
  ])
  const ratios = slow.map((value, i) => value / tableI[i]!)
  const part = 'a large part of the parameter space'
  const share = 'share of the space with more than twice the Var of Table I'
  const unfair = points.filter(({ treatment }) => treatment > 2 * mean(tableI)).length
  return [
    drawn(
      'Var at 2,000 us to that of Table I',
      'performs best when the timer is kept low',
      ratios,
      [1.05, Infinity],
      'times',
      'agrees if larger than 1.05; the text does not say by how much, and no picture was read off',
    ),
    context.size === 'full'
      ? inRange(
          share,
          part,
          unfair / points.length,
          [0.25, 0.9],
          '',
          'a quarter is our word for it',
        )
      : needsFull(share, part, 'three settings were run, too few to tell a part of the space'),
  ]
}

/** Without the sign of what rounds to zero. */
function hundredths(value: number): string {
  return (Math.round(100 * value) / 100 + 0).toFixed(2)
}
