/**
 * A congestion-control scheme: code at three places. What a switch output does is its contention
 * point (CP), what a receiver sends back its notification point (NP), what a sender does about it
 * its reaction point (RP). A scheme is one file that exports what `defineScheme` makes; see
 * `none.ts` for the smallest and `dcqcn.ts` for one with all three.
 *
 * `create` is called once per run with every parameter filled in; it returns the makers of the
 * three points (`Control` in @weir/fabric, where each method says who calls it, when, and in what
 * units).
 */
import type { OwnRouting, RoutingSpec } from '@weir/routing'
import type { Random } from '@weir/engine'
import type { Control, Graph, Service, Telemetry } from '@weir/fabric'
import type { Params, Presets, ValuesOf } from './param.ts'

/**
 * What a scheme may need of the fabric: a spec that lacks it is refused with a sentence. One whose
 * contention points judge packets (`admits`) needs `verdicts`, which credits have no place for.
 */
export type FabricNeed =
  'ecn' | 'telemetry' | 'credits' | 'lossless' | 'acks' | 'input-buffered' | 'verdicts'

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
  /** Classes (priorities) of the fabric; control packets travel in the highest. */
  readonly classes: number
  /** Names of the hosts, by host number. */
  readonly hostNames: readonly string[]
  /** The fabric as it is built, for a scheme whose nodes know its wiring. */
  readonly graph: Graph
  /** How packets find their way, as the scenario says. */
  readonly routing: RoutingSpec
}

/**
 * With parameters `P`, `create` is given their values by name and type; `Scheme` alone is any
 * scheme, as a catalogue has them.
 */
export interface Scheme<P extends Params = Params> {
  readonly name: string
  /** A few words for a table. */
  readonly title: string
  /** Venue and year; RFC or standard. */
  readonly cite: string
  readonly needs: readonly FabricNeed[]
  /** The reliability that it lives on; a spec that names none gets this, another is refused. */
  readonly transport?: 'tcp' | 'unordered'
  /** The order in which NICs serve its flows where the spec names none. */
  readonly service?: Service
  readonly params: P
  /** Pairs of parameters: the first must not be above the second. */
  readonly ordered?: readonly (readonly [NameOf<P>, NameOf<P>])[]
  readonly presets: Presets<P>
  /** Its parameters can be set place by place, and changed during a run (`Control.manage`). */
  readonly isManaged?: boolean
  /** A routing of the person's own, for scenarios that name it. */
  readonly routing?: OwnRouting
  create(values: ValuesOf<P>, context: SchemeContext): Control
}

type NameOf<P> = keyof P & string

/**
 * A scheme whose `create` knows its parameters: `values.step` is a number because `params.step` is
 * a rate, and `values.setp` does not compile. The rest of Weir sees a `Scheme` like all others,
 * whose values come from `resolveParams`.
 */
export function defineScheme<const P extends Params>(scheme: Scheme<P>): Scheme {
  return scheme as unknown as Scheme
}
