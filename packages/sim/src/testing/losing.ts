/**
 * Loss that no queue caused, as on a radio link or a bad cable: data packets vanish where they
 * reach their first switch. Wraps the switches from outside: the fabric pays nothing for it.
 */
import type { Run } from '../run.ts'

export interface Losses {
  /** Data packets that hosts have sent into the fabric, first time or again. */
  seen: number
  lost: number
}

/**
 * Makes a run that has not begun lose each data packet for which `isLost` says so, by its number
 * among all, from 0. Returns the count, which goes on.
 */
export function losing(run: Run, isLost: (count: number) => boolean): Losses {
  const { fabric } = run.network
  const { inventory, ports, switches } = fabric
  const receive = switches.receive.bind(switches)
  const losses: Losses = { seen: 0, lost: 0 }
  switches.receive = (node, link, packet, nowPs) => {
    if (inventory.isData(packet) && ports.fromHost[link] === 1) {
      if (isLost(losses.seen++)) {
        losses.lost++
        fabric.hosts.discard(packet)
        return
      }
    }
    receive(node, link, packet, nowPs)
  }
  return losses
}
