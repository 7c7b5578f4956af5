/**
 * The victim against its packet size, with and without congestion control.
 *
 * Gran et al. 2010, section V-A.1, fig. 9. Published: "an order of magnitude improvement in
 * throughput ... independent of the packet size", and with congestion control the throughput
 * "coincides" with that of an idle network.
 *
 * F1 is a process that sends messages of one size, at most 32 outstanding; each costs its host 0.4
 * us, so that small ones are bound by the rate of messages, as on any host. F2 to F5 send as in
 * fig. 7. Ours: 6 times at full packets, more at small ones, and what an idle network gives.
 */
import { inRange } from '../figure.ts'
import type { Check, Figure, FigureResult } from '../figure.ts'
import { bedWith, CITE, FITTED, withoutControl } from './testbed.ts'

const SIZES = [64, 256, 1024, 4096, 16_384, 65_536] as const
const WINDOW = 16

export const fig9: Figure = {
  id: 'infiniband/fig9',
  title: 'Throughput of the victim flow by packet size',
  cite: `${CITE}, section V-A.1, fig. 9`,
  claim:
    'The victim gains an order of magnitude at every packet size, and has what an idle net gives.',
  fitted: FITTED,
  switches: [withoutControl(['largest difference'])],
  async reproduce(context): Promise<FigureResult> {
    const bytes = context.size === 'full' ? 100e6 : 4e6
    const cases = ['idle', 'CC off', 'CC on'] as const
    const rates = await Promise.all(
      cases.map((how) =>
        Promise.all(
          SIZES.map(async (size) => {
            const rounds = Math.max(20, Math.ceil(Math.min(bytes, size * 3000) / size / WINDOW))
            const result = await context.simulate(bedWith('fig9', stream(how, size, rounds)))
            const report = result.messages?.[0]
            const at = (label: string): number =>
              report?.measures.find(({ name }) => name === label)?.value ?? NaN
            return (rounds * WINDOW * size * 8e3) / (at('end') - at('begin'))
          }),
        ),
      ),
    )
    context.progress(1, 'all sizes')
    const [idle, off, on] = rates as [number[], number[], number[]]
    const gains = on.map((rate, i) => rate / off[i]!)
    const losses = on.map((rate, i) => Math.abs(1 - rate / idle[i]!))
    return {
      checks: checksOf(gains, losses),
      plots: [
        {
          title: 'Fig. 9: the victim F1, without and with congestion control (CC)',
          kind: 'lines',
          x: { label: 'message size', unit: 'bytes', scale: 'log' },
          y: { label: 'throughput of F1', unit: 'Gb/s', scale: 'log' },
          curves: [
            ...cases.map((name, i) => ({ name, x: [...SIZES], y: rates[i]! })),
            {
              name: 'a tenth of our CC on, where the paper has CC off',
              x: [...SIZES],
              y: on.map((rate) => rate / 10),
              isExpected: true,
            },
          ],
        },
      ],
      draws: 'one seed',
      notes: [
        'Below 2,048 bytes a message is one packet; above it is cut into packets of the MTU.',
        "Dotted: the text's order of magnitude, a tenth of what control gives here; no picture " +
          'was read off.',
      ],
    }
  },
}

/** Two windows of messages are under way; the receiver answers each. */
function stream(how: 'idle' | 'CC off' | 'CC on', size: number, rounds: number): string {
  const contributors = `  - flows:
      - {name: F2, from: H2, to: H5}
      - {name: F3, from: H3, to: H5}
      - {name: F4, from: H6, to: H5}
      - {name: F5, from: H7, to: H5}
`
  const window = (line: string): string => `repeat ${WINDOW}\n${line}\nend\n`
  const program = `${window(`0 send 1 ${size}B`)}repeat ${rounds}
${window(`0 send 1 ${size}B`)}${window('1 recv 0')}1 send 0 8B\n0 recv 1
end
${window('1 recv 0')}`
  const marked = `0 mark begin\n${program}0 mark end`
  return `workload:
${how === 'idle' ? '' : contributors}  - messages:
      name: F1
      processes: [H1, H4]
      start: ${how === 'idle' ? '0us' : '60ms'}
      sendOverhead: 0.4us
      receiveOverhead: 0us
      program:
        kind: text
        text: ${JSON.stringify(marked)}
scheme: ${how === 'CC on' ? 'infiniband' : 'none'}
run: {until: 20s}
metrics: {interval: none}
`
}

function checksOf(gains: readonly number[], losses: readonly number[]): Check[] {
  const [least, most] = [Math.min(...gains), Math.max(...gains)]
  const listed = SIZES.map((size, i) => `${size} B ${gains[i]!.toFixed(1)}`).join(', ')
  return [
    inRange(
      'least gain over all sizes',
      'an order of magnitude',
      least,
      [10, 100],
      'times',
      `${listed}; at full packets fig. 7 itself has 13 to about 2 Gb/s, that is 6 times`,
    ),
    inRange(
      'largest gain over smallest',
      'independent of the packet size',
      most / least,
      [1, 1.25],
      'times',
      'a message of few bytes waits as long as one of many, so that small ones lose more',
    ),
    inRange(
      'largest difference from an idle network',
      'coincides',
      Math.max(...losses),
      [0, 0.02],
      '',
    ),
  ]
}
