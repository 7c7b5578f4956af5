/** A fluid's course in words: its later half, what it uses of the link, whether it is at rest. */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type { Trajectory } from '@weir/theory'
import type { Question } from './theory.ts'

/** A last quarter whose mean is off the one before by more than this is not at rest. */
const AT_REST = 0.05

/** Mean and range of the later half, the first half being the start. */
export function courseText(course: Trajectory, question: Question): string {
  const { times, queueBytes, rateBps } = course
  const from = Math.floor(times.length / 2)
  const late = queueBytes.slice(from)
  const span = `${shortTime(times[from]! * 1e12)} to ${shortTime(times.at(-1)! * 1e12)}`
  const rates = rateBps.map((values) => shortRate(meanOf(values.slice(from))))
  const [least, most] = [Math.min(...late), Math.max(...late)]
  const used = usedOf(course, question, from)
  return (
    `From ${span} the queue is ${shortSize(meanOf(late))} on average, between ` +
    `${shortSize(least)} and ${shortSize(most)}; a flow sends ${[...new Set(rates)].join(', ')}` +
    `${used < 0.995 ? `, and the link is used to ${(used * 100).toFixed(0)}%` : ''}.` +
    movingText(course, question)
  )
}

function meanOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length
}

function totalOf({ rateBps }: Trajectory, { groups, network }: Question, i: number): number {
  return rateBps.reduce(
    (sum, rates, g) => sum + rates[i]! * (groups?.[g]?.flows ?? network.flows),
    0,
  )
}

/** A link with a queue is full; without one it carries what is sent. */
function usedOf(course: Trajectory, question: Question, from: number): number {
  const { rateBps } = question.network
  const used = Array.from(course.queueBytes.slice(from), (queue, i) =>
    queue > 0 ? 1 : Math.min(1, totalOf(course, question, from + i) / rateBps),
  )
  return meanOf(used)
}

/** The last quarter against the one before it. A queue that nothing holds has nowhere to go. */
function movingText(course: Trajectory, question: Question): string {
  const { times, queueBytes } = course
  if (question.model.name === 'none') return ''
  const [half, last] = [Math.floor(times.length / 2), Math.floor(times.length * 0.75)]
  const total = Float64Array.from(times, (_, i) => totalOf(course, question, i))
  const least = question.network.packetBytes
  const verbs = [
    ['the queue', wayOf(queueBytes, half, last, least)],
    ['rates', wayOf(total, half, last, 0)],
  ].filter(([, way]) => way !== '')
  const [moving] = verbs
  if (moving === undefined) return ''
  const [what, way] = moving
  const verb = what === 'rates' ? way! : `${way!}s`
  return ` It has not come to rest: ${what} still ${verb}; a longer --time shows where it goes.`
}

function wayOf(values: Float64Array, half: number, last: number, least: number): string {
  const [before, after] = [meanOf(values.slice(half, last)), meanOf(values.slice(last))]
  if (Math.abs(after - before) <= AT_REST * Math.max(before, after, least / AT_REST)) return ''
  return after > before ? 'grow' : 'fall'
}
