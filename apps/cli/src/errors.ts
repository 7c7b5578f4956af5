/**
 * What can end a command, each with one sentence. A mistake in the command line, or in a file that
 * it names, is exit code 2; what fails later (a full disk, a scheme of one's own that throws, a
 * fault of Weir's own) is 1; an interruption is 130, as shells expect of SIGINT.
 */
export const FAILED = 1
const MISTAKEN = 2
const INTERRUPTED = 130

/** A mistake its author can mend: the message is one sentence with the place and the remedy. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** Something that was rightly asked for could not be done. */
export class FailedError extends Error {
  override readonly name = 'FailedError'
}

/** A thread is gone, and did not say why: whoever ends it is not Weir. */
export function died(thread: string): FailedError {
  return new FailedError(`${thread} died: something in it ended it.`)
}

/** What a thread was ended by, in a sentence if it was for want of memory. */
export function deathOf(error: Error, thread: string): Error {
  if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return new FailedError(
    `${thread} has used up its memory; NODE_OPTIONS=--max-old-space-size=<MB> gives it more.`,
  )
}

/** Ctrl-C, after everything that was finished has been kept. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** The names of errors of other packages whose message is written for the user. */
const WRITTEN_FOR_USERS: ReadonlySet<string> = new Set([
  ...['UserError', 'SpecError', 'UnitError', 'WorkloadError', 'TopologyError', 'RoutingError'],
  ...['TheoryError'],
])

/** Likewise, of what fails in the middle. */
const FAILURES: ReadonlySet<string> = new Set(['FailedError', 'OwnSchemeError'])

export function isForUsers(error: unknown): error is Error {
  return error instanceof Error && (isMistake(error) || FAILURES.has(error.name))
}

function isMistake(error: Error): boolean {
  return WRITTEN_FOR_USERS.has(error.name)
}

export function sentenceOf(error: unknown): string {
  if (error instanceof Interrupted) return error.message
  if (!(error instanceof Error)) return String(error)
  if (isCommanders(error)) return ''
  const oneLine = error.message.trim().replace(/\s*\n\s*/g, ' ')
  if (isForUsers(error) || isFromTheSystem(error)) return oneLine
  return `a fault in Weir itself: ${oneLine} (WEIR_DEBUG=1 shows where)`
}

/** `ENOSPC: no space left on device, write` is `no space left on device`. */
export function systemReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return /^E[A-Z0-9]+: ([^,\n]+)/u.exec(message)?.[1] ?? message.split('\n')[0]!
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return INTERRUPTED
  // Commander's own: 0 for help and version, else a mistake.
  if (isCommanders(error)) return error.exitCode === 0 ? 0 : MISTAKEN
  return error instanceof Error && isMistake(error) ? MISTAKEN : FAILED
}

/** Commander has written its own sentence, help or version, and says how to exit. */
function isCommanders(error: unknown): error is Error & { readonly exitCode: number } {
  return error instanceof Error && /^commander\./.test(String((error as { code?: unknown }).code))
}

/** ENOSPC, EACCES and their kin: the machine's fault, and its sentence is clear enough. */
function isFromTheSystem(error: Error): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string'
}
