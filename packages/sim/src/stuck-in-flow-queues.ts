/**
 * What is stuck in per-flow queues: a queue that is stopped for good, because at its far end a full
 * queue of the same flow is. Only a flow whose own routes close a cycle can do that.
 */
import { CLASSES, classOfKey } from '@weir/fabric'
import type { PerFlowQueues, Ports } from '@weir/fabric'
import type { Stuck } from './deadlock.ts'

/** Words of a record: the port, the flow's key, and whether the queue is full. */
const WORDS = 3

/** What waits at this thread's outputs and was told to stop, with no word to go on on its way. */
export function stoppedQueues({ messages, queues }: PerFlowQueues): number[] {
  const words: number[] = []
  queues.each(({ port, key, first, isStopped, isFull }) => {
    if (!isStopped || first < 0) return
    let goesOn = false
    messages.each(port, (of, isOff) => {
      if (of === key) goesOn = !isOff
    })
    if (!goesOn) words.push(port, key, isFull ? 1 : 0)
  })
  return words
}

interface Waiting {
  readonly port: number
  readonly key: number
  readonly isFull: boolean
}

/** Of all that the nodes' `stoppedQueues` say. */
export function stuckInFlowQueues({ from, to }: Ports, words: readonly number[]): Stuck {
  let waiting: Waiting[] = []
  for (let at = 0; at < words.length; at += WORDS) {
    waiting.push({ port: words[at]!, key: words[at + 1]!, isFull: words[at + 2] === 1 })
  }
  waiting.sort((a, b) => a.port - b.port || a.key - b.key)
  for (;;) {
    const full = new Set(
      waiting.flatMap(({ port, key, isFull }) => (isFull ? `${from[port]} ${key}` : [])),
    )
    const left = waiting.filter(({ port, key }) => full.has(`${to[port]} ${key}`))
    if (left.length === waiting.length) break
    waiting = left
  }
  const stuck: Stuck = new Map()
  for (const { port, key } of waiting) {
    const ahead = waiting.filter(
      (one) => one.isFull && one.key === key && from[one.port] === to[port],
    )
    const names = ahead.map((one) => one.port * CLASSES + classOfKey(key))
    const output = port * CLASSES + classOfKey(key)
    stuck.set(output, new Set([...(stuck.get(output) ?? []), ...names]))
  }
  return stuck
}
