/** The command line's first breath: little is loaded, so that `weir --help` answers at once. */
import process from 'node:process'
import { exitCodeOf, sentenceOf } from './errors.ts'
import { inlineMore } from './inlining.ts'
import { program } from './program.ts'

inlineMore()

// `weir ... | head` closes the pipe early: that is the reader's right, not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await program().parseAsync(process.argv)
} catch (error) {
  const sentence = sentenceOf(error)
  if (sentence !== '') process.stderr.write(`weir: ${sentence}\n`)
  if (process.env['WEIR_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exitCode = exitCodeOf(error)
}
