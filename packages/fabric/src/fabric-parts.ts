/** What a fabric is made of, and given by whoever builds the network. */
import type { Fingerprint, Windows } from '@weir/engine'
import type { Credits } from './flow-control/credits.ts'
import type { Packets } from './packets.ts'
import type { Paths } from './paths.ts'
import type { ClassScheduler } from './queues/class-scheduler.ts'
import type { Telemetry } from './telemetry.ts'
import type { Graph } from './topologies/graph.ts'

export interface FabricParts {
  readonly graph: Graph
  readonly windows: Windows
  /** By node: the cell of `windows` that it belongs to. */
  readonly cellOf: Int32Array
  readonly fingerprint: Fingerprint
  readonly packets: Packets
  readonly paths: Paths
  readonly telemetry: Telemetry
  readonly scheduler: ClassScheduler
  readonly switchDelayPs: number
  /** Of a full packet. */
  readonly packetBytes: number
  /** Header bytes after which a cut-through switch can forward; 0: store and forward. */
  readonly cutThroughBytes: number
  readonly credits: Credits | undefined
}
