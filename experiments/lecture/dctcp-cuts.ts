/**
 * DCTCP's window cuts: the two rows of marks that the lecture works through.
 *
 * Trivedi 2019, "DCTCP vs TCP Example": ACKs 0110001001 (4 of 10 marked), cut by 40%; 0000000001 (1
 * of 10), cut by 10%; TCP by 50% both times. These cuts are F itself, and so is alpha if the same
 * window repeats; the equation on the slide before, and the paper's (SIGCOMM 2010, Eq. 2), cut by
 * alpha / 2: 20% and 5%. The lecture's table took the slide of the paper's talk, where 8 of 10
 * marked ACKs cut by 40% and 1 of 10 by 5%. Both readings are driven through the same code: `cut` =
 * 1 and 1/2.
 */
import { Random } from '@weir/engine'
import { Telemetry } from '@weir/fabric'
import type { Ack, FlowContext } from '@weir/fabric'
import { dctcp, resolveParams, tcpReno } from '@weir/schemes'
import type { ParamValue, Scheme } from '@weir/schemes'
import { within } from '../figure.ts'
import type { Figure, FigureResult } from '../figure.ts'

const MSS = 1460
const ROUNDING = 1e-9

export const dctcpCuts: Figure = {
  id: 'lecture/dctcp-cuts',
  title: 'DCTCP: how far a window is cut for a row of marks',
  cite: 'Trivedi 2019, "DCTCP vs TCP Example"; SIGCOMM 2010, Eq. 1 and 2',
  claim: 'TCP halves its window for any mark; DCTCP cuts in proportion to the marks.',
  switches: [
    {
      name: 'the estimate of the marked fraction (g = 0)',
      reproduce: () => Promise.resolve(reproduce({ g: 0 }, true)),
      breaks: ['DCTCP'],
    },
    {
      name: 'marks',
      reproduce: () => Promise.resolve(reproduce({}, false)),
      breaks: ['DCTCP', 'TCP'],
    },
  ],
  reproduce: () => Promise.resolve(reproduce({}, true)),
}

/** With these parameters of DCTCP in place of a row's own, and with marks or without. */
function reproduce(ofDctcp: Given, hasMarks: boolean): FigureResult {
  const few = '0000000001'
  const some = '0110001001'
  const talk = '1011110111'
  const lecture = { g: 1, cut: 1, ...ofDctcp }
  const paper = { g: 1, ...ofDctcp }
  const tcp = { ecn: true }
  const note = 'alpha = F (g = 1), and the cut is alpha, as in the table'
  const halved = 'alpha = F (g = 1), and the cut is alpha / 2, as in the equation'
  const rows: readonly (readonly [string, Scheme, Given, string, number, string])[] = [
    [`DCTCP, table, ${some}`, dctcp, lecture, some, 40, note],
    [`DCTCP, table, ${few}`, dctcp, lecture, few, 10, note],
    [`TCP, ${some}`, tcpReno, tcp, some, 50, ''],
    [`TCP, ${few}`, tcpReno, tcp, few, 50, ''],
    [`DCTCP, equation, ${some}`, dctcp, paper, some, 20, halved],
    [`DCTCP, equation, ${few}`, dctcp, paper, few, 5, halved],
    [`DCTCP, the paper's talk, ${talk}`, dctcp, paper, talk, 40, halved],
  ]
  const checks = rows.map(([name, scheme, given, marks, published, why]) =>
    within(
      name,
      published,
      100 * cutFor(scheme, given, hasMarks ? marks : '0000000000'),
      ROUNDING,
      '%',
      why,
    ),
  )
  return {
    checks,
    plots: [
      {
        title: 'Cut of the window, for a row of marks',
        kind: 'bars',
        x: { label: 'rule and marks', unit: '' },
        y: { label: 'cut', unit: '%' },
        curves: [
          { name: 'ours', x: rows.map(([name]) => name), y: checks.map((c) => c.measured) },
          {
            name: 'published',
            x: rows.map(([name]) => name),
            y: rows.map((row) => row[4]),
            isPublished: true,
          },
        ],
      },
    ],
    draws: 'nothing random',
    notes: [
      "The lecture's table and its equation differ by a factor of two: the table cuts by F, the " +
        'equation (and the paper, and RFC 8257) by alpha / 2. The scheme follows the equation; ' +
        'its preset `lecture` follows the table.',
    ],
  }
}

type Given = Partial<Record<string, ParamValue>>

/**
 * The same window of ten ACKs, over and over; the largest cut at one ACK once alpha has settled.
 */
function cutFor(scheme: Scheme, given: Given, marks: string): number {
  // So wide a window that no cut meets its floor, and that it does not grow: it is never full.
  const wide = { initialWindow: 1e5, ...given }
  const control = scheme.create(resolveParams(scheme.params, undefined, wide), {
    mtuBytes: MSS,
    packetBytes: MSS + 78,
    hostRateBps: 1e9,
    linkRateBps: 1e9,
    telemetry: new Telemetry(),
    random: (name) => new Random(1, name),
    nodes: 2,
    bufferBytes: 1e6,
    classes: 8,
    hostNames: [],
    graph: { nodes: [], links: [] },
    routing: { kind: 'shortest-path' },
  })
  const reaction = control.reaction(fakeFlow())
  let cut = 0
  for (let acked = 1; acked <= 40; acked++) {
    const before = reaction.observe(0)
    reaction.onAck(ackOf(acked, marks[(acked - 1) % 10] === '1'), 0)
    if (acked > 20) cut = Math.max(cut, 1 - reaction.observe(0) / before)
  }
  return cut
}

/** Ten packets are in flight, so that a window is ten ACKs. */
function ackOf(acked: number, marked: boolean): Ack {
  return {
    bytes: MSS,
    acked,
    next: acked + 9,
    marked,
    rttPs: 100e6,
    hostDelayPs: 0,
    inflightBytes: 9 * MSS,
    telemetry: -1,
    duplicates: 0,
    recovery: 'none',
  }
}

function fakeFlow(): FlowContext {
  return {
    flow: 0,
    source: 0,
    target: 1,
    class: 0,
    lineRateBps: 1e9,
    longestRttPs: 100e6,
    baseRttPs: 100e6,
    hops: 1,
    mtuBytes: MSS,
    packetBytes: MSS + 78,
    sizeBytes: Infinity,
    weight: 1,
    random: new Random(1, 'cuts'),
    inflightBytes: 9 * MSS,
    flightBytes: 9 * MSS,
    unsentBytes: Infinity,
    setTimer: () => undefined,
    cancelTimer: () => undefined,
    sendControl: () => undefined,
    wake: () => undefined,
  }
}
