/**
 * A program that can end: every receive has its message, every message its receiver. Which process
 * waits for which is found by carrying the program out without time.
 */
import { WorkloadError } from '../contract.ts'
import type { Program } from './program.ts'

/** Throws a WorkloadError that names the processes that would wait for ever. */
export function checkProgram(program: Program): void {
  const at = program.map(() => 0)
  const sent = new Map<number, number>()
  const key = (from: number, to: number): number => from * program.length + to
  const advance = (process: number): boolean => {
    const ops = program[process]!
    let hasMoved = false
    for (; at[process]! < ops.length; at[process]!++) {
      const op = ops[at[process]!]!
      if (op.do === 'send') {
        if (op.to === process) throw new WorkloadError(`Process ${process} sends to itself.`)
        const to = key(process, op.to)
        sent.set(to, (sent.get(to) ?? 0) + 1)
      } else if (op.do === 'receive') {
        const from = key(op.from, process)
        const count = sent.get(from) ?? 0
        if (count === 0) return hasMoved
        sent.set(from, count - 1)
      }
      hasMoved = true
    }
    return hasMoved
  }
  for (let hasMoved = true; hasMoved;) {
    hasMoved = false
    for (let process = 0; process < program.length; process++) {
      if (advance(process)) hasMoved = true
    }
  }
  const stuck = program.findIndex((ops, process) => at[process]! < ops.length)
  if (stuck >= 0) {
    const op = program[stuck]![at[stuck]!]!
    const whom = op.do === 'receive' ? op.from : stuck
    throw new WorkloadError(
      `Process ${stuck} waits for ever for a message from process ${whom}; give it one to receive.`,
    )
  }
  for (const [pair, count] of sent) {
    if (count === 0) continue
    const [from, to] = [Math.floor(pair / program.length), pair % program.length]
    throw new WorkloadError(
      `Process ${to} never receives ${count} of the messages that process ${from} sends it; ` +
        `write recv ${from}.`,
    )
  }
}
