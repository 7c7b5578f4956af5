/**
 * A scenario's bottleneck as a fluid: where all flows that cross it are held by it alone, the
 * scheme's fluid model with the spec's own parameters, the delays of its paths and the flows'
 * starts, up to the first flow's end. Where there is no such place a sentence says so.
 */
import { fluidModelByName, SolverError, trajectory } from '@weir/theory'
import type { FluidGroup, FluidModel, FluidNetwork, FluidValues } from '@weir/theory'
import { maxMinAt } from './max-min-course.ts'
import type { MaxMinSteps } from './max-min-course.ts'
import type { NoTheory, Planned, PlannedFlow } from './planned-flows.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'

/** A control packet's bytes, where a scheme does not say. */
const CONTROL_BYTES = 64
const STEPS_MAX = 400_000
/** Flows are held by a port if each has its share of it, this nearly. */
const NEARLY = 1e-6

export interface FluidLine {
  /** `switch->h0`, and its number. */
  readonly port: string
  readonly flows: readonly string[]
  readonly model: FluidModel
  readonly network: FluidNetwork
  /** The scheme's parameters, as the model takes them. */
  readonly values: FluidValues
  /** Samples are at whole intervals, the first at one interval; up to here it is valid. */
  readonly intervalPs: number
  readonly untilPs: number
  readonly queueBytes: readonly number[]
  /** Mean rate of the flows that have begun, in bit/s on the wire. */
  readonly rateBps: readonly number[]
}

export function fluidLine(
  spec: ValidSpec,
  planned: Planned,
  course: readonly MaxMinSteps[],
): FluidLine | NoTheory {
  const model = fluidModelByName(spec.scheme.name)
  if (model === undefined) return { why: `there is no fluid model of ${spec.scheme.name}.` }
  const { intervalPs } = spec.metrics
  if (intervalPs === 0) return { why: 'nothing is sampled (metrics.interval).' }
  const port = bottleneckOf(planned, course)
  if (port === undefined) return { why: 'no port of a switch holds all flows that cross it.' }
  const flows = planned.flows.filter(({ ports }) => ports.includes(port))
  const untilPs = firstEndPs(flows, course, spec.run.untilPs)
  const network = fluidNetwork(spec, planned, port, flows)
  const values = valuesOf(spec, model)
  try {
    const system = model.create(network, values, groupsOf(flows))
    const seconds = Math.floor(untilPs / intervalPs) * intervalPs * 1e-12
    if (seconds === 0) return { why: 'the first flow ends before the first sample.' }
    const { queueBytes, rateBps } = trajectory(system, seconds, intervalPs * 1e-12, {
      stepsMax: STEPS_MAX,
      tolerance: 1e-5,
    })
    const { groups } = system
    const mean = Array.from(queueBytes, (_, i) => {
      const begun = groups.filter(({ startPs }) => startPs < i * intervalPs)
      const all = begun.reduce((sum, group) => sum + group.flows, 0)
      const rate = begun.reduce(
        (sum, group) => sum + group.flows * rateBps[groups.indexOf(group)]![i]!,
        0,
      )
      return all === 0 ? 0 : rate / all
    })
    return {
      port: portName(planned, port),
      flows: flows.map(({ name }) => name),
      model,
      network,
      values,
      intervalPs,
      untilPs,
      queueBytes: Array.from(queueBytes).slice(1),
      rateBps: mean.slice(1),
    }
  } catch (error) {
    if (error instanceof SolverError) return { why: `the fluid runs away: ${error.message}` }
    throw error
  }
}

/** The switch port at which flows are held, all of them alike, as long as all are there. */
function bottleneckOf(
  { network, capacitiesBps, flows }: Planned,
  course: readonly MaxMinSteps[],
): number | undefined {
  const { ports } = network.fabric
  let best: number | undefined = undefined
  let most = 1
  for (let port = 0; port < ports.count; port++) {
    if (ports.fromHost[port] === 1) continue
    const own = flows.flatMap((flow, i) => (flow.ports.includes(port) ? i : []))
    if (own.length <= most) continue
    const lastPs = Math.max(...own.map((i) => flows[i]!.startPs))
    const share = capacitiesBps[port]! / own.length
    const isHeld = own.every(
      (i) => Math.abs(maxMinAt(course[i]!, lastPs) / share - 1) < NEARLY && flows[i]!.weight === 1,
    )
    if (!isHeld) continue
    best = port
    most = own.length
  }
  return best
}

function firstEndPs(
  flows: readonly PlannedFlow[],
  course: readonly MaxMinSteps[],
  untilPs: number,
): number {
  const ends = course
    .filter(({ name }) => flows.some((flow) => flow.name === name))
    .map(({ atPs }) => atPs.at(-1) ?? untilPs)
  return Math.min(untilPs, ...ends)
}

function fluidNetwork(
  { hosts }: ValidSpec,
  { network }: Planned,
  port: number,
  flows: readonly PlannedFlow[],
): FluidNetwork {
  const { control, fabric } = network
  const { rateBps, delayPs } = fabric.ports
  const packetBytes = hosts.mtuBytes + hosts.headerBytes + control.dataHeaderBytes
  const ackBytes = hosts.ack.bytes + control.ackHeaderBytes
  const over = (links: readonly number[], bytes: number): number =>
    links.reduce((sum, link) => sum + delayPs[link]! + (bytes * 8e12) / rateBps[link]!, 0)
  const meanOf = (of: (flow: PlannedFlow) => number): number =>
    flows.reduce((sum, flow) => sum + of(flow), 0) / flows.length
  const before = ({ ports }: PlannedFlow): readonly number[] => ports.slice(0, ports.indexOf(port))
  const told = control.controlBytesMax ?? CONTROL_BYTES
  return {
    rateBps: rateBps[port]!,
    lineRateBps: meanOf((flow) => rateBps[flow.ports[0]!]!),
    flows: flows.length,
    packetBytes,
    delayPs: meanOf(({ ports }) => over(ports, packetBytes) + over(ports, ackBytes)),
    nearDelayPs: meanOf((flow) => over(before(flow), packetBytes) + over(before(flow), told)),
  }
}

/** The scheme's parameters that the model has; marking as the fabric says, where it does. */
function valuesOf(
  { scheme, fabric }: ValidSpec,
  model: FluidModel,
): Record<string, FluidValues[string]> {
  const values: Record<string, FluidValues[string]> = { ...model.defaults }
  for (const [name, value] of Object.entries(scheme.params)) {
    if (name in values) values[name] = value
  }
  const { ecn } = fabric
  if (ecn === 'auto' || ecn.kind === 'none') return values
  const marks: Record<string, FluidValues[string]> =
    ecn.kind === 'red'
      ? { kmin: ecn.kminBytes, kmax: ecn.kmaxBytes, pmax: ecn.pmax }
      : { kmin: ecn.kBytes, kmax: ecn.kBytes, pmax: 1, k1: ecn.kBytes, k10: ecn.kBytes }
  const all = { ...marks, markAt: ecn.at, referenceRate: ecn.referenceRateBps }
  for (const [name, value] of Object.entries(all)) if (name in values) values[name] = value
  return values
}

/** Flows that start together are one group. */
function groupsOf(flows: readonly PlannedFlow[]): FluidGroup[] {
  const starts = [...new Set(flows.map(({ startPs }) => startPs))].sort((a, b) => a - b)
  return starts.map((startPs) => ({
    startPs,
    flows: flows.filter((flow) => flow.startPs === startPs).length,
  }))
}

function portName({ network }: Planned, port: number): string {
  const { fabric, graph } = network
  const { ports } = fabric
  const name = (node: number): string => graph.nodes[node]!.name
  return `${name(ports.from[port]!)}->${name(ports.to[port]!)}`
}
