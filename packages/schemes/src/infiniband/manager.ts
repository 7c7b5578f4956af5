/**
 * The congestion control manager: who sets the parameters of every switch port and channel adapter
 * of a fabric (E. G. Gran et al., IPDPS 2010, section II: "a set of CC parameters
 * governed by a Congestion Control Manager").
 *
 * It holds one record for each switch port and one for each adapter, which the points read at each
 * packet; `set` writes some of them anew, before or during a run. A switch has one threshold a port
 * (section II-A), so a place is a node or one of its ports.
 *
 * Departs from the specification: settings take effect at once, not by management datagrams.
 */
import type { ControlChange, PortContext } from '@weir/fabric'
import { congestionControlTable } from './congestion-control-table.ts'
import type { TableForm } from './congestion-control-table.ts'

/** A credit of the link layer, the unit of Packet_Size. */
const CREDIT_BYTES = 64
/** Weights of the threshold are sixteenths of the buffer. */
const WEIGHTS = 16

/** The parameters that it manages. */
export interface ManagedValues {
  readonly threshold: number
  readonly markingRate: number
  readonly packetSize: number
  readonly victimMask: 'none' | 'hosts' | 'all'
  readonly congestionEnd: 'empty' | 'threshold'
  readonly becnEvery: number
  readonly cct: TableForm
  readonly cctDivisor: number
  readonly cctTable: string
  readonly cctiIncrease: number
  readonly cctiLimit: number
  readonly cctiMin: number
  readonly cctiTimer: number
}

export interface SwitchSettings {
  /** Bytes waiting for an output above which its Port VL is congested; Infinity: never. */
  thresholdBytes: number
  /** Share of eligible packets that is marked. */
  markShare: number
  /** Shorter packets are not marked. */
  packetBytesMin: number
  /** A victim of congestion may enter the congestion state as well. */
  isVictimMasked: boolean
  /** At most so many bytes wait when the congestion state ends. */
  endBytes: number
}

export interface AdapterSettings {
  increase: number
  limit: number
  min: number
  timerPs: number
  /** Injection rate delays by CCTI. */
  delaysPs: Float64Array
  /** As a receiver: at most one BECN for so many packets of a flow. */
  becnEvery: number
}

/** Something that must look at its adapter's settings again. */
export interface Adapter {
  readonly settings: AdapterSettings
  /** Called before the settings of its host change, and after. */
  beforeChange(nowPs: number): void
  afterChange(nowPs: number): void
}

/** What the settings of a switch port depend on besides parameters. */
export type SwitchPlace = Pick<PortContext, 'name' | 'toHost' | 'inputs'>

interface Place<T> {
  readonly names: readonly string[]
  values: ManagedValues
  readonly settings: T
}

export class CongestionControlManager {
  readonly #values: ManagedValues
  readonly #bufferBytes: number
  readonly #ports: (Place<SwitchSettings> & { readonly port: SwitchPlace })[] = []
  readonly #hosts: readonly Place<AdapterSettings>[]
  readonly #adapters: Map<Adapter, Place<AdapterSettings>> = new Map()

  constructor(values: ManagedValues, bufferBytes: number, hostNames: readonly string[]) {
    this.#values = values
    this.#bufferBytes = bufferBytes
    const settings = adapterSettings(values)
    this.#hosts = hostNames.map((name) => ({ names: [name], values, settings: { ...settings } }))
  }

  /** Settings of a port `S1->S2`, which change in place. */
  port(port: SwitchPlace): SwitchSettings {
    const settings = switchSettings(this.#values, this.#bufferBytes, port)
    const names = [port.name, port.name.split('->')[0] as string]
    this.#ports.push({ names, values: this.#values, settings, port })
    return settings
  }

  /** Settings of a host's adapter, which change in place. */
  host(host: number): AdapterSettings {
    return (this.#hosts[host] as Place<AdapterSettings>).settings
  }

  /** From now on `adapter`, at this host, is told of changes. */
  watch(host: number, adapter: Adapter): void {
    this.#adapters.set(adapter, this.#hosts[host] as Place<AdapterSettings>)
  }

  set({ where, params }: ControlChange, nowPs: number): void {
    // Whoever read the scenario has held them against the scheme's parameters.
    const changed: Partial<ManagedValues> = params
    const isMeant = (place: Place<unknown>): boolean =>
      where.length === 0 || place.names.some((name) => where.includes(name))
    for (const place of this.#ports.filter(isMeant)) {
      place.values = { ...place.values, ...changed }
      Object.assign(place.settings, switchSettings(place.values, this.#bufferBytes, place.port))
    }
    const hosts = new Set(this.#hosts.filter(isMeant))
    const told = [...this.#adapters].filter(([, host]) => hosts.has(host))
    for (const [adapter] of told) adapter.beforeChange(nowPs)
    for (const host of hosts) {
      host.values = { ...host.values, ...changed }
      Object.assign(host.settings, adapterSettings(host.values))
    }
    for (const [adapter] of told) adapter.afterChange(nowPs)
  }
}

/**
 * Weight w of the threshold is (16 - w) / 16 of the buffers that can hold packets for an output,
 * one for each other link of the switch: 1 to 15 fall uniformly from 15/16 to 1/16 (section II-A
 * asks for a "uniformly decreasing value" and leaves the rest to the switch); 0 marks nothing.
 */
function switchSettings(
  values: ManagedValues,
  bufferBytes: number,
  { inputs, toHost }: SwitchPlace,
): SwitchSettings {
  const weight = values.threshold
  const thresholdBytes =
    weight === 0 ? Infinity : ((WEIGHTS - weight) / WEIGHTS) * inputs * bufferBytes
  return {
    thresholdBytes,
    endBytes: weight === 0 || values.congestionEnd === 'threshold' ? thresholdBytes : 0,
    markShare: 1 / (1 + values.markingRate),
    packetBytesMin: values.packetSize * CREDIT_BYTES,
    isVictimMasked: values.victimMask === 'all' || (values.victimMask === 'hosts' && toHost),
  }
}

function adapterSettings(values: ManagedValues): AdapterSettings {
  const limit = values.cctiLimit
  return {
    increase: values.cctiIncrease,
    limit,
    min: Math.min(values.cctiMin, limit),
    timerPs: values.cctiTimer,
    delaysPs: congestionControlTable(values.cct, values.cctDivisor, values.cctTable, limit),
    becnEvery: values.becnEvery,
  }
}
