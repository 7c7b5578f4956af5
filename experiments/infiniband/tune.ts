/**
 * Is Table I the best setting? A search over Table IV, by victim throughput and fairness together.
 *
 * Gran et al. 2010, section VII-B: "we were able to find a sweet spot for our test scenarios", by
 * hand. Here settings are drawn from the space of Table IV, the best ones are varied, and those
 * that then beat Table I are run again beside it with flows that start at other moments: what was
 * picked for being lucky does not last. Two numbers are kept of a run of scenario 1, transients
 * included: the throughput of F1 since the first contributor joined, and the unfairness, which is
 * the largest contributor's rate less the smallest's in the mean over the time in which all four
 * are active. A setting that starves the contributors is out: together they must have 98% of what
 * they have under Table I.
 *
 * An earlier form of this search took the variation of that difference (the document's Var, which
 * calls fair what is unfair for ever), looked only near Table I, at the settled part of one run a
 * setting; it found a fairer setting of equal victim throughput. It was replaced by this one, which
 * can find one better in both, or fail to.
 *
 * Whatever is found is our own result, not the document's: it is reported with its interval, and
 * agrees with nothing. What the document does say, that few settings are as good, is checked on
 * drawn settings alone, in full: the twelve of the quick size cannot tell how large a part is good.
 *
 * Changed after first results: the quick size judged that claim, on one of twelve.
 */
import { Random } from '@weir/engine'
import { inRange, needsFull, ours } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { CITE, CONTRIBUTORS, FITTED, mean, MS, ratesOf, scenario1, spreads } from './testbed.ts'
import { draw, TABLE_I, vary, words } from './tune-space.ts'
import type { Setting } from './tune-space.ts'

export interface Outcome {
  readonly setting: Setting
  readonly victim: number
  readonly unfairness: number
  /** What the contributors get together. */
  readonly sum: number
}

/** How much is searched: draws, then variations of the best, then runs of the finalists. */
interface Effort {
  readonly draws: number
  readonly variations: number
  readonly finalists: number
  readonly repeats: number
  readonly phasePs: number
  readonly toPs: number
}

const FULL: Effort = {
  ...{ draws: 160, variations: 80, finalists: 6, repeats: 5 },
  ...{ phasePs: 20 * MS, toPs: 300 * MS },
}
const QUICK: Effort = {
  ...{ draws: 12, variations: 2, finalists: 1, repeats: 2 },
  ...{ phasePs: 4 * MS, toPs: 36 * MS },
}

const AS_GOOD = 'drawn settings that do as well as Table I on victim and fairness together'

export const tune: Figure = {
  id: 'infiniband/tune',
  title: 'A search for settings better than Table I',
  cite: `${CITE}, section VII-B, tables I and IV`,
  claim: 'The set of parameter values that gives good performance is small.',
  fitted: FITTED,
  async reproduce(context): Promise<FigureResult> {
    const effort = context.size === 'full' ? FULL : QUICK
    const { tableI, found } = await search(context, effort)
    const best = bestOf(tableI, found, effort.finalists)
    const repeated = await repeat(context, [TABLE_I, ...best.map(({ setting }) => setting)], effort)
    const [tableIRuns, ...finals] = repeated as [Outcome[], ...Outcome[][]]
    const better = finals.filter((runs) => runs.every((run, i) => beats(run, tableIRuns[i]!)))
    const winner = better.sort((a, b) => unfairnessOf(a) - unfairnessOf(b))[0]
    return {
      checks: [
        spaceCheck(tableI, found.slice(0, effort.draws), context.size === 'full'),
        ...(winner === undefined ? [] : winnerResults(winner, tableIRuns)),
      ],
      plots: [
        {
          title: 'Settings by the throughput of the victim F1 and by their unfairness',
          kind: 'dots',
          x: { label: 'throughput of F1', unit: 'Gb/s' },
          y: { label: 'largest contributor less smallest', unit: 'Gb/s', scale: 'log' },
          curves: [
            dots('every setting tried, one run each', found),
            dots('better than Table I in each of its repeated runs', better.flat()),
            dots('Table I, its repeated runs', tableIRuns),
          ],
        },
      ],
      draws: `one seed per setting; ${effort.repeats} for finalists`,
      notes: [
        `${found.length} settings were run once, and ${finals.length} of them again beside ` +
          `Table I, ${effort.repeats} times, with other seeds and starts moved by up to 2 ms.`,
        `Flows join ${effort.phasePs / MS} ms apart and the means hold every start, in which the ` +
          'victim falls: Table I gives F1 less here than the 13 Gb/s of fig. 7(b), which leaves ' +
          'starts out.',
        ...(winner === undefined ? [NO_WINNER] : better.map((runs) => inWords(runs, tableIRuns))),
      ],
    }
  },
}

const NO_WINNER =
  'No finalist beat Table I in each of its runs: no evidence against its being on the Pareto front.'

/** Of settings drawn without regard to any other. */
export function spaceCheck(tableI: Outcome, drawn: readonly Outcome[], isFull: boolean): Check {
  const published = 'the set of parameter values that gives good performance is small'
  if (!isFull) {
    const why = `${drawn.length} settings are too few to tell how many are as good`
    return needsFull(AS_GOOD, published, why, 'of the settings')
  }
  const good = drawn.filter((one) => isAsGood(one, tableI)).length / drawn.length
  const draws = `${drawn.length} settings`
  return { ...inRange(AS_GOOD, published, good, [0, 0.25], 'of the settings'), draws }
}

function winnerResults(winner: readonly Outcome[], tableI: readonly Outcome[]): Check[] {
  const note = words(winner[0]!.setting)
  return [
    ours(
      'F1 under the best setting, less F1 under Table I',
      winner.map(({ victim }, i) => victim - tableI[i]!.victim),
      'Gb/s',
      note,
    ),
    ours(
      'unfairness of that setting to that of Table I',
      winner.map(({ unfairness }, i) => unfairness / tableI[i]!.unfairness),
      'times',
      note,
    ),
  ]
}

function inWords(runs: readonly Outcome[], tableI: readonly Outcome[]): string {
  const beside = (of: (outcome: Outcome) => number): string =>
    `${mean(runs.map(of)).toFixed(2)} Gb/s against ${mean(tableI.map(of)).toFixed(2)}`
  return (
    `${words(runs[0]!.setting)}: better in both in each of ${runs.length} runs. F1 has ` +
    `${beside(victimOf)}, the contributors ${beside(({ sum }) => sum)}, with an unfairness of ` +
    `${beside(({ unfairness }) => unfairness)}.`
  )
}

const victimOf = ({ victim }: Outcome): number => victim

function unfairnessOf(runs: readonly Outcome[]): number {
  return mean(runs.map(({ unfairness }) => unfairness))
}

/** Better in both, and the contributors do not pay for it. */
function beats(a: Outcome, b: Outcome): boolean {
  return a.victim > b.victim && a.unfairness < b.unfairness && a.sum >= 0.98 * b.sum
}

/** No worse in either, to a hundredth. */
function isAsGood(a: Outcome, b: Outcome): boolean {
  const isFair = a.unfairness <= 1.01 * b.unfairness
  return a.victim >= 0.99 * b.victim && isFair && a.sum >= 0.98 * b.sum
}

async function search(
  context: FigureContext,
  effort: Effort,
): Promise<{ tableI: Outcome; found: Outcome[] }> {
  const random = new Random(5, 'infiniband.tune')
  const all = effort.draws + effort.variations + 2
  let done = 0
  const run = (setting: Setting): Promise<Outcome> =>
    measure(context, setting, effort, 0).then((outcome) => {
      context.progress((0.8 * ++done) / all, words(setting))
      return outcome
    })
  const drawn = Array.from({ length: effort.draws }, () => draw(random))
  const [tableI, ...first] = (await Promise.all([TABLE_I, ...drawn].map(run))) as [
    Outcome,
    ...Outcome[],
  ]
  const parents = [tableI, ...bestOf(tableI, first, 6)]
  const varied = Array.from({ length: effort.variations }, (_, i) =>
    vary(parents[i % parents.length]!.setting, random),
  )
  return { tableI, found: [...first, ...(await Promise.all(varied.map(run)))] }
}

/** Those that lose least against Table I in one of the two and gain most in the other. */
function bestOf(tableI: Outcome, outcomes: readonly Outcome[], count: number): Outcome[] {
  const gain = ({ victim, unfairness }: Outcome): number =>
    Math.min(victim / tableI.victim - 1, 0.1 * (1 - unfairness / tableI.unfairness))
  return outcomes
    .filter(({ sum }) => sum >= 0.98 * tableI.sum)
    .sort((a, b) => gain(b) - gain(a))
    .slice(0, count)
}

async function repeat(
  context: FigureContext,
  settings: readonly Setting[],
  effort: Effort,
): Promise<Outcome[][]> {
  let done = 0
  const all = settings.length * effort.repeats
  return Promise.all(
    settings.map((setting) =>
      Promise.all(
        Array.from({ length: effort.repeats }, async (_, i) => {
          const outcome = await measure(context, setting, effort, i + 1)
          context.progress(0.8 + (0.2 * ++done) / all, `again: ${words(setting)}`)
          return outcome
        }),
      ),
    ),
  )
}

/** `starts`: which moments flows start at; 0 is on time. */
async function measure(
  context: FigureContext,
  setting: Setting,
  { phasePs, toPs }: Effort,
  starts: number,
): Promise<Outcome> {
  const random = new Random(starts, 'infiniband.tune.starts')
  const late = (): number => (starts === 0 ? 0 : random.below(2 * MS))
  const result = await context.simulate(
    scenario1({
      scheme: 'infiniband',
      phasePs,
      intervalPs: phasePs / 4,
      settings: [
        ...CONTRIBUTORS.map(
          (_, i) => `workload.0.flows.${i + 1}.start=${(i + 1) * phasePs + late()}ps`,
        ),
        `run.until=${toPs}ps`,
        `seed=${starts + 1}`,
        `scheme.params.threshold=${setting.threshold}`,
        `scheme.params.markingRate=${setting.markingRate}`,
        `scheme.params.cctiIncrease=${setting.cctiIncrease}`,
        `scheme.params.cctiTimer=${setting.cctiTimerUs}us`,
        'scheme.params.cct=formula',
        `scheme.params.cctDivisor=${setting.divisor}`,
      ],
    }),
  )
  const rates = CONTRIBUTORS.map((flow) => ratesOf(result, flow, 4 * phasePs + 2 * MS, toPs))
  return {
    setting,
    victim: mean(ratesOf(result, 'F1', phasePs, toPs)),
    unfairness: mean(spreads(rates)),
    sum: rates.reduce((total, values) => total + mean(values), 0),
  }
}

function dots(
  name: string,
  outcomes: readonly Outcome[],
): { name: string; x: number[]; y: number[] } {
  return {
    name,
    x: outcomes.map(({ victim }) => victim),
    y: outcomes.map(({ unfairness }) => unfairness),
  }
}
