/**
 * Takes pictures of a run at even intervals, as columns that can be handed to the page without a
 * copy. Looking settles queues up to now and changes no trajectory: the fingerprint of a watched
 * run is that of an unwatched one.
 *
 * A run that ends early would have few pictures, a long one too many: the recorder begins with
 * short intervals and doubles them whenever it has taken `framesMax`.
 */
import type { Flow } from '@weir/fabric'
import type { Run } from '@weir/sim'
import { CircuitRecorder } from './circuit-recorder.ts'
import { CLOSE_PORTS, CloseUp } from './close-up.ts'
import { PacketRecorder } from './packet-recorder.ts'
import { INNER_FLOWS, INNER_PORTS } from './protocol.ts'
import type { FlowCard, Frames, SceneCard } from './protocol.ts'
import { Spreads } from './spreads.ts'
import type { SpreadParts } from './spreads.ts'
import { givenOf, lossAtOf, marksOf, waysOf, xoffOf } from './scene-words.ts'

/**
 * Flows a picture holds at most: a bound on memory that no built-in scenario comes near. Beyond it
 * the latest are left out, whatever their rate, and the page says how many.
 */
export const FLOWS_MAX = 20_000
const SMALL_PORTS = 1600

export class Recorder {
  intervalPs: number
  readonly framesMax: number
  /** Pictures taken and kept, over the whole run. */
  kept: number = 0
  readonly circuits: CircuitRecorder
  /** If it is asked for, and in a small network. */
  readonly packets: PacketRecorder | undefined
  readonly #run: Run
  readonly #close: CloseUp | undefined
  readonly #ports: number
  readonly #innerPorts: Int32Array
  readonly #departed: Float64Array
  readonly #pausedPs: Float64Array
  readonly #delivered: Map<number, number> = new Map()
  readonly #spreads: Spreads | undefined
  /** By row, of flows that go many ways: which. */
  readonly #spread: Map<number, SpreadParts> = new Map()
  #rowsSeen: number = 0
  #lastPs: number = 0

  #count: number = 0
  #utilisation: Uint8Array[] = []
  #queues: Float32Array[] = []
  #paused: Uint8Array[] = []
  #flowFrom: number[] = [0]
  #flowRows: number[] = []
  #flowRates: number[] = []
  #flowInner: number[] = []
  #portInner: number[] = []
  #totals: number[] = []
  #flows: FlowCard[] = []
  #ended: number[] = []
  #leftOut: number = 0

  constructor(run: Run, hasPackets: boolean = false) {
    this.#run = run
    const { fabric } = run.network
    this.#ports = fabric.ports.count
    this.#close = this.#ports <= CLOSE_PORTS ? new CloseUp(run) : undefined
    this.#spreads = this.#close === undefined ? undefined : new Spreads(run)
    this.framesMax = this.#ports <= SMALL_PORTS ? 1024 : 512
    this.#departed = new Float64Array(this.#ports)
    this.#pausedPs = new Float64Array(this.#ports)
    const inner: number[] = []
    fabric.contention.forEach((point, port) => {
      const isSwitch = fabric.ports.fromHost[port] === 0
      if (point !== undefined && isSwitch && inner.length < INNER_PORTS) inner.push(port)
    })
    this.#innerPorts = Int32Array.from(inner)
    this.circuits = new CircuitRecorder(run, this.#innerPorts)
    this.packets = hasPackets && this.#couldNote() ? new PacketRecorder(run) : undefined
    this.intervalPs = this.#firstIntervalPs()
  }

  /** Is there anything that is no flow's, and close enough to be seen? */
  #couldNote(): boolean {
    const { control, fabric } = this.#run.network
    if (this.#close === undefined) return false
    return control.agent !== undefined || fabric.credits !== undefined
  }

  /** At least a few packets long, or a rate would be one packet or none. */
  #firstIntervalPs(): number {
    const { spec, network } = this.#run
    const packetBytes = spec.hosts.mtuBytes + spec.hosts.headerBytes
    const slowest = network.fabric.ports.psPerByte.reduce((a, b) => Math.max(a, b), 0)
    return Math.ceil(Math.max(spec.run.untilPs / 16384, 8 * packetBytes * slowest))
  }

  scene(title: string, ownCard: string): SceneCard {
    const { spec, network } = this.#run
    const { fabric, graph, control } = network
    const { ports } = fabric
    const degree = Math.max(2, ...fabric.portsOf.map((list) => list.length))
    const isShared = spec.fabric.switch === 'shared-memory'
    const share = isShared
      ? spec.fabric.buffer.bytes / Math.min(degree, 8)
      : spec.fabric.buffer.bytes
    const isSmall = this.#close !== undefined
    const { kmin, kmax } = marksOf(this.#run)
    return {
      type: 'scene',
      topology: spec.topology.kind,
      nodes: graph.nodes.map(({ name, kind, tier, x, y, z }) => ({ name, kind, tier, x, y, z })),
      from: ports.from.slice(),
      to: ports.to.slice(),
      rateBps: ports.rateBps.slice(),
      delayPs: ports.delayPs.slice(),
      given: givenOf(spec),
      untilPs: spec.run.untilPs,
      intervalPs: this.intervalPs,
      fullQueueBytes: Math.min(share, 1e6),
      isSmall,
      ways: isSmall ? waysOf(this.#run) : [],
      kminBytes: kmin,
      kmaxBytes: kmax,
      xoffBytes: xoffOf(this.#run),
      bufferBytes: spec.fabric.buffer.bytes,
      lossAtBytes: lossAtOf(this.#run),
      flowControl: spec.fabric.flowControl.kind,
      flowInternals: control.flowInternals,
      portInternals: control.portInternals,
      innerPorts: this.#innerPorts,
      circuits: this.circuits.cards,
      packets: this.packets !== undefined ? 'noted' : this.#couldNote() ? 'possible' : 'none',
      schemeTitle: title,
      ownCard,
    }
  }

  /** Pictures not yet handed over. */
  get pending(): number {
    return this.#count
  }

  /** A picture of the time since the last one. */
  take(nowPs: number): void {
    const spanPs = nowPs - this.#lastPs
    if (spanPs <= 0) return
    this.#lastPs = nowPs
    this.#takePorts(nowPs, spanPs)
    this.#close?.take(nowPs, spanPs)
    this.#takeFlows(spanPs)
    this.#count++
    this.kept++
  }

  #takePorts(nowPs: number, spanPs: number): void {
    const { fabric, control, observer } = this.#run.network
    const { ports } = fabric
    const { spec } = this.#run
    const isPerFlow = spec.fabric.flowControl.kind === 'per-flow'
    const utilisation = new Uint8Array(this.#ports)
    const paused = new Uint8Array(this.#ports)
    let drops = 0
    let marks = 0
    let pauseFrames = 0
    for (let port = 0; port < this.#ports; port++) {
      const departed = observer.departedBytes(port, nowPs)
      const share = ((departed - this.#departed[port]!) * 8e12) / (ports.rateBps[port]! * spanPs)
      utilisation[port] = Math.min(255, Math.round(share * 255))
      this.#departed[port] = departed
      const pausedPs = observer.pausedPsAll(port, nowPs) + observer.starvedPs(port, nowPs)
      paused[port] = Math.min(255, Math.ceil(((pausedPs - this.#pausedPs[port]!) / spanPs) * 255))
      this.#pausedPs[port] = pausedPs
      // Stops of single flows keep no account of time: a port waits if all that it has is stopped.
      if (isPerFlow && observer.isHeldBack(port, nowPs)) paused[port] = 255
      drops += ports.drops[port]!
      marks += ports.marks[port]!
      pauseFrames += ports.pauseFrames[port]!
    }
    this.#utilisation.push(utilisation)
    this.#paused.push(paused)
    this.#queues.push(
      Float32Array.from({ length: ports.count }, (_, port) => observer.heldBytes(port, nowPs)),
    )
    this.#totals.push(drops, marks, pauseFrames)
    for (const port of this.#innerPorts) {
      const point = fabric.contention[port]
      for (let i = 0; i < control.portInternals.length; i++) {
        this.#portInner.push(point?.observe(i) ?? NaN)
      }
    }
  }

  #takeFlows(spanPs: number): void {
    const { rows, network } = this.#run
    const active = new Map<number, Flow>()
    for (const flow of network.hosts.flows) {
      if (flow !== undefined && !flow.isDone) active.set(flow.row, flow)
    }
    for (; this.#rowsSeen < rows.count; this.#rowsSeen++) {
      this.#announce(this.#rowsSeen, active.get(this.#rowsSeen))
      this.#delivered.set(this.#rowsSeen, 0)
    }
    for (const row of this.#spread.keys()) this.#respread(row, active.get(row))
    this.#leftOut = Math.max(this.#leftOut, this.#delivered.size - FLOWS_MAX)
    let kept = 0
    // In the order of rows, on which the recording relies.
    for (const [row, before] of this.#delivered) {
      const flow = active.get(row)
      const now = flow?.receiver.deliveredBytes ?? rows.deliveredBytes[row]!
      if (kept++ < FLOWS_MAX) {
        this.#flowRows.push(row)
        this.#flowRates.push(((now - before) * 8e12) / spanPs)
      }
      if (flow !== undefined) this.#delivered.set(row, now)
      else {
        this.#delivered.delete(row)
        if (!Number.isNaN(rows.endPs[row])) this.#ended.push(row, rows.endPs[row]!)
      }
    }
    this.#flowFrom.push(this.#flowRows.length)
    this.#takeInternals(active)
  }

  #takeInternals(active: ReadonlyMap<number, Flow>): void {
    const variables = this.#run.network.control.flowInternals.length
    for (let row = 0; row < INNER_FLOWS; row++) {
      const reaction = active.get(row)?.reaction
      for (let i = 0; i < variables; i++) this.#flowInner.push(reaction?.observe(i) ?? NaN)
    }
  }

  #announce(row: number, flow: Flow | undefined): void {
    const { rows, network } = this.#run
    const startPs = rows.startPs[row]!
    const card = {
      ...{ row, name: rows.name.at(row), source: rows.source.at(row), target: rows.target.at(row) },
      ...{ sizeBytes: rows.sizeBytes[row]!, startPs, idealFctPs: rows.idealFctPs[row]! },
    }
    const path = flow === undefined ? [] : pathOf(flow, network, row)
    const parts = flow === undefined ? undefined : this.#spreads?.of(flow)
    if (parts !== undefined) this.#spread.set(row, parts)
    const spread = parts === undefined ? undefined : { ...parts, sincePs: startPs }
    this.#flows.push({ ...card, path, spread })
  }

  /** Has a flow that goes many ways got others since it was looked at? */
  #respread(row: number, flow: Flow | undefined): void {
    if (flow === undefined) {
      this.#spread.delete(row)
      return
    }
    const parts = this.#spreads?.of(flow)
    if (parts === undefined || parts === this.#spread.get(row)) return
    this.#spread.set(row, parts)
    this.#announce(row, flow)
    const card = this.#flows.pop()!
    this.#flows.push({ ...card, spread: { ...parts, sincePs: this.#lastPs } })
  }

  /** Everything taken since the last call, and a list of buffers that may be transferred. */
  hand(): { frames: Frames; transfer: ArrayBuffer[] } {
    const count = this.#count
    const frames: Frames = {
      type: 'frames',
      count,
      utilisation: joined8(this.#utilisation, this.#ports),
      queueBytes: joined(this.#queues, this.#ports),
      paused: joined8(this.#paused, this.#ports),
      flowFrom: Uint32Array.from(this.#flowFrom),
      flowRows: Uint32Array.from(this.#flowRows),
      flowRates: Float32Array.from(this.#flowRates),
      flowInner: Float32Array.from(this.#flowInner),
      portInner: Float32Array.from(this.#portInner),
      totals: Float64Array.from(this.#totals),
      flows: this.#flows,
      ended: Float64Array.from(this.#ended),
      flowsLeftOut: this.#leftOut,
      close: this.#close?.hand(),
      nowPs: this.#lastPs,
      events: this.#run.events,
    }
    this.#count = 0
    this.#utilisation = []
    this.#queues = []
    this.#paused = []
    this.#flowFrom = [0]
    this.#flowRows = []
    this.#flowRates = []
    this.#flowInner = []
    this.#portInner = []
    this.#totals = []
    this.#flows = []
    this.#ended = []
    const columns = [frames.utilisation, frames.queueBytes, frames.paused, frames.flowFrom]
    const more = [frames.flowRows, frames.flowRates, frames.flowInner, frames.portInner]
    const rest = [frames.totals, frames.ended]
    const close = Object.values(frames.close ?? {}) as Uint32Array[]
    const all = [...columns, ...more, ...rest, ...close].map(
      (column) => column.buffer as ArrayBuffer,
    )
    return { frames, transfer: all }
  }

  /** Call when everything is handed over and `kept` has reached `framesMax`. */
  halve(): void {
    this.intervalPs *= 2
    this.kept = Math.floor(this.kept / 2)
  }
}

/** Where the flow's packets go; hop by hop, one of their ways. */
function pathOf(flow: Flow, { paths, routing, fabric }: Run['network'], row: number): number[] {
  if (flow.path >= 0)
    return Array.from(paths.ports.slice(flow.path, flow.path + paths.lengthOf(flow.path)))
  const { hostNodes } = fabric
  return [...routing.path(hostNodes[flow.source]!, hostNodes[flow.target]!, row)]
}

function joined(columns: readonly Float32Array[], length: number): Float32Array {
  const all = new Float32Array(columns.length * length)
  columns.forEach((column, i) => all.set(column, i * length))
  return all
}

function joined8(columns: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(columns.length * length)
  columns.forEach((column, i) => all.set(column, i * length))
  return all
}
