/** Packets that are for the node they reach itself: PAUSE frames, and words for its agent. */
import type { Fabric } from './fabric.ts'
import { FIELD_A, CODE, KIND, PAUSE, TARGET } from './packets.ts'

/** A frame or an agent's packet has come by `port`; false: it goes on, or a host takes it in. */
export function takeAside(
  fabric: Fabric,
  node: number,
  port: number,
  p: number,
  nowPs: number,
): boolean {
  const { packets } = fabric
  if (packets.int[p + KIND] === PAUSE) {
    const trafficClass = packets.cold[(p >> 1) + CODE]
    const isOff = packets.cold[(p >> 1) + FIELD_A] === 1
    packets.free(p)
    if (isOff) fabric.links?.pauseTimes?.onXoff(port ^ 1, trafficClass, nowPs)
    fabric.setPaused(port ^ 1, trafficClass, isOff, nowPs)
    return true
  }
  fabric.agents.pass(port, p, nowPs)
  if (fabric.hostOf[node] >= 0 || packets.cold[(p >> 1) + TARGET] !== node) return false
  fabric.gate.returnCreditsFor(port, p, nowPs)
  fabric.agents.receive(node, port, p, nowPs)
  return true
}
