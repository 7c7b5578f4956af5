/**
 * The pictures of one run, kept so that the page can go back and forth in them. Frame i is of the
 * interval that ends at (i + 1) x `intervalPs`. Columns are sized once for the most frames a
 * recorder keeps; when the recorder halves its pace, pairs are merged: shares and rates by their
 * mean, queues by the larger, so that a short peak stays visible.
 */
import { CircuitLog } from './circuit-log.ts'
import { CloseLog } from './close-log.ts'
import { windowOf } from './mean-window.ts'
import { PacketLog } from './packet-log.ts'
import type { FlowCard, FlowSpread, Frames, SceneCard } from '../worker/protocol.ts'
import { INNER_FLOWS, TOTALS } from '../worker/protocol.ts'

export interface FlowEnd extends FlowCard {
  endPs: number
  /** Of one that goes many ways: which, from when on. */
  spreads: readonly FlowSpread[]
}

/** Ports that a flow crosses, and which part of it each carries; 1 each if left out. */
export interface Ways {
  readonly ports: readonly number[]
  readonly parts?: readonly number[]
}

const FRAMES_MAX = 1200

export class Recording {
  readonly scene: SceneCard
  intervalPs: number
  count: number = 0
  /** Simulated so far. */
  nowPs: number = 0
  /** Its last flow ended here, and nothing moves afterwards; Infinity: not yet, or it never did. */
  overPs: number = Infinity
  events: number = 0
  readonly flows: FlowEnd[] = []
  readonly rowOf: Map<string, number> = new Map()
  /** Most flows that ran at once and are in no picture. */
  flowsLeftOut: number = 0
  readonly circuits: CircuitLog = new CircuitLog()
  /** If they were asked for. */
  readonly packets: PacketLog = new PacketLog()
  /** Of a small network. */
  readonly close: CloseLog | undefined
  /** The longest queue of each port so far. */
  readonly queueMax: Float32Array
  readonly utilisation: Uint8Array
  readonly queueBytes: Float32Array
  readonly paused: Uint8Array
  readonly totals: Float64Array
  readonly flowInner: Float32Array
  readonly portInner: Float32Array
  /** By node that sends: its only flow, or -1. */
  readonly #only: Map<number, number> = new Map()
  readonly #flowRows: Uint32Array[] = []
  readonly #flowRates: Float32Array[] = []

  constructor(scene: SceneCard) {
    this.scene = scene
    this.intervalPs = scene.intervalPs
    const ports = scene.from.length
    this.close = scene.isSmall ? new CloseLog(ports) : undefined
    this.queueMax = new Float32Array(ports)
    this.utilisation = new Uint8Array(FRAMES_MAX * ports)
    this.queueBytes = new Float32Array(FRAMES_MAX * ports)
    this.paused = new Uint8Array(FRAMES_MAX * ports)
    this.totals = new Float64Array(FRAMES_MAX * TOTALS)
    this.flowInner = new Float32Array(FRAMES_MAX * this.flowInnerWidth)
    this.portInner = new Float32Array(FRAMES_MAX * this.portInnerWidth)
  }

  get ports(): number {
    return this.scene.from.length
  }

  get flowInnerWidth(): number {
    return INNER_FLOWS * this.scene.flowInternals.length
  }

  get portInnerWidth(): number {
    return this.scene.innerPorts.length * this.scene.portInternals.length
  }

  add(frames: Frames): void {
    const room = FRAMES_MAX - this.count
    const count = Math.min(frames.count, room)
    this.utilisation.set(
      frames.utilisation.subarray(0, count * this.ports),
      this.count * this.ports,
    )
    this.queueBytes.set(frames.queueBytes.subarray(0, count * this.ports), this.count * this.ports)
    this.paused.set(frames.paused.subarray(0, count * this.ports), this.count * this.ports)
    this.totals.set(frames.totals.subarray(0, count * TOTALS), this.count * TOTALS)
    const { flowInnerWidth: flowWidth, portInnerWidth: portWidth } = this
    this.flowInner.set(frames.flowInner.subarray(0, count * flowWidth), this.count * flowWidth)
    this.portInner.set(frames.portInner.subarray(0, count * portWidth), this.count * portWidth)
    for (let i = 0; i < count; i++) {
      const [from, to] = [frames.flowFrom[i]!, frames.flowFrom[i + 1]!]
      this.#flowRows.push(frames.flowRows.subarray(from, to))
      this.#flowRates.push(frames.flowRates.subarray(from, to))
    }
    for (const card of frames.flows) {
      const known = this.flows[card.row]
      const more = card.spread === undefined ? [] : [card.spread]
      if (known !== undefined) {
        known.spreads = [...known.spreads, ...more]
        continue
      }
      this.flows[card.row] = { ...card, endPs: NaN, spreads: more }
      this.rowOf.set(card.name, card.row)
      const sender = this.scene.from[card.path[0] ?? -1]
      if (sender !== undefined) this.#only.set(sender, this.#only.has(sender) ? -1 : card.row)
    }
    for (let i = 0; i < frames.ended.length; i += 2) {
      const flow = this.flows[frames.ended[i]!]
      if (flow !== undefined) flow.endPs = frames.ended[i + 1]!
    }
    if (frames.close !== undefined) this.close?.add(frames.close, count)
    for (let i = 0; i < count * this.ports; i++) {
      const port = i % this.ports
      if (frames.queueBytes[i]! > this.queueMax[port]!) this.queueMax[port] = frames.queueBytes[i]!
    }
    this.count += count
    this.flowsLeftOut = frames.flowsLeftOut
    this.nowPs = frames.nowPs
    this.events = frames.events
  }

  /** Pairs become one. */
  halve(): void {
    const half = Math.floor(this.count / 2)
    this.#mergeColumn(this.utilisation, this.ports, half, (a, b) => (a + b + 1) >> 1)
    this.#mergeColumn(this.paused, this.ports, half, (a, b) => (a + b + 1) >> 1)
    this.#mergeColumn(this.queueBytes, this.ports, half, (a, b) => (a > b ? a : b))
    const later = (_: number, b: number): number => b
    this.#mergeColumn(this.totals, TOTALS, half, later)
    this.#mergeColumn(this.flowInner, this.flowInnerWidth, half, later)
    this.#mergeColumn(this.portInner, this.portInnerWidth, half, later)
    for (let i = 0; i < half; i++) this.#mergeFlows(2 * i, i)
    this.close?.halve()
    this.#flowRows.length = half
    this.#flowRates.length = half
    this.count = half
    this.intervalPs *= 2
  }

  /** Rates of a picture and the next, each half of the time; rows of both ascend. */
  #mergeFlows(from: number, to: number): void {
    const [rowsA, rowsB] = [this.#flowRows[from]!, this.#flowRows[from + 1]!]
    const [ratesA, ratesB] = [this.#flowRates[from]!, this.#flowRates[from + 1]!]
    const rows = new Uint32Array(rowsA.length + rowsB.length)
    const rates = new Float32Array(rows.length)
    let count = 0
    for (let a = 0, b = 0; a < rowsA.length || b < rowsB.length; count++) {
      const row = Math.min(rowsA[a] ?? Infinity, rowsB[b] ?? Infinity)
      rows[count] = row
      if (rowsA[a] === row) rates[count]! += ratesA[a++]! / 2
      if (rowsB[b] === row) rates[count]! += ratesB[b++]! / 2
    }
    this.#flowRows[to] = rows.slice(0, count)
    this.#flowRates[to] = rates.slice(0, count)
  }

  #mergeColumn(
    column: Uint8Array | Float32Array | Float64Array,
    width: number,
    half: number,
    merge: (a: number, b: number) => number,
  ): void {
    for (let i = 0; i < half; i++) {
      const from = 2 * i * width
      for (let k = 0; k < width; k++) {
        column[i * width + k] = merge(column[from + k]!, column[from + width + k]!)
      }
    }
  }

  /**
   * The frame that shows a moment: the last that has ended, for one that has not would show what is
   * still to come. -1 before the first, and when all is over.
   */
  frameAt(timePs: number): number {
    if (timePs > this.overPs) return -1
    // The last picture of a run is cut short.
    if (timePs >= this.nowPs) return this.count - 1
    return Math.min(this.count - 1, Math.floor(timePs / this.intervalPs) - 1)
  }

  /** When each picture ends: the last with the run, which is not on the grid. */
  timesPs(): Float64Array {
    const times = Float64Array.from({ length: this.count }, (_, i) => (i + 1) * this.intervalPs)
    if (this.count > 0) times[this.count - 1] = Math.min(times[this.count - 1]!, this.nowPs)
    return times
  }

  flowsAt(frame: number): { rows: Uint32Array; rates: Float32Array } {
    return {
      rows: this.#flowRows[frame] ?? new Uint32Array(0),
      rates: this.#flowRates[frame] ?? new Float32Array(0),
    }
  }

  /** The row of a node's flow, if it sends one and no more; else -1. */
  onlyFlowOf(node: number): number {
    return this.#only.get(node) ?? -1
  }

  /** Where a flow goes in a picture. */
  waysOf(row: number, frame: number): Ways {
    const flow = this.flows[row]
    if (flow === undefined) return { ports: [] }
    const timePs = (frame + 1) * this.intervalPs
    const spread = flow.spreads.findLast(({ sincePs }) => sincePs < timePs)
    return spread ?? { ports: flow.path }
  }

  queueOf(port: number): Float64Array {
    return this.#column(this.queueBytes, this.ports, port, 1)
  }

  utilisationOf(port: number): Float64Array {
    return this.#column(this.utilisation, this.ports, port, 1 / 255)
  }

  pausedOf(port: number): Float64Array {
    return this.#column(this.paused, this.ports, port, 1 / 255)
  }

  #column(column: ArrayLike<number>, width: number, at: number, scale: number): Float64Array {
    return Float64Array.from({ length: this.count }, (_, i) => column[i * width + at]! * scale)
  }

  /** Rates of some flows over time, bit/s; null where a flow does not run. */
  ratesOf(rows: readonly number[]): (number | null)[][] {
    const place = new Int32Array(this.flows.length).fill(-1)
    rows.forEach((row, i) => (place[row] = i))
    const all = rows.map(() => new Array<number | null>(this.count).fill(null))
    for (let frame = 0; frame < this.count; frame++) {
      const running = this.#flowRows[frame]!
      const rates = this.#flowRates[frame]!
      for (let k = 0; k < running.length; k++) {
        const i = place[running[k]!]!
        if (i >= 0) all[i]![frame] = rates[k]!
      }
    }
    return all
  }

  /** Of all flows together, bit/s. */
  totalRates(): number[] {
    return Array.from({ length: this.count }, (_, i) =>
      this.#flowRates[i]!.reduce((a, b) => a + b, 0),
    )
  }

  /**
   * Jain's index of the rates of the flows that run, over time; null where fewer than two do. Rates
   * are means over a part of the run that ends there: a single picture is a few packets long.
   */
  fairness(part: number): (number | null)[] {
    const window = windowOf(this.count, part)
    const sums = new Float64Array(this.flows.length)
    const add = (frame: number, sign: number): void => {
      const rows = this.#flowRows[frame]
      const rates = this.#flowRates[frame]
      if (rows === undefined || rates === undefined || frame >= this.count) return
      for (let k = 0; k < rows.length; k++) sums[rows[k]!]! += sign * rates[k]!
    }
    return Array.from({ length: this.count }, (_, frame) => {
      add(frame, 1)
      add(frame - window, -1)
      return jainOf(this.#flowRows[frame]!, sums)
    })
  }

  internalOfFlow(row: number, variable: number): (number | null)[] {
    const at = row * this.scene.flowInternals.length + variable
    return this.#inner(this.flowInner, this.flowInnerWidth, at)
  }

  internalOfPort(place: number, variable: number): (number | null)[] {
    const at = place * this.scene.portInternals.length + variable
    return this.#inner(this.portInner, this.portInnerWidth, at)
  }

  #inner(column: Float32Array, width: number, at: number): (number | null)[] {
    return Array.from({ length: this.count }, (_, i) => {
      const value = column[i * width + at]!
      return Number.isFinite(value) ? value : null
    })
  }

  /** Ports by the longest queue they had, longest first. */
  portsByQueue(): { port: number; bytesMax: number }[] {
    return Array.from(this.queueMax, (bytesMax, port) => ({ port, bytesMax }))
      .filter(({ bytesMax }) => bytesMax > 0)
      .sort((a, b) => b.bytesMax - a.bytesMax)
  }

  portName(port: number): string {
    const { nodes, from, to } = this.scene
    return `${nodes[from[port]!]!.name}->${nodes[to[port]!]!.name}`
  }
}

function jainOf(rows: Uint32Array, sums: Float64Array): number | null {
  if (rows.length < 2) return null
  let sum = 0
  let squares = 0
  for (let k = 0; k < rows.length; k++) {
    const rate = sums[rows[k]!]!
    sum += rate
    squares += rate * rate
  }
  return squares <= 0 ? null : (sum * sum) / (rows.length * squares)
}
