/**
 * QCN and DCQCN on the parking lot: do flows with two bottlenecks pay twice?
 *
 * ACCurate, section III-A and Fig. 3: two remote flows and a local one end at H4.
 * Published: with lossless TCP 'the remote flows get almost 2x lower bandwidth'; 'DCQCN and QCN
 * also experience similar problems, because the remote flows, facing two bottlenecks, can receive
 * two times more congestion notifications'. No numbers are given for the two.
 *
 * Ours: with the document's own input buffers of 2,500 B neither scheme ever acts, for a queue
 * cannot reach their thresholds: back-pressure alone shares, two to one. With buffers in which they
 * can act the remote flows lose under QCN, by chance of sampling, and hardly under DCQCN: at a
 * third of the link each, the link that the remote flows share is two thirds full, so there is one
 * bottleneck, not two, once the start is over.
 *
 * Changed after first results: what both do in 2,500 B, nothing, counted as agreement; 'similar
 * problems' was anything above 1.2 times, and then 1.5 to 2.2, by a reading of its own; it is that
 * of `accurate/fig3` now. Back-pressure alone counted as agreement at 2.00: the sentence is of
 * lossless TCP, and the paper has nothing about PAUSE alone on this network.
 */
import { mean, meanInterval } from '@weir/metrics'
import { loadSpec, scenarioByName } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { drawsOf, ours, seedsOf } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult, Range } from '../figure.ts'
import { ALMOST_TWICE } from '../accurate/almost-twice.ts'
import { decided } from '../theory/decided.ts'

/** The document's buffer of an input, and one in which the thresholds of both schemes fit. */
const BUFFERS = ['2500B', '256KB'] as const
const SCHEMES = ['none', 'qcn', 'dcqcn'] as const
const WORDS: Readonly<Record<(typeof BUFFERS)[number] | (typeof SCHEMES)[number], string>> = {
  ...{ '2500B': '2.5 KB', '256KB': '256 KB' },
  ...{ none: 'back-pressure alone', qcn: 'QCN', dcqcn: 'DCQCN' },
}
const FLOWS = ['f1', 'f2', 'f3']
const ROLES = ['remote', 'remote', 'local']

export const qcnDcqcnParkingLot: Figure = {
  id: 'lecture/qcn-dcqcn-parking-lot',
  title: 'QCN and DCQCN on the parking lot',
  cite: 'Karampelas et al. (ACCurate), section III-A and Fig. 3',
  claim: 'Remote flows get almost half of what the local one gets, with QCN and DCQCN too.',
  claimant: 'The ACCurate paper',
  reproduce,
  switches: [
    {
      // By one seed of ten it agrees.
      name: 'QCN (ACCurate in its place)',
      without: ({ scheme }) => (scheme.name === 'qcn' ? ['scheme=accurate'] : []),
      breaks: ['local over remote, QCN, 256 KB'],
    },
  ],
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const until = context.size === 'full' ? '100ms' : '20ms'
  const seeds = seedsOf(context, 10)
  const cases = BUFFERS.flatMap((buffer) => SCHEMES.map((scheme) => ({ buffer, scheme })))
  const rates = await Promise.all(
    cases.map(async ({ buffer, scheme }) => {
      // Where no scheme acts nothing is drawn by chance: every seed, and every length, is the same.
      const isInert = scheme === 'none' || buffer === BUFFERS[0]
      const runs = (isInert ? [1] : seeds).map((seed) =>
        context.simulate(specOf(buffer, scheme, isInert ? '3ms' : until, seed)),
      )
      return (await Promise.all(runs)).map(ratesOf)
    }),
  )
  context.progress(1, 'all runs')
  const ratios = rates.map((runs) => runs.map((flows) => flows[2]! / mean(flows.slice(0, 2))))
  const ofFlow = (i: number, flow: number): number[] => rates[i]!.map((run) => run[flow]! / 1e9)
  return {
    checks: checksOf(context.size, ratios),
    plots: [
      {
        title: 'Rates on the parking lot: two remote flows and a local one',
        kind: 'bars',
        x: { label: 'scheme and input buffer', unit: '' },
        y: { label: 'throughput', unit: 'Gb/s' },
        curves: [
          ...FLOWS.map((name, flow) => ({
            name: `${name}, ${ROLES[flow]!}`,
            x: cases.map(({ buffer, scheme }) => `${WORDS[scheme]}, ${WORDS[buffer]}`),
            y: cases.map((_, i) => mean(ofFlow(i, flow))),
            half: cases.map((_, i) => meanInterval(ofFlow(i, flow)).half),
          })),
          ...FLOWS.map((name, flow) => expectedOf(name, ROLES[flow]!)),
        ],
      },
    ],
    draws: drawsOf(seeds),
    notes: [
      `Runs of ${until.replace('ms', ' ms')}, their later half.`,
      "Dotted: what 'almost 2x' would give on a full link; the paper has no numbers.",
      `'Almost 2x' is read as in accurate/fig3: less than twofold, ${rangeText(ALMOST_TWICE)}; ` +
        'that is our reading. The paper says it of lossless TCP, and nothing of PAUSE alone here.',
      'The scenario is the built-in parking-lot; three runs have a larger input buffer.',
    ],
  }
}

/** 'Almost 2x', drawn as twice, of a full link: payload is 240 of 256 B of 10 Gb/s. */
function expectedOf(name: string, role: string): Curve {
  const gbps = (name === 'f3' ? 5 : 2.5) * (240 / 256)
  const x = SCHEMES.map(
    (scheme) => `${WORDS[scheme]}, ${WORDS[BUFFERS[scheme === 'none' ? 0 : 1]]}`,
  )
  return { name: `${name}, ${role}`, x, y: x.map(() => gbps), isExpected: true }
}

function checksOf(size: FigureContext['size'], ratios: readonly (readonly number[])[]): Check[] {
  const [none, qcn, dcqcn, , qcnDeep, dcqcnDeep] = ratios
  const inert = 'the buffer is below its thresholds: it never acts, and back-pressure shares'
  const similar = 'similar problems: almost 2x lower'
  return [
    ours(
      'local over remote, back-pressure alone, 2.5 KB',
      none![0]!,
      'times',
      'each switch shares its output between two inputs',
    ),
    ours('local over remote, QCN, 2.5 KB', qcn![0]!, 'times', inert),
    ours('local over remote, DCQCN, 2.5 KB', dcqcn![0]!, 'times', inert),
    decided(
      size,
      'local over remote, QCN, 256 KB',
      similar,
      qcnDeep!,
      ALMOST_TWICE,
      'times',
      'by seed ' +
        `${qcnDeep!.map((times) => times.toPrecision(2)).join(', ')}: which flow is sampled is ` +
        'random, and remote flows are also sampled at the link that they share' +
        inRangeWords(qcnDeep!),
    ),
    decided(
      size,
      'local over remote, DCQCN, 256 KB',
      similar,
      dcqcnDeep!,
      ALMOST_TWICE,
      'times',
      'a receiver sends one CNP in 50 us however many switches mark, and at fair rates the ' +
        'shared link is two thirds full and marks nothing: we find no second penalty',
    ),
  ]
}

function rangeText([low, high]: Range): string {
  return `${low.toFixed(2)} to ${high.toFixed(2)}`
}

/** A mean out of the range says little where single draws are on both sides of it. */
function inRangeWords(values: readonly number[]): string {
  if (values.length < 2) return ''
  const [low, high] = ALMOST_TWICE
  const inside = values.filter((times) => times >= low && times <= high).length
  return `; ${inside} of ${values.length} draws are in ${rangeText(ALMOST_TWICE)}`
}

function specOf(buffer: string, scheme: string, until: string, seed: number): ValidSpec {
  const { name, text } = scenarioByName('parking-lot')!
  const settings = [`fabric.buffer=${buffer}`, `scheme=${scheme}`, `run.until=${until}`]
  settings.push(`seed=${seed}`)
  return loadSpec({ text, sourceName: name, files: () => undefined, settings })
}

/** Of each flow over the later half. */
function ratesOf({ series }: Result): number[] {
  return FLOWS.map((flow) => {
    const { values } = series.find(({ name }) => name === `rate.${flow}`)!
    return mean(values.slice(Math.floor(values.length / 2)))
  })
}
