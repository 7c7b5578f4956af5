/**
 * A thread's share of a run. Every thread has the whole run: the same arrivals, the same windows,
 * the same samples. It runs the nodes that are its own, and between windows all threads meet: what
 * crosses from one's nodes to another's, flows that have ended, and how far each has come is handed
 * over then, so that all take the same decisions. What is no node's own happens in each of them.
 */
import type { Team, Words } from '@weir/engine'
import { Border, FIRST_OTHER } from '@weir/fabric'
import type { Message } from '@weir/workloads'
import type { Network } from '../network.ts'
import { partition } from './partition.ts'

/** The first words of what a thread says to another. */
const FIRST = 0
const UNSENT = 1
const PENDING = 2
const POPPED = 3
const LATEST = 4
const DELIVERED = 5
const HOPS = 6
const LIMIT = 7
const HEAD = 8

/** Kinds of record, beside those of the border. */
const END = FIRST_OTHER
const STOP = FIRST_OTHER + 1
const MESSAGE = FIRST_OTHER + 2
const PROCESS_END = FIRST_OTHER + 3
const SHARED = FIRST_OTHER + 4

/** What a run has to hear of what happens at other threads' hosts. */
export interface Elsewhere {
  onFlowEnd(flow: number, endPs: number): void
  onMessage(job: number, message: Message): void
  onProcessEnd(job: number, process: number, endPs: number): void
}

export class Share {
  readonly team: Team
  readonly border: Border
  /** When the first event of any thread is due, and the first of what is not yet handed over. */
  firstPs: number = 0
  unsentPs: number = Infinity
  pending: number = 0
  popped: number = 0
  latestPs: number = 0
  deliveredBytes: number = 0
  packetHops: number = 0
  /** How far the first thread wants to go. */
  limitPs: number = Infinity
  /** By row: packets that a flow had sent when it was told to stop. */
  readonly #sentWhenStopped: Map<number, number> = new Map()
  readonly #head: Float64Array = new Float64Array(HEAD)
  readonly #network: Network
  readonly #elsewhere: Elsewhere

  constructor(network: Network, team: Team, elsewhere: Elsewhere) {
    this.team = team
    this.#network = network
    this.#elsewhere = elsewhere
    this.border = new Border(
      network.fabric,
      team,
      partition(network.graph, network.cells, team.size),
    )
    network.fabric.gate.border = this.border
    const { shared } = network.fabric.agents
    if (shared !== undefined) {
      shared.share = {
        isMine: (node) => this.border.isMine(node),
        tell: (node, word, value) => this.tellAll(SHARED, node, word, value),
      }
    }
    this.clear()
  }

  isMyHost(host: number): boolean {
    return this.border.isMine(this.#network.fabric.hostNodes[host])
  }

  isMyPort(port: number): boolean {
    return this.border.isMine(this.#network.fabric.ports.from[port])
  }

  /** A flow has ended at a host of this thread. */
  noteEnd(flow: number, endPs: number): void {
    this.tellAll(END, flow, endPs)
  }

  /** A process of this thread has sent a message, of the program that is number `job`. */
  noteMessage(job: number, { from, to, bytes, numberOfOwn, number, startPs }: Message): void {
    this.tellAll(MESSAGE, job, from, to, bytes, numberOfOwn, number, startPs)
  }

  noteProcessEnd(job: number, process: number, endPs: number): void {
    this.tellAll(PROCESS_END, job, process, endPs)
  }

  /** A flow of a host of this thread was told to stop, and had sent so many packets. */
  noteStop(flow: number, sent: number): void {
    this.#sentWhenStopped.set(flow, sent)
    this.tellAll(STOP, flow, sent)
  }

  /** That number, once all have met; -1: the flow had ended. */
  takeStop(flow: number): number {
    const sent = this.#sentWhenStopped.get(flow) ?? -1
    this.#sentWhenStopped.delete(flow)
    return sent
  }

  tellAll(...words: number[]): void {
    this.team.out.forEach((out, member) => member !== this.team.me && out.put(...words))
  }

  /**
   * All threads meet, `yield`. Before, what has begun to leave before a time is handed over; after,
   * everybody knows how far all have come.
   */
  *meet(reachedPs: number, limitPs: number): Generator<void, void> {
    const { fabric, hosts, windows } = this.#network
    this.border.handOver(reachedPs)
    const head = this.#head
    const { sentPs } = this.border
    head[UNSENT] = this.border.unsentPs
    head[FIRST] = Math.min(windows.firstPs, sentPs, head[UNSENT])
    head[PENDING] = windows.pending + (Math.min(sentPs, head[UNSENT]) < Infinity ? 1 : 0)
    head[POPPED] = windows.popped
    head[LATEST] = windows.latestPs
    head[DELIVERED] = hosts.deliveredBytes
    head[HOPS] = fabric.packetHops
    head[LIMIT] = limitPs
    for (const out of this.team.out) out.array.set(head)
    yield
    this.border.hasMet(reachedPs)
    this.#fold()
    this.#take()
    this.clear()
  }

  /**
   * Before a window: threads meet, and again if the window begins after all that has been handed
   * over. Returns up to when that is. `othersPs`: when the next flow arrives.
   */
  *meetBefore(
    reachedPs: number,
    limitPs: number,
    windowPs: number,
    othersPs: number,
  ): Generator<void, number> {
    yield* this.meet(reachedPs, limitPs)
    const firstPs = Math.min(this.firstPs, othersPs)
    const beginsPs = Math.floor(firstPs / windowPs) * windowPs
    const isNext = firstPs < this.#network.outside.peekPs()
    if (!isNext || this.unsentPs === Infinity || beginsPs <= reachedPs) return reachedPs
    yield* this.meet(beginsPs, limitPs)
    return beginsPs
  }

  /** What all threads say of themselves, put together: no thread is ahead of another. */
  #fold(): void {
    this.firstPs = Infinity
    this.unsentPs = Infinity
    this.pending = this.popped = this.latestPs = this.deliveredBytes = this.packetHops = 0
    for (let member = 0; member < this.team.size; member++) {
      const isMe = member === this.team.me
      const head = isMe ? this.#head : (this.team.in[member] as Words).array
      this.firstPs = Math.min(this.firstPs, head[FIRST])
      this.unsentPs = Math.min(this.unsentPs, head[UNSENT])
      this.pending += head[PENDING]
      this.popped += head[POPPED]
      this.latestPs = Math.max(this.latestPs, head[LATEST])
      this.deliveredBytes += head[DELIVERED]
      this.packetHops += head[HOPS]
      if (member === 0) this.limitPs = head[LIMIT]
    }
  }

  #take(): void {
    for (let member = 0; member < this.team.size; member++) {
      if (member === this.team.me) continue
      const words = this.team.in[member] as Words
      let at = HEAD
      while (at < words.length) {
        const next = this.border.take(member, words, at)
        at = next >= 0 ? next : this.#takeOther(words, at)
      }
    }
  }

  #takeOther({ array }: Words, at: number): number {
    const [one, two, three] = [array[at + 1], array[at + 2], array[at + 3]]
    switch (array[at]) {
      case END:
        this.#elsewhere.onFlowEnd(one, two)
        return at + 3
      case STOP:
        this.#sentWhenStopped.set(one, two)
        return at + 3
      case PROCESS_END:
        this.#elsewhere.onProcessEnd(one, two, three)
        return at + 4
      case SHARED:
        this.#network.fabric.agents.shared?.note(one, two, three)
        return at + 4
      case MESSAGE: {
        const [to, bytes, numberOfOwn, number, startPs] = array.subarray(at + 3, at + 8)
        const message = { from: two, to, bytes, numberOfOwn, number, startPs }
        this.#elsewhere.onMessage(one, message as Message)
        return at + 8
      }
      default:
        throw new Error(`no such kind of record: ${array[at]}`)
    }
  }

  /** Words for the next meeting begin with room for the head. */
  clear(): void {
    for (const out of this.team.out) {
      out.length = 0
      out.extend(HEAD)
    }
  }
}
