/**
 * Notes packets that are no flow's, one by one, for a page that was asked to draw them: agents'
 * (R2C2's broadcasts among them) on every link that they cross, and credits on their way back.
 * Pictures are too far apart: a broadcast is everywhere within a microsecond. Listening changes no
 * trajectory, and nothing is noted unless it is asked for.
 */
import type { Run } from '@weir/sim'
import type { Watcher } from '@weir/fabric'
import { toldBy } from '@weir/schemes'
import { CREDIT, DIGEST, FINISH, MESSAGE, ROUTES, START } from './protocol.ts'
import { NOTES_MAX, PACKET_FIELDS } from './protocol.ts'
import type { PacketNotes } from './protocol.ts'

const KINDS = {
  ...{ start: START, finish: FINISH, digest: DIGEST },
  ...{ routes: ROUTES, message: MESSAGE },
} as const

export class PacketRecorder implements Watcher {
  readonly #run: Run
  readonly #isRack: boolean
  #notes: number[] = []
  #agents: number = 0
  #credits: number = 0
  #agentsCutPs: number = Infinity
  #creditsCutPs: number = Infinity
  /** The page has not been told of a cut yet. */
  #isCutNow: boolean = false
  /** Credits of a link within this time are one note: their number, at the time of the first. */
  readonly #bunchPs: number
  /** Of the bunch that is open on each link: when it began, -1: none is; how many; worth what. */
  readonly #sincePs: Float64Array
  readonly #bunch: Uint32Array
  readonly #worth: Float64Array

  constructor(run: Run) {
    this.#run = run
    const { ports } = run.network.fabric
    this.#isRack = run.spec.scheme.name === 'r2c2'
    this.#bunchPs = (run.spec.run.untilPs * ports.count) / NOTES_MAX
    this.#sincePs = new Float64Array(ports.count).fill(-1)
    this.#bunch = new Uint32Array(ports.count)
    this.#worth = new Float64Array(ports.count)
    run.network.observer.watch(this)
  }

  onAgentPacket(
    port: number,
    bytes: number,
    code: number,
    a: number,
    b: number,
    nowPs: number,
  ): void {
    const atPs = nowPs - this.#run.network.fabric.ports.delayPs[port]!
    if (this.#agents >= NOTES_MAX) {
      if (this.#agentsCutPs === Infinity) this.#isCutNow = true
      this.#agentsCutPs = Math.min(this.#agentsCutPs, atPs)
      return
    }
    this.#agents++
    if (!this.#isRack) return this.#note(MESSAGE, port, atPs, 1, bytes, -1, -1, -1)
    const { what, source, sequence, target } = toldBy(code, a, b)
    this.#note(KINDS[what], port, atPs, 1, bytes, source, sequence, target)
  }

  /** A credit goes the other way: by the link back. */
  onCredit(port: number, bytes: number, duePs: number): void {
    const back = port ^ 1
    const atPs = duePs - this.#run.network.fabric.ports.delayPs[back]!
    const sincePs = this.#sincePs[back]!
    if (sincePs >= 0 && atPs < sincePs + this.#bunchPs) {
      this.#bunch[back]!++
      this.#worth[back]! += bytes
      return
    }
    this.#close(back)
    this.#sincePs[back] = atPs
    this.#bunch[back] = 1
    this.#worth[back] = bytes
  }

  #close(port: number): void {
    const sincePs = this.#sincePs[port]!
    if (sincePs < 0) return
    this.#sincePs[port] = -1
    if (this.#credits >= NOTES_MAX) {
      if (this.#creditsCutPs === Infinity) this.#isCutNow = true
      this.#creditsCutPs = Math.min(this.#creditsCutPs, sincePs)
      return
    }
    this.#credits++
    this.#note(CREDIT, port, sincePs, this.#bunch[port]!, this.#worth[port]!, -1, -1, -1)
  }

  #note(
    kind: number,
    port: number,
    atPs: number,
    count: number,
    bytes: number,
    source: number,
    sequence: number,
    target: number,
  ): void {
    this.#notes.push(kind, port, atPs, count, bytes, source, sequence, target)
  }

  /** What was noted since the last call; undefined: nothing. */
  hand(nowPs: number): PacketNotes | undefined {
    for (let port = 0; port < this.#sincePs.length; port++) {
      if (this.#sincePs[port]! + this.#bunchPs <= nowPs) this.#close(port)
    }
    if (this.#notes.length === 0 && !this.#isCutNow) return undefined
    if (this.#notes.length % PACKET_FIELDS.length !== 0) throw new Error('a note of other length')
    const notes = Float64Array.from(this.#notes)
    this.#notes = []
    this.#isCutNow = false
    const [agentsCutPs, creditsCutPs] = [this.#agentsCutPs, this.#creditsCutPs]
    return { type: 'packets', notes, agentsCutPs, creditsCutPs }
  }
}
