/** The command line's first breath: little is loaded, so that `weir --help` answers at once. */
import process from 'node:process'
import { exitCodeOf, FAILED, sentenceOf, systemReason } from './errors.ts'
import { inlineMore } from './inlining.ts'
import { program } from './program.ts'

inlineMore()

/** 128 and the signal's number. */
const SIGPIPE_CODE = 141

// `weir ... | head` closes the pipe early: that is the reader's right, so nothing is said, and the
// exit code is the one by which shells know a closed pipe. Any other failure to write is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(SIGPIPE_CODE)
  process.stderr.write(`weir: standard output cannot be written: ${systemReason(error)}.\n`)
  process.exit(FAILED)
})
// There is nowhere left to say that stderr is closed.
process.stderr.on('error', () => process.exit(FAILED))

try {
  await program().parseAsync(process.argv)
} catch (error) {
  const sentence = sentenceOf(error)
  if (sentence !== '') process.stderr.write(`weir: ${sentence}\n`)
  if (process.env['WEIR_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exitCode = exitCodeOf(error)
}
