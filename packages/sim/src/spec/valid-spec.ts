/**
 * A spec with every default filled in and every quantity in one unit: time in whole picoseconds,
 * sizes in bytes, rates in bits per second. Only `validate` makes one, so an unchecked spec cannot
 * be simulated. It is plain JSON: a worker, a cluster node and a page all take the same one.
 */
import type { TopologyParams } from '@weir/fabric'
import type { RoutingSpec } from '@weir/routing'
import type {
  FlowInput,
  GenerateInput,
  MessagesInput,
  SizesInput,
  WorkloadInput,
} from '@weir/workloads'
import type { FabricSpec } from './fabric.ts'
import type { HostsSpec } from './hosts.ts'
import type { LinksSpec } from './links.ts'
import type { MetricsSpec, RunSpec } from './run.ts'
import type { SchemeSpec } from './scheme.ts'

export interface ValidSpec {
  readonly name: string
  readonly title: string
  /** What to look for, in a few sentences; shown by `weir list` and in the lab. */
  readonly description: string
  /** Of the workload: which flows arrive when, and how long they are. */
  readonly seed: number
  /** Of everything else that is drawn: marks, sprayed packets, timers. */
  readonly chanceSeed: number
  readonly topology: TopologySpec
  readonly fabric: FabricSpec
  readonly hosts: HostsSpec
  readonly routing: RoutingSpec
  /** undefined: links never change. */
  readonly links?: LinksSpec
  readonly workload: readonly WorkloadSpec[]
  readonly scheme: SchemeSpec
  readonly run: RunSpec
  readonly metrics: MetricsSpec
}

/** Each section's type is beside what reads and writes it. */
export type { RoutingSpec } from '@weir/routing'
export type { BufferSpec, FabricSpec, SchedulerSpec } from './fabric.ts'
export type { FlowControlSpec } from './flow-control.ts'
export type {
  AckSpec,
  HostsSpec,
  InjectionSpec,
  RateCapSpec,
  TcpSpec,
  WindowSpec,
} from './hosts.ts'
export type { MetricsSpec, RunSpec } from './run.ts'
export type { SchemeChange, SchemeSpec } from './scheme.ts'

export type TopologySpec = TopologyParams
export type WorkloadSpec = WorkloadInput
export type FlowSpec = FlowInput
export type GenerateSpec = GenerateInput
/** Processes on hosts, and the program that they carry out. */
export type MessagesSpec = MessagesInput
export type SizesSpec = SizesInput
