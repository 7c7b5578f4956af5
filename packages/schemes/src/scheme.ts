/**
 * A congestion-control scheme: code at three places. What a switch output does is its contention
 * point (CP), what a receiver sends back its notification point (NP), what a sender does about it
 * its reaction point (RP). A scheme is one file that exports one of these; see `none.ts` for the
 * smallest and `dcqcn.ts` for one with all three.
 *
 * `create` is called once a run with every parameter filled in; it returns the makers of the three
 * points (`Control` in @weir/fabric, where each method says who calls it, when, and in what units).
 */
import type { Random } from '@weir/engine'
import type { Control, Telemetry } from '@weir/fabric'
import type { Params, ParamValues, Preset } from './param.ts'

/** What a scheme may need of the fabric: a spec that lacks it is refused with a sentence. */
export type FabricNeed = 'ecn' | 'telemetry' | 'credits' | 'lossless' | 'acks' | 'input-buffered'

/** The run that a scheme is created for. */
export interface SchemeContext {
  /** Payload bytes of a full packet, and its bytes on the wire before the scheme adds its own. */
  readonly mtuBytes: number
  readonly packetBytes: number
  /** Rate of the fastest host link. */
  readonly hostRateBps: number
  /** Rate of the fastest link of all. */
  readonly linkRateBps: number
  /** Records that data packets bring back, for those who ask for telemetry. */
  readonly telemetry: Telemetry
  /** A named, seeded stream. */
  random(name: string): Random
  /** Number of nodes; a scheme with clocks gives each its own. */
  readonly nodes: number
  /** Bytes of a switch's memory, or of an input port and class if buffers are at inputs. */
  readonly bufferBytes: number
  /** Names of the hosts, by host number. */
  readonly hostNames: readonly string[]
}

export interface Scheme {
  readonly name: string
  /** A few words for a table. */
  readonly title: string
  /** Venue and year; RFC or standard. */
  readonly cite: string
  readonly needs: readonly FabricNeed[]
  /** The reliability that it lives on; a spec that names none gets this, another is refused. */
  readonly transport?: 'tcp'
  readonly params: Params
  /** Pairs of parameters: the first must not be above the second. */
  readonly ordered?: readonly (readonly [string, string])[]
  readonly presets: Readonly<Record<string, Preset>>
  /** Its parameters can be set place by place, and changed during a run (`Control.manage`). */
  readonly isManaged?: boolean
  create(values: ParamValues, context: SchemeContext): Control
}
