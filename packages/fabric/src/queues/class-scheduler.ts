/**
 * Which class of a port goes next: strict priority, round robin, or weighted round robin by bytes
 * (Shreedhar and Varghese's deficit round robin, SIGCOMM 1995).
 *
 * `choose` gets the set of classes that have a packet and may send, as bits, and is told the size
 * of what it chose by `charge`. No allocation.
 */
import type { Ports } from '../ports.ts'
import { CLASSES } from '../ports.ts'

export interface ClassScheduler {
  /** One of the classes in `eligible` (not empty). */
  choose(ports: Ports, port: number, eligible: number): number
  charge(ports: Ports, port: number, trafficClass: number, bytes: number): void
}

/** The null member: the highest class first. */
export const strict: ClassScheduler = {
  choose: (_ports, _port, eligible) => 31 - Math.clz32(eligible),
  charge: () => undefined,
}

export const roundRobin: ClassScheduler = {
  choose: (ports, port, eligible) => nextClass(ports.turn[port], eligible),
  charge: (ports, port, trafficClass) => {
    ports.turn[port] = trafficClass
  },
}

/**
 * Each turn a class may send `weight` x 2,048 B; what it overdraws is taken from its next turns,
 * and what it does not use is lost. A class that is alone is not charged: its turn is over when
 * another comes.
 */
export function weightedRoundRobin(weights: readonly number[], ports: number): ClassScheduler {
  const quantum = Array.from({ length: CLASSES }, (_, c) => (weights[c] ?? 1) * 2048)
  /** Bytes that a class may still send, by port and class. */
  const deficit = new Float64Array(ports * CLASSES)
  return {
    choose: ({ turn }, port, eligible) => {
      const base = port * CLASSES
      const before = turn[port]
      let next = before & ~ALONE
      const hasTurn = before < ALONE && deficit[base + next] > 0
      if (hasTurn && (eligible >> next) & 1 && !isOne(eligible)) return next
      if (hasTurn) deficit[base + next] = 0
      if (isOne(eligible)) {
        next = 31 - Math.clz32(eligible)
        turn[port] = next | ALONE
        return next
      }
      do {
        next = nextClass(next, eligible)
        deficit[base + next] += quantum[next]
      } while (deficit[base + next] <= 0)
      turn[port] = next
      return next
    },
    charge: ({ turn }, port, trafficClass, bytes) => {
      if (turn[port] < ALONE) deficit[port * CLASSES + trafficClass] -= bytes
    },
  }
}

/** Added to the turn of a class that had no competitor. */
const ALONE = 16

function isOne(eligible: number): boolean {
  return (eligible & (eligible - 1)) === 0
}

/** The first eligible class after `current`, cyclically upwards; `current` itself comes last. */
function nextClass(current: number, eligible: number): number {
  if (eligible === 0) throw new Error('no class is eligible')
  const higher = eligible & (-2 << current)
  const among = higher === 0 ? eligible : higher
  return 31 - Math.clz32(among & -among)
}
