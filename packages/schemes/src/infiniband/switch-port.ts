/**
 * InfiniBand's contention point: the Port VLs of a switch output (E. G. Gran et al., IPDPS 2010,
 * section II-A).
 *
 * As a packet leaves, the bytes that still wait for the output, at all inputs, are held against the
 * threshold. Above it, the Port VL enters the congestion state if it is the root, that is if
 * credits are left for another packet of this size, or if its Victim_Mask is set. Packets that
 * leave in the state are eligible, and one in (1 + Marking_Rate) is drawn for a FECN: "the mean
 * number of eligible packets sent between packets actually being marked".
 *
 * The specification leaves to the switch when the state ends: here once nothing waits any more, or
 * at the threshold itself (`congestionEnd`).
 */
import { ContentionPoint } from '@weir/fabric'
import type { PortContext } from '@weir/fabric'
import type { SwitchSettings } from './manager.ts'

export class SwitchPort extends ContentionPoint {
  readonly sees = 'departures'
  readonly #port: PortContext
  readonly #settings: SwitchSettings
  /** Bit c: the Port VL of class c is in the congestion state. */
  #congested: number = 0
  #marks: number = 0

  constructor(port: PortContext, settings: SwitchSettings) {
    super()
    this.#port = port
    this.#settings = settings
  }

  override onDeparture(packet: number, queueBytes: number, _nowPs: number): void {
    const settings = this.#settings
    const trafficClass = this.#port.packetClass(packet)
    const bytes = this.#port.packetBytes(packet)
    const bit = 1 << trafficClass
    if ((this.#congested & bit) === 0) {
      if (queueBytes <= settings.thresholdBytes) return
    } else if (queueBytes <= settings.endBytes) {
      this.#congested &= ~bit
      return
    }
    if (!settings.isVictimMasked && this.#port.isBlocked(trafficClass, bytes)) {
      this.#congested &= ~bit
      return
    }
    this.#congested |= bit
    if (bytes < settings.packetBytesMin) return
    if (settings.markShare < 1 && this.#port.random.uniform() >= settings.markShare) return
    this.#port.mark(packet)
    this.#marks++
  }

  override observe(index: number): number {
    return [this.#congested === 0 ? 0 : 1, this.#marks][index] ?? NaN
  }
}
