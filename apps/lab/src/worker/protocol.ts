/**
 * What the page and its workers say to each other. Both sides check what they get: a scheme written
 * in the page runs in the same worker as the simulator and could post anything.
 */

/** A run to begin: a spec's text, and the settings that make it this lane's. */
export interface StartRun {
  readonly type: 'start'
  readonly text: string
  readonly sourceName: string
  readonly settings: readonly string[]
  /** JavaScript of a scheme of the user's own, a module; '' if the scheme is a registered one. */
  readonly ownScheme: string
  /** Packets that are no flow's are noted, to be drawn. */
  readonly hasPackets: boolean
}

export interface SceneNode {
  readonly name: string
  readonly kind: 'host' | 'switch'
  readonly tier: number
  readonly x: number
  readonly y: number
  readonly z: number
}

/** What does not change during a run. Ports are numbered as the fabric numbers them. */
export interface SceneCard {
  readonly type: 'scene'
  readonly topology: string
  readonly nodes: readonly SceneNode[]
  readonly from: Int32Array
  readonly to: Int32Array
  readonly rateBps: Float64Array
  /** Of the link, and of the switch at its far end. */
  readonly delayPs: Float64Array
  /** Of each link, what the scheme gives to flows: below 1 it leaves headroom. */
  readonly given: number
  readonly untilPs: number
  readonly intervalPs: number
  /** A full queue for the eye: a port's share of the buffer. */
  readonly fullQueueBytes: number
  /** Ports of the first flows, in order of their start; none in a large network. */
  readonly ways: readonly (readonly number[])[]
  /** Where marking begins and is certain, by port; Infinity: never. None in a large network. */
  readonly kminBytes: Float64Array
  readonly kmaxBytes: Float64Array
  /** What an input may hold before it stops who fills it; Infinity: it depends, or never. */
  readonly xoffBytes: number
  /** Of a switch, or of an input where buffers are at inputs. */
  readonly bufferBytes: number
  /** What a queue may hold before packets are lost; Infinity: it depends, or none are. */
  readonly lossAtBytes: number
  readonly flowControl: 'none' | 'pause' | 'pfc' | 'credits' | 'per-flow'
  /** Pictures hold `Frames.close`. */
  readonly isSmall: boolean
  readonly flowInternals: readonly string[]
  readonly portInternals: readonly string[]
  /** Ports whose internals are recorded, by their place in `Frames.portInner`. */
  readonly innerPorts: Int32Array
  /** Of the same ports, if the scheme is ACCurate in fixed point. */
  readonly circuits: readonly CircuitCard[]
  /** Packets that are no flow's: there are none, or they could be noted, or they are. */
  readonly packets: 'none' | 'possible' | 'noted'
  readonly schemeTitle: string
  /** JSON of the card of the user's own scheme, for its knobs; '' if the scheme is registered. */
  readonly ownCard: string
}

/** An output whose contention point is a circuit: ACCurate's with `arithmetic: fixed`. */
export interface CircuitCard {
  readonly port: number
  readonly rateBits: number
  readonly countBits: number
  /** C and C (1 - alpha), in steps; what a step is. */
  readonly capacity: number
  readonly shareable: number
  readonly stepBps: number
}

/**
 * One cycle in which a circuit did something, as a row of numbers; rates in steps. `row` is the
 * flow's, -1 for a tick. The registers are those after it.
 */
export const CIRCUIT_FIELDS = [
  'port',
  'atPs',
  'row',
  'type',
  'inCurrent',
  'inDesired',
  'outCurrent',
  'outDesired',
  'isUrgent',
  'fsr',
  'm',
  'b',
  'bMax',
  'elsewhere',
  'oldFsr',
  'oldM',
  'oldB',
  'oldBMax',
  'oldElsewhere',
] as const

/**
 * Of circuits' steps, agents' packets and bunches of credits each, in a run. What comes after is
 * not noted, and the page says so.
 */
export const NOTES_MAX = 50_000

/** What circuits did since the last message, in order; rows of `CIRCUIT_FIELDS`. */
export interface CircuitSteps {
  readonly type: 'circuit'
  readonly steps: Float64Array
  /** The first that was not noted; Infinity: all were. */
  readonly cutPs: number
}

/** What a packet of no flow is: R2C2's broadcasts, another word of an agent's, a credit. */
export const START = 0
export const FINISH = 1
export const DIGEST = 2
export const MESSAGE = 3
export const CREDIT = 4
export const ROUTES = 5

/**
 * A packet that is no flow's on one link, as a row of numbers. `atPs`: it has left; `count`:
 * credits within a short time are one row; `bytes`: its own, or what they are worth. Of a
 * broadcast, `source` is the node that began it, `sequence` its number there and `target` the node
 * that its flow goes to; else -1.
 */
export const PACKET_FIELDS = [
  'kind',
  'port',
  'atPs',
  'count',
  'bytes',
  'source',
  'sequence',
  'target',
] as const

/** Packets noted since the last message, rows of `PACKET_FIELDS`. */
export interface PacketNotes {
  readonly type: 'packets'
  readonly notes: Float64Array
  /** The first agent's packet, and credit, that was not noted; Infinity: all were. */
  readonly agentsCutPs: number
  readonly creditsCutPs: number
}

export interface FlowCard {
  readonly row: number
  readonly name: string
  readonly source: string
  readonly target: string
  /** Infinity: without end. */
  readonly sizeBytes: number
  readonly startPs: number
  readonly idealFctPs: number
  /** Where its packets go, the host's own port first; of many ways, one. */
  readonly path: readonly number[]
  /** If they go many ways: from when on these, and which part of it each port carries. */
  readonly spread: FlowSpread | undefined
}

export interface FlowSpread {
  readonly sincePs: number
  /** The routing's name. */
  readonly by: string
  readonly ports: readonly number[]
  readonly parts: readonly number[]
}

/** Flows whose internals are recorded: the first ones, by row. */
export const INNER_FLOWS = 32
/** Switch ports whose internals are recorded. */
export const INNER_PORTS = 48
/** Lanes of `Frames.totals`: drops, marks and pause frames since the start. */
export const TOTALS = 3

/** What pictures of a small network hold besides (`close-up.ts`); by frame and port. */
export interface CloseColumns {
  /** Share of the interval that went to what is no payload, of 255. */
  readonly control: Uint8Array
  /** Packets lost and marked since the start. */
  readonly dropped: Uint32Array
  readonly marked: Uint32Array
  /** Whose bytes wait: of frame i, entries from `heldFrom[i]` to `heldFrom[i + 1]`. */
  readonly heldFrom: Uint32Array
  readonly heldPort: Uint32Array
  readonly heldRow: Uint32Array
  readonly heldBytes: Float32Array
  /** Control packets that senders heard (CNPs, heartbeats that came back), by row, likewise. */
  readonly heardFrom: Uint32Array
  readonly heardRow: Uint32Array
  readonly heardCount: Uint32Array
}

/**
 * Consecutive pictures of the network, as columns; a picture holds what happened since the last.
 */
export interface Frames {
  readonly type: 'frames'
  readonly count: number
  /** Share of the interval in which the link carried bits, of 255; by frame and port. */
  readonly utilisation: Uint8Array
  /** Bytes held for the port when the interval ended. */
  readonly queueBytes: Float32Array
  /** Share of the interval in which the far end kept the port from sending, of 255. */
  readonly paused: Uint8Array
  /**
   * Flows of frame i are `flowRows`, ascending, and `flowRates` from `flowFrom[i]` to
   * `flowFrom[i + 1]`: all that run, or as many as a picture can hold.
   */
  readonly flowFrom: Uint32Array
  readonly flowRows: Uint32Array
  readonly flowRates: Float32Array
  readonly flowInner: Float32Array
  readonly portInner: Float32Array
  readonly totals: Float64Array
  /** Of flows that have begun, and once more of those that go other ways from now on. */
  readonly flows: readonly FlowCard[]
  /** Row and time in ps of flows that ended, alternately. */
  readonly ended: Float64Array
  /** Most flows that ran at once and are in no picture. */
  readonly flowsLeftOut: number
  readonly close: CloseColumns | undefined
  readonly nowPs: number
  readonly events: number
}

/** The worker is there and begins: from here on silence means something. */
export interface Hello {
  readonly type: 'hello'
}

/** The recorder takes pictures half as often from here on, and so must the recording. */
export interface Halve {
  readonly type: 'halve'
}

/** The run is over. The time series of the result are left out: frames are the lab's. */
export interface Done {
  readonly type: 'done'
  /** A `Result` without `series`, with `maxMinJain`, as JSON. */
  readonly result: string
}

/** Something ended the run: a sentence for the person. */
export interface Failed {
  readonly type: 'failed'
  readonly sentence: string
  /** Whose fault it is. */
  readonly cause: 'spec' | 'scheme' | 'weir'
}

export type FromRun =
  Hello | SceneCard | Frames | CircuitSteps | PacketNotes | Halve | Done | Failed

/** Throws a sentence if this is not a message of the protocol; sizes of columns are checked too. */
export function checkFromRun(message: unknown, ports: number): FromRun {
  const it = message as Partial<Record<string, unknown>> | null
  if (typeof it !== 'object' || it === null) throw new Error('a message that is no object')
  switch (it['type']) {
    case 'scene':
      return checkScene(it as unknown as SceneCard)
    case 'frames':
      return checkFrames(it as unknown as Frames, ports)
    case 'circuit':
      need(it['steps'] instanceof Float64Array, 'steps')
      need((it['steps'] as Float64Array).length % CIRCUIT_FIELDS.length === 0, 'steps')
      need(typeof it['cutPs'] === 'number', 'steps')
      return it as unknown as CircuitSteps
    case 'packets':
      return checkPackets(it as unknown as PacketNotes, ports)
    case 'hello':
      return { type: 'hello' }
    case 'halve':
      return { type: 'halve' }
    case 'done':
      need(typeof it['result'] === 'string', 'result')
      return it as unknown as Done
    case 'failed':
      need(typeof it['sentence'] === 'string', 'sentence')
      return {
        type: 'failed',
        sentence: String(it['sentence']).slice(0, 2000),
        cause: it['cause'] === 'spec' || it['cause'] === 'weir' ? it['cause'] : 'scheme',
      }
    default:
      throw new Error('a message of no known type')
  }
}

function checkScene(scene: SceneCard): SceneCard {
  need(Array.isArray(scene.nodes) && scene.nodes.length < 1e6, 'nodes')
  need(scene.from instanceof Int32Array && scene.to instanceof Int32Array, 'ports')
  need(scene.from.length === scene.to.length, 'ports')
  need(scene.rateBps instanceof Float64Array && scene.rateBps.length === scene.to.length, 'rates')
  need(scene.delayPs instanceof Float64Array && scene.delayPs.length === scene.to.length, 'delays')
  need(scene.innerPorts instanceof Int32Array && scene.innerPorts.length <= INNER_PORTS, 'inner')
  need(Array.isArray(scene.circuits) && scene.circuits.length <= INNER_PORTS, 'circuits')
  need(isWords(scene.flowInternals) && isWords(scene.portInternals), 'internals')
  need(typeof scene.schemeTitle === 'string' && typeof scene.ownCard === 'string', 'scheme')
  need(scene.untilPs > 0 && scene.intervalPs > 0, 'times')
  need(Array.isArray(scene.ways) && scene.ways.length <= 1000, 'ways')
  need(
    scene.ways.every((way) => way.length > 0 && way.every((p) => scene.from[p] !== undefined)),
    'ways',
  )
  need(scene.kminBytes instanceof Float64Array && scene.kmaxBytes instanceof Float64Array, 'marks')
  const nodes = scene.nodes.length
  need(
    scene.from.every((node) => node >= 0 && node < nodes),
    'from',
  )
  need(
    scene.to.every((node) => node >= 0 && node < nodes),
    'to',
  )
  return scene
}

function checkPackets(packets: PacketNotes, ports: number): PacketNotes {
  const { notes, agentsCutPs, creditsCutPs } = packets
  need(typeof agentsCutPs === 'number' && typeof creditsCutPs === 'number', 'packets')
  need(notes instanceof Float64Array && notes.length % PACKET_FIELDS.length === 0, 'packets')
  const at = PACKET_FIELDS.indexOf('port')
  for (let i = at; i < notes.length; i += PACKET_FIELDS.length) {
    need(Number.isInteger(notes[i]) && notes[i]! >= 0 && notes[i]! < ports, 'packets')
  }
  return packets
}

function checkFrames(frames: Frames, ports: number): Frames {
  const { count } = frames
  need(Number.isInteger(count) && count >= 0 && count < 1e5, 'count')
  const cells = count * ports
  need(frames.utilisation instanceof Uint8Array && frames.utilisation.length === cells, 'use')
  need(frames.queueBytes instanceof Float32Array && frames.queueBytes.length === cells, 'queues')
  need(frames.paused instanceof Uint8Array && frames.paused.length === cells, 'paused')
  need(frames.flowFrom instanceof Uint32Array && frames.flowFrom.length === count + 1, 'flows')
  need(frames.flowRows instanceof Uint32Array, 'flow rows')
  need(frames.flowRates instanceof Float32Array, 'flow rates')
  need(frames.flowRates.length === frames.flowRows.length, 'flow rates')
  need(frames.flowInner instanceof Float32Array, 'flow internals')
  need(frames.portInner instanceof Float32Array, 'port internals')
  need(frames.totals instanceof Float64Array && frames.totals.length === count * TOTALS, 'totals')
  need(Array.isArray(frames.flows) && frames.ended instanceof Float64Array, 'flows')
  need(Number.isFinite(frames.nowPs) && frames.flowsLeftOut >= 0, 'time')
  if (frames.close !== undefined) checkClose(frames.close, count, cells)
  return frames
}

function checkClose(close: CloseColumns, count: number, cells: number): void {
  need(close.control instanceof Uint8Array && close.control.length === cells, 'control')
  need(close.dropped instanceof Uint32Array && close.dropped.length === cells, 'losses')
  need(close.marked instanceof Uint32Array && close.marked.length === cells, 'marks')
  need(close.heldFrom instanceof Uint32Array && close.heldFrom.length === count + 1, 'held')
  const { length } = close.heldPort
  need(close.heldPort instanceof Uint32Array && close.heldRow instanceof Uint32Array, 'held')
  need(close.heldBytes instanceof Float32Array && close.heldBytes.length === length, 'held')
  need(close.heardFrom instanceof Uint32Array && close.heardFrom.length === count + 1, 'heard')
  need(close.heardRow instanceof Uint32Array && close.heardCount instanceof Uint32Array, 'heard')
  need(close.heardRow.length === close.heardCount.length, 'heard')
}

function isWords(list: readonly unknown[]): boolean {
  return Array.isArray(list) && list.length < 100 && list.every((word) => typeof word === 'string')
}

function need(holds: boolean, what: string): void {
  if (!holds) throw new Error(`a message whose ${what} cannot be`)
}

/** The other way: what a worker accepts from the page. */
export function checkStart(message: unknown): StartRun {
  const it = message as Partial<StartRun> | null
  const isGood =
    typeof it === 'object' &&
    it !== null &&
    it.type === 'start' &&
    typeof it.text === 'string' &&
    typeof it.sourceName === 'string' &&
    typeof it.ownScheme === 'string' &&
    typeof it.hasPackets === 'boolean' &&
    Array.isArray(it.settings) &&
    it.settings.every((setting) => typeof setting === 'string')
  if (!isGood) throw new Error('the page asked for something that is not a run')
  return it as StartRun
}
