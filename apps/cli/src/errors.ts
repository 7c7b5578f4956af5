/**
 * What can end a command. A person's mistake is one sentence and exit code 1; an interruption is
 * exit code 130, as shells expect of SIGINT. Anything else is a fault of Weir's own and says so.
 */

/** A mistake its author can mend: the message is one sentence with the place and the remedy. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** Ctrl-C, after everything that was finished has been kept. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** The names of errors of other packages whose message is written for the user. */
const WRITTEN_FOR_USERS: ReadonlySet<string> = new Set([
  ...['UserError', 'SpecError', 'UnitError', 'WorkloadError', 'TopologyError', 'RoutingError'],
  ...['TheoryError', 'OwnSchemeError'],
])

export function isForUsers(error: unknown): error is Error {
  return error instanceof Error && WRITTEN_FOR_USERS.has(error.name)
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
  if (error instanceof Interrupted) return 130
  return isCommanders(error) ? error.exitCode : 1
}

/** Commander has written its own sentence, help or version, and says how to exit. */
function isCommanders(error: unknown): error is Error & { readonly exitCode: number } {
  return error instanceof Error && /^commander\./.test(String((error as { code?: unknown }).code))
}

/** ENOSPC, EACCES and their kin: the machine's fault, and its sentence is clear enough. */
function isFromTheSystem(error: Error): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string'
}
