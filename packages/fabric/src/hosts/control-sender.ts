/** Hosts send their schemes' packets: from a flow's source by the data's path, or as ACKs go. */
import type { ContentionPoint } from '../contract/contention-point.ts'
import type { Control } from '../contract/control.ts'
import type { Fabric } from '../fabric.ts'
import { HOP, PATH, SOURCE, TARGET } from '../packets.ts'
import { controlPacket } from './control-packet.ts'
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'

export class ControlSender {
  /** Packets made so far. */
  made: number = 0
  readonly #fabric: Fabric
  readonly #control: Control
  readonly #hostPort: Int32Array
  readonly #controlClass: number

  constructor(fabric: Fabric, control: Control, hostPort: Int32Array, controlClass: number) {
    this.#fabric = fabric
    this.#control = control
    this.#hostPort = hostPort
    this.#controlClass = controlClass
  }

  /** Sends a scheme's packet from a flow's source, by the data's path. */
  forward(flow: Flow, code: number, bytes: number, a: number, b: number): void {
    const p = this.make(flow.flow, flow.class, false, code, bytes, a, b)
    this.#fabric.packets.int[p + PATH] = flow.path
    const contention = this.#fabric.contention[this.#hostPort[flow.source]]
    this.#send(p, flow.source, flow.target, contention)
  }

  /** Sends one from its target, by a path. */
  backward(
    flow: ReceiverFlow,
    path: number,
    code: number,
    bytes: number,
    a: number,
    b: number,
  ): void {
    const p = this.make(flow.flow, flow.class, true, code, bytes, a, b)
    this.#fabric.packets.int[p + PATH] = path
    this.#send(p, flow.target, flow.source, undefined)
  }

  #send(p: number, from: number, to: number, contention: ContentionPoint | undefined): void {
    const fabric = this.#fabric
    const { cold, int } = fabric.packets
    const nowPs = fabric.windows.nowPs
    const port = this.#hostPort[from]
    int[p + HOP] = 0
    cold[(p >> 1) + SOURCE] = from
    cold[(p >> 1) + TARGET] = fabric.hostNodes[to]
    fabric.settle(port, nowPs)
    contention?.onControl(p, nowPs)
    fabric.join(port, p, nowPs)
  }

  /** A control packet of a flow whose data travels in `dataClass`, without a way yet. */
  make(
    flow: number,
    dataClass: number,
    isBackward: boolean,
    code: number,
    bytes: number,
    a: number,
    b: number,
  ): number {
    this.made++
    const { packets } = this.#fabric
    const control = this.#control
    const isInData = control.isControlInDataClass === true
    const trafficClass = isInData ? dataClass : this.#controlClass
    return controlPacket(packets, control, flow, trafficClass, isBackward, code, bytes, a, b)
  }
}
