/**
 * Lets V8 inline more: a packet's hop is a handful of functions, each of which may be short and
 * readable if the compiler may join them, and its defaults stop half-way. On websearch-320 that is
 * worth a tenth (bench/README.md). The flags are V8's own and known for these versions of Node; a
 * later one runs without them until somebody has measured it.
 */
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'

const NODES_KNOWN: readonly number[] = [20, 22, 24]

const FLAGS: readonly string[] = [
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=3000',
  '--min-inlining-frequency=0.05',
]

/** For the whole process, its threads too; before anything hot has run. */
export function inlineMore(): void {
  if (!NODES_KNOWN.includes(Number.parseInt(process.versions.node, 10))) return
  for (const flag of FLAGS) setFlagsFromString(flag)
}
