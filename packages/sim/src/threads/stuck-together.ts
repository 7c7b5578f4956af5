/**
 * What is stuck in switches that several threads run. Of input buffers and per-flow queues every
 * thread learns what all of them hold. Of shared memories it is as in `../stuck-at-outputs.ts`,
 * with each question put to the thread that knows: whether an output may go on is its far end's to
 * say, and what waits at it is its own switch's; rounds end when nothing more may go. Which of them
 * leave first makes no difference: what is left in the end is the same.
 */
import { CLASSES, CLASS_BITS, CLASS_MASK, PerFlowQueues, SharedMemory } from '@weir/fabric'

import type { Stuck } from '../deadlock.ts'
import { holdings } from '../held-at-inputs.ts'
import type { Network } from '../network.ts'
import { stuckAtInputs } from '../stuck-at-inputs.ts'
import { addWaiting, eachWaiting, pausedOutputs } from '../stuck-at-outputs.ts'
import { stoppedQueues, stuckInFlowQueues } from '../stuck-in-flow-queues.ts'
import type { Share } from './share.ts'

export function* stuckTogether(network: Network, share: Share): Generator<void, Stuck> {
  const { classesUsed, fabric, switches } = network
  if (switches instanceof SharedMemory) return yield* stuckAtOutputs(network, share, switches)
  if (switches instanceof PerFlowQueues) {
    return stuckInFlowQueues(fabric.ports, yield* collect(share, stoppedQueues(switches)))
  }
  const mine = holdings(fabric, switches, classesUsed, (node) => share.border.isMine(node))
  const all = yield* collect(share, mine)
  return stuckAtInputs(fabric, switches, classesUsed, all)
}

function* stuckAtOutputs(
  network: Network,
  share: Share,
  switches: SharedMemory,
): Generator<void, Stuck> {
  const { fabric } = network
  const isMine = (output: number): boolean => share.isMyPort(output >> CLASS_BITS)
  const isAhead = (output: number): boolean => share.isMyPort((output >> CLASS_BITS) ^ 1)
  const mine = pausedOutputs(fabric).filter((output) => isMine(output))
  const paused = yield* exchange(share, mine)
  const resumed = new Set(
    yield* exchange(
      share,
      paused.filter((output) => {
        const [port, trafficClass] = [output >> CLASS_BITS, output & CLASS_MASK]
        const isOnItsWay = fabric.inventory.isXonOnItsWay(port, trafficClass)
        return isOnItsWay && (isMine(output) || isAhead(output))
      }),
    ),
  )
  const blocked = new Set(paused.filter((output) => !resumed.has(output)))
  const stuckBytes = new Float64Array(fabric.ports.count * CLASSES)
  for (const output of blocked) if (isMine(output)) addWaiting(fabric, output, stuckBytes, 1)
  for (let isChanged = blocked.size > 0; isChanged;) {
    const free = [...blocked].filter((output) => {
      return isAhead(output) && switches.canResume(output, stuckBytes)
    })
    const all = yield* exchange(share, free)
    for (const output of all) {
      blocked.delete(output)
      if (isMine(output)) addWaiting(fabric, output, stuckBytes, -1)
    }
    isChanged = all.length > 0
  }
  return yield* waits(network, share, blocked)
}

function* waits(
  { fabric }: Network,
  share: Share,
  blocked: ReadonlySet<number>,
): Generator<void, Stuck> {
  const stuck: Stuck = new Map()
  if (blocked.size === 0) return stuck
  for (const output of blocked) stuck.set(output, new Set())
  const pairs: number[] = []
  for (const output of blocked) {
    if (!share.isMyPort(output >> CLASS_BITS)) continue
    eachWaiting(fabric, output, (_packet, ingress) => {
      pairs.push(output * 2 ** 26 + ingress)
    })
  }
  for (const pair of yield* exchange(share, pairs)) {
    stuck.get(pair % 2 ** 26)?.add(Math.floor(pair / 2 ** 26))
  }
  return stuck
}

/** The numbers of all threads together, without repetition and in order. */
function* exchange(share: Share, numbers: readonly number[]): Generator<void, number[]> {
  const all = yield* collect(share, numbers)
  return [...new Set(all)].sort((a, b) => a - b)
}

/** The numbers of all threads, one thread's after the other's. */
function* collect(share: Share, numbers: readonly number[]): Generator<void, number[]> {
  const { team } = share
  for (const out of team.out) {
    out.length = 0
    out.putAll(numbers)
  }
  yield
  share.clear()
  return team.in.flatMap(({ array, length }, member) => {
    return member === team.me ? [...numbers] : [...array.subarray(0, length)]
  })
}
