/**
 * Which of ns-3's choices is it at which a network's flows part? The one whose mending alone takes
 * the first packet that differs away. All that follows in that network follows from that packet, so
 * each of its flows that is not within the noise is counted there.
 */
import type { PeerInput } from './input.ts'
import { traceNs3 } from './ns3.ts'
import { ns3Trace, weirTrace } from './trace.ts'

const TCP = [
  'threshold',
  'growth',
  'unfilled',
  'backoff',
  'samples',
  'ended',
  'short',
  'queue',
  'ties',
]
const RENO = ['guesses', 'recover', 'full-ack', ...TCP]
const SACK = ['sack-size', 'partial', 'pipe', 'next-seg', 'full-ack', ...TCP]
const DCTCP = ['dctcp', ...RENO]

/**
 * In words: a mend, `a or b` if either does, `a and b` if it takes two, or `several`; beside what
 * is mended already. '': no packet differs.
 */
export function partingChoice(program: string, input: PeerInput): string {
  const atPs = firstDifferencePs(program, input, input.untilPs)
  if (atPs === Infinity) return ''
  const names = input.transport === 'dctcp' ? DCTCP : input.sack ? SACK : RENO
  const takesAway = (mends: readonly string[]): boolean =>
    firstDifferencePs(program, { ...input, mended: [input.mended, ...mends].join(',') }, atPs) >
    atPs
  const one = names.filter((name) => takesAway([name]))
  if (one.length > 0) return one.join(' or ')
  for (const a of names) {
    for (const b of names.slice(names.indexOf(a) + 1)) {
      if (takesAway([a, b])) return `${a} and ${b}`
    }
  }
  return 'several'
}

/** Infinity: every packet up to `untilPs` is the same. */
function firstDifferencePs(program: string, input: PeerInput, untilPs: number): number {
  // A run ends at a multiple of the shortest delay, and after its last flow has started.
  const shortestPs = Math.min(...input.links.map(({ delayPs }) => delayPs))
  const lastPs = Math.max(untilPs, ...input.flows.map(({ startPs }) => startPs))
  const until = Math.min(input.untilPs, lastPs + 2 * shortestPs)
  const short = { ...input, untilPs: until }
  const ours = weirTrace(short)
  const theirs = ns3Trace(short, traceNs3(program, short))
  const at = ours.findIndex((line, i) => line !== theirs[i])
  const first = at < 0 ? theirs[ours.length] : ours[at]
  const other = at < 0 ? undefined : theirs[at]
  const times = [first, other].map((line) => (line === undefined ? Infinity : parseInt(line)))
  const atPs = Math.min(...times)
  return atPs <= untilPs ? atPs : Infinity
}
