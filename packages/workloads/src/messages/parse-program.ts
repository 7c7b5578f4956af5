/**
 * A message program as people write it, one operation a line:
 *
 *     repeat 100          # a block, any depth
 *       0 send 1 8B       # process 0 sends 8 bytes to process 1
 *       1 recv 0
 *       1 compute 2us
 *       1 send 0 8B
 *       0 recv 1
 *     end
 *     all send +1 64KB    # to the next process of the ring; -1 is the one before
 *     all recv -1
 *     0..1 mark done
 *
 * The first word says who: a process, a range, or all. `#` begins a comment.
 */
import { parseSize, parseTime } from '@weir/engine'
import { WorkloadError } from '../contract.ts'
import type { Program } from './program.ts'
import { ProgramDraft } from './program.ts'

/** Deeper than any program that a person wrote; the reader calls itself for each. */
const DEPTH_MAX = 64

interface Line {
  readonly number: number
  readonly words: readonly string[]
}

export function parseProgram(text: string, processes: number): Program {
  const lines = text
    .split('\n')
    .map((line, i): Line => ({
      number: i + 1,
      words: line.replace(/#.*/u, '').trim().split(/\s+/u).filter(Boolean),
    }))
    .filter(({ words }) => words.length > 0)
  const draft = new ProgramDraft(processes)
  const end = block(lines, 0, draft, 0)
  if (end < lines.length) {
    throw new WorkloadError(`Line ${lines[end]!.number}: there is no repeat that this end closes.`)
  }
  return draft.ops
}

/**
 * Writes lines from `first` up to the block's end; returns the number of the line after them, one
 * more than there are if the block has no end.
 */
function block(lines: readonly Line[], first: number, draft: ProgramDraft, depth: number): number {
  let i = first
  while (i < lines.length) {
    const line = lines[i]!
    if (line.words[0] === 'end') return depth > 0 ? i + 1 : i
    if (line.words[0] === 'repeat') i = repeat(lines, i, draft, depth)
    else {
      placed(line, () => operation(line, draft))
      i++
    }
  }
  return depth > 0 ? lines.length + 1 : i
}

/** The block that begins at line `i`, as often as it says; one that writes nothing is done once. */
function repeat(lines: readonly Line[], i: number, draft: ProgramDraft, depth: number): number {
  const line = lines[i]!
  const count = Number(line.words[1])
  if (!Number.isInteger(count) || count < 1) {
    throw new WorkloadError(`Line ${line.number}: repeat needs a count; write repeat 100.`)
  }
  if (depth >= DEPTH_MAX) {
    throw new WorkloadError(
      `Line ${line.number}: more than ${DEPTH_MAX} repeats stand inside each other; nest fewer.`,
    )
  }
  let after = i + 1
  for (let n = 0; n < count; n++) {
    const before = draft.count
    after = block(lines, i + 1, draft, depth + 1)
    if (after > lines.length) {
      throw new WorkloadError(`Line ${line.number}: this repeat has no end; write one.`)
    }
    if (draft.count === before) break
  }
  return after
}

/** What a line is refused for is said with its number. */
function placed({ number }: Line, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof WorkloadError)) throw error
    const sentence = error.message.replace(/^[A-Z](?=[a-z ])/u, (letter) => letter.toLowerCase())
    throw new WorkloadError(`Line ${number}: ${sentence}`)
  }
}

function operation({ words }: Line, draft: ProgramDraft): void {
  const [who, what, first, second] = words as [string, string?, string?, string?]
  const refuse = (sentence: string): never => {
    throw new WorkloadError(sentence)
  }
  const read = <T>(reader: (text: string) => T, given: string | undefined, what: string): T => {
    try {
      return reader(given ?? '')
    } catch {
      return refuse(`${given === undefined ? 'there is no' : `"${given}" is not a`} ${what}.`)
    }
  }
  for (const process of processesOf(who, draft.size, refuse)) {
    const peer = (): number => peerOf(first, process, draft.size, refuse)
    switch (what) {
      case 'send':
        draft.send(process, peer(), read(parseSize, second, 'size such as 64KB'))
        break
      case 'recv':
        draft.receive(process, peer())
        break
      case 'compute':
        draft.compute(process, read(parseTime, first, 'time such as 2us'))
        break
      case 'mark':
        draft.mark(process, first ?? refuse('there is no label; write mark done.'))
        break
      default:
        refuse(`"${what ?? ''}" is not an operation; write send, recv, compute or mark.`)
    }
  }
}

function processesOf(who: string, size: number, refuse: (sentence: string) => never): number[] {
  if (who === 'all') return Array.from({ length: size }, (_, i) => i)
  const range = /^(\d+)(?:\.\.(\d+))?$/u.exec(who)
  if (range === null) return refuse(`"${who}" is no process; write a number, 0..3 or all.`)
  const from = Number(range[1])
  const to = Number(range[2] ?? range[1])
  if (to >= size || from > to) {
    refuse(`there is no process ${who}; they are numbered 0 to ${size - 1}.`)
  }
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

function peerOf(
  given: string | undefined,
  process: number,
  size: number,
  refuse: (sentence: string) => never,
): number {
  if (given === undefined || !/^[+-]?\d+$/u.test(given)) {
    return refuse(`"${given ?? ''}" is no process; write a number, or +1 for the next one.`)
  }
  const isRelative = /^[+-]/u.test(given)
  const peer = isRelative ? (((process + Number(given)) % size) + size) % size : Number(given)
  return peer < size ? peer : refuse(`there is no process ${peer}; the last is ${size - 1}.`)
}
