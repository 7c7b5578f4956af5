/**
 * Carries a message program out: one state machine a process, which computes, sends, and waits for
 * messages. Messages between hosts are flows of the simulator, begun by `world.send`. Messages
 * within a host take a fixed time, and a copy by the host's memory, which makes one copy at a time.
 *
 * A process pays `sendOverheadPs` before a message leaves its host and `receiveOverheadPs` after
 * one has come, as in LogP's o (D. Culler et al., PPoPP 1993). Sends are buffered: a process goes
 * on at once. Messages of a pair of processes are received in the order of their arrival, without
 * tags.
 *
 * Knows nothing of the simulator but `MessageWorld`, so the same driver can run over real links.
 */
import { Random } from '@weir/engine'
import type { Account } from '@weir/engine'
import type { Arrival, Host } from '../contract.ts'
import { WorkloadError } from '../contract.ts'
import { hostIndex, indexHosts } from '../select-hosts.ts'
import { makeBenchmark } from './benchmark.ts'
import type { ProgramInput } from './benchmark.ts'
import { checkProgram } from './check-program.ts'
import type { Benchmark, Mark, Measure, Op } from './program.ts'

export interface MessagesInput {
  readonly kind: 'messages'
  readonly name: string
  /** The host of each process, by process. */
  readonly processes: readonly string[]
  readonly program: ProgramInput
  readonly startPs: number
  readonly sendOverheadPs: number
  readonly receiveOverheadPs: number
  /** Time and rate of memory of a message between processes of one host. */
  readonly localDelayPs: number
  readonly localRateBps: number
  /** -1: the hosts' own class of data. */
  readonly class: number
}

/** A message between hosts. */
export interface Message {
  /** Processes. */
  readonly from: number
  readonly to: number
  readonly bytes: number
  /** Among all that its process sends; and among the program's, the first process's first. */
  readonly numberOfOwn: number
  readonly number: number
  readonly startPs: number
}

/** What the driver asks of whoever has the clock and the network. */
export interface MessageWorld {
  /** Is a host carried out here? Undefined: all are. Others' processes are only heard of. */
  readonly isMine?: (host: number) => boolean
  /** Begins a flow; `onDelivered(from, to)` is called when its last byte has arrived. */
  send(message: Message): void
  /** `onWake(process)` is to be called then. A process has one wake at a time. */
  wakeAt(process: number, atPs: number): void
  /** A process that is carried out here has come to its end. */
  onEnd?(process: number, atPs: number): void
}

/** What is left of a program: when it ended, what it measured. */
export interface MessagesReport {
  readonly name: string
  readonly kind: ProgramInput['kind']
  readonly messages: number
  /** NaN if it has not ended. */
  readonly endPs: number
  readonly measures: readonly Measure[]
  readonly marks: readonly Mark[]
}

export class MessageDriver {
  /** Messages between hosts that the program has. */
  readonly messagesMax: number
  readonly #input: MessagesInput
  readonly #benchmark: Benchmark
  readonly #world: MessageWorld
  /** Host of each process. */
  readonly #host: readonly number[]
  /** Next operation of each process. */
  readonly #at: number[]
  /** The operation under way has had its time. */
  readonly #isPaid: boolean[]
  /** The process waits for a message. */
  readonly #isWaiting: boolean[]
  /** When a host's memory is free for another copy. */
  readonly #memoryFreePs: number[]
  /** Arrival times of messages that nobody has received, by from * processes + to. */
  readonly #arrived: number[][]
  /** What each process has noted. */
  readonly #marks: Mark[][]
  /** Messages that each process has sent, all of them and those between hosts. */
  readonly #sent: number[]
  readonly #sentFar: number[]
  /** Number of the first message between hosts of each process. */
  readonly #firstFar: number[]
  /** When each process came to its end; NaN: it has not. */
  readonly #endPs: number[]
  #running: number

  constructor(input: MessagesInput, hosts: readonly Host[], seed: number, world: MessageWorld) {
    const indices = indexHosts(hosts)
    const count = input.processes.length
    this.#input = input
    this.#world = world
    this.#host = input.processes.map((name) => hostIndex(hosts, indices, name))
    this.#benchmark = makeBenchmark(
      input.program,
      count,
      new Random(seed, `workload.${input.name}.orders`),
    )
    checkProgram(this.#benchmark.program)
    this.#at = new Array<number>(count).fill(0)
    this.#sent = new Array<number>(count).fill(0)
    this.#sentFar = new Array<number>(count).fill(0)
    this.#marks = Array.from({ length: count }, () => [])
    this.#endPs = new Array<number>(count).fill(NaN)
    this.#firstFar = []
    this.messagesMax = 0
    for (let process = 0; process < count; process++) {
      this.#firstFar.push(this.messagesMax)
      this.messagesMax += this.#farSends(process)
    }
    this.#isPaid = new Array<boolean>(count).fill(false)
    this.#isWaiting = new Array<boolean>(count).fill(false)
    this.#arrived = Array.from({ length: count * count }, () => [])
    this.#running = count
    this.#memoryFreePs = hosts.map(() => 0)
  }

  get isOver(): boolean {
    return this.#running === 0
  }

  /** The host of a process, by its number. */
  hostOf(process: number): number {
    return this.#host[process]!
  }

  /** Messages between hosts that a process will send. */
  #farSends(process: number): number {
    const own = this.#host[process]
    const ops = this.#benchmark.program[process]!
    return ops.filter((op) => op.do === 'send' && this.#host[op.to] !== own).length
  }

  /** Wakes every process at the program's start. */
  start(): void {
    for (let process = 0; process < this.#at.length; process++) {
      if (this.#isMine(process)) this.#world.wakeAt(process, this.#input.startPs)
    }
  }

  #isMine(process: number): boolean {
    return this.#world.isMine?.(this.hostOf(process)) ?? true
  }

  onWake(process: number, nowPs: number): void {
    const ops = this.#benchmark.program[process]!
    while (this.#at[process]! < ops.length) {
      if (!this.#carryOut(process, ops[this.#at[process]!]!, nowPs)) return
      this.#isPaid[process] = false
      this.#at[process]!++
    }
    this.noteEnd(process, nowPs)
    this.#world.onEnd?.(process, nowPs)
  }

  /** A process has come to its end, here or elsewhere. */
  noteEnd(process: number, nowPs: number): void {
    this.#endPs[process] = nowPs
    this.#running--
  }

  /** A message between hosts has arrived in full. */
  onDelivered(from: number, to: number, nowPs: number): void {
    this.#arrive(from, to, nowPs)
  }

  report(): MessagesReport {
    // In order of time, at one time by process.
    const marks = this.#marks.flat().sort((a, b) => a.atPs - b.atPs || a.process - b.process)
    return {
      name: this.#input.name,
      kind: this.#input.program.kind,
      messages: this.#sent.reduce((sum, sent) => sum + sent, 0),
      endPs: this.isOver ? this.#endPs.reduce((last, endPs) => Math.max(last, endPs), 0) : NaN,
      measures: this.isOver ? this.#benchmark.measure(marks) : [],
      marks: this.#input.program.kind === 'text' ? marks : [],
    }
  }

  /** What processes that are carried out here have sent and noted, for whoever puts it together. */
  account(): Account {
    return {
      read: () =>
        this.#marks.flatMap((marks, process) => [
          ...[this.#sent[process]!, marks.length],
          ...marks.map(({ atPs }) => atPs),
        ]),
      add: (words) => {
        let at = 0
        this.#marks.forEach((marks, process) => {
          this.#sent[process]! += words[at]!
          const times = [...words.subarray(at + 2, at + 2 + words[at + 1]!)]
          if (times.length > 0) marks.push(...this.#marksAt(process, times))
          at += 2 + times.length
        })
      },
    }
  }

  /** What a process notes, in the order of its program, at these times. */
  #marksAt(process: number, timesPs: readonly number[]): Mark[] {
    const labels = this.#benchmark.program[process]!.filter((op) => op.do === 'mark')
    return timesPs.map((atPs, i) => ({ label: labels[i]!.label, process, atPs }))
  }

  /** True if the operation is done; else the process will be woken. */
  #carryOut(process: number, op: Op, nowPs: number): boolean {
    switch (op.do) {
      case 'mark':
        this.#marks[process]!.push({ label: op.label, process, atPs: nowPs })
        return true
      case 'compute':
        return this.#pay(process, op.ps, nowPs)
      case 'send':
        if (!this.#pay(process, this.#overheadPs('send', process, op.to), nowPs)) return false
        this.#send(process, op.to, op.bytes, nowPs)
        return true
      case 'receive': {
        if (this.#isPaid[process] === true) return true
        const arrivedPs = this.#arrived[op.from * this.#at.length + process]!.shift()
        if (arrivedPs === undefined) {
          this.#isWaiting[process] = true
          return false
        }
        const readyPs = Math.max(nowPs, arrivedPs) + this.#overheadPs('receive', op.from, process)
        return this.#pay(process, readyPs - nowPs, nowPs)
      }
    }
  }

  #overheadPs(end: 'send' | 'receive', from: number, to: number): number {
    if (this.#host[from] === this.#host[to]) return 0
    return end === 'send' ? this.#input.sendOverheadPs : this.#input.receiveOverheadPs
  }

  /** Lets the operation's time pass, once. */
  #pay(process: number, ps: number, nowPs: number): boolean {
    if (this.#isPaid[process] === true || ps === 0) return true
    this.#isPaid[process] = true
    this.#world.wakeAt(process, nowPs + ps)
    return false
  }

  #send(from: number, to: number, bytes: number, nowPs: number): void {
    const { localDelayPs, localRateBps } = this.#input
    const numberOfOwn = this.#sent[from]!++
    const source = this.#host[from]!
    const target = this.#host[to]!
    if (source === target) {
      const copiedPs =
        Math.max(nowPs, this.#memoryFreePs[source]!) + Math.ceil((bytes * 8e12) / localRateBps)
      this.#memoryFreePs[source] = copiedPs
      this.#arrive(from, to, copiedPs + localDelayPs)
      return
    }
    const number = this.#firstFar[from]! + this.#sentFar[from]!++
    this.#world.send({ from, to, bytes, numberOfOwn, number, startPs: nowPs })
  }

  /** A message between hosts as the flow that it is. */
  flowOf({ from, to, bytes, numberOfOwn, startPs }: Message): Omit<Arrival, 'item'> {
    const name = `${this.#input.name}.p${from}.${numberOfOwn}`
    return {
      startPs,
      source: this.hostOf(from),
      target: this.hostOf(to),
      sizeBytes: bytes,
      stopPs: 0,
      class: this.#input.class,
      weight: 1,
      name,
      key: name,
      path: [],
    }
  }

  #arrive(from: number, to: number, atPs: number): void {
    this.#arrived[from * this.#at.length + to]!.push(atPs)
    if (this.#isWaiting[to] !== true) return
    const op = this.#benchmark.program[to]![this.#at[to]!]!
    if (op.do !== 'receive' || op.from !== from) return
    this.#isWaiting[to] = false
    this.#world.wakeAt(to, atPs)
  }
}

/** For a spec: throws a WorkloadError if the program cannot be made or cannot end. */
export function checkMessages(input: MessagesInput, hosts: readonly Host[], seed: number): void {
  try {
    const idle: MessageWorld = { send: () => undefined, wakeAt: () => undefined }
    void new MessageDriver(input, hosts, seed, idle)
  } catch (error) {
    if (!(error instanceof WorkloadError)) throw error
    throw new WorkloadError(`Messages '${input.name}': ${error.message}`)
  }
}
