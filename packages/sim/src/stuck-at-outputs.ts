/**
 * What is stuck in shared memories: output queues whose far end has paused them for good. A class
 * queue leaves as a whole, or not at all.
 */
import { CLASSES, CLASS_BITS, CLASS_MASK } from '@weir/fabric'
import type { Fabric, SharedMemory } from '@weir/fabric'
import type { Stuck } from './deadlock.ts'

export function stuckAtOutputs(fabric: Fabric, switches: SharedMemory): Stuck {
  const blocked = new Set(
    pausedOutputs(fabric).filter((output) =>
      fabric.inventory.isPaused(output >> CLASS_BITS, output & CLASS_MASK),
    ),
  )
  if (blocked.size === 0) return new Map()
  const stuckBytes = new Float64Array(fabric.ports.count * CLASSES)
  for (const output of blocked) addWaiting(fabric, output, stuckBytes, 1)
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const output of blocked) {
      if (!switches.canResume(output, stuckBytes)) continue
      blocked.delete(output)
      addWaiting(fabric, output, stuckBytes, -1)
      isChanged = true
    }
  }
  return waits(fabric, blocked)
}

/** Outputs and classes of switches that have packets and are paused. */
export function pausedOutputs({ ports }: Fabric): number[] {
  const paused: number[] = []
  for (let port = 0; port < ports.count; port++) {
    if (ports.fromHost[port] === 1) continue
    const both = ports.paused[port]! & ports.waiting[port]!
    for (let c = 0; c < CLASSES; c++) if ((both >> c) & 1) paused.push(port * CLASSES + c)
  }
  return paused
}

/** Adds what waits at an output to the bytes of the ingress that each packet came by. */
export function addWaiting(
  fabric: Fabric,
  output: number,
  bytes: Float64Array,
  sign: 1 | -1,
): void {
  eachWaiting(fabric, output, (packet, ingress) => {
    bytes[ingress]! += sign * fabric.inventory.bytes(packet)
  })
}

function waits(fabric: Fabric, blocked: ReadonlySet<number>): Stuck {
  const stuck: Stuck = new Map()
  for (const output of blocked) stuck.set(output, new Set())
  for (const output of blocked) {
    eachWaiting(fabric, output, (_packet, ingress) => stuck.get(ingress)?.add(output))
  }
  return stuck
}

/** Packets that wait at an output and came by a link: not what the switch sends of its own. */
export function eachWaiting(
  { inventory }: Fabric,
  output: number,
  visit: (packet: number, ingress: number) => void,
): void {
  for (const p of inventory.waiting(output >> CLASS_BITS, output & CLASS_MASK)) {
    if (inventory.ingress(p) >= 0) visit(p, inventory.ingress(p))
  }
}
