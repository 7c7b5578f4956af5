/**
 * Lets V8 inline more: a packet's hop is a handful of functions, each of which may be short and
 * readable if the compiler may join them, and its defaults stop half-way. On websearch-320 that is
 * worth a tenth (bench/README.md). The flags are V8's own, and change with it: a version of Node
 * that is not named runs without them until somebody has measured it.
 */
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'

interface Flags {
  /** Versions of Node whose V8 knows them; another one would complain on stderr. */
  readonly nodes: readonly number[]
  readonly flags: readonly string[]
}

const INLINING: Flags = {
  nodes: [20, 22, 24],
  flags: [
    '--max-inlined-bytecode-size=1000',
    '--max-inlined-bytecode-size-cumulative=3000',
    '--min-inlining-frequency=0.05',
  ],
}

/**
 * Of threads that share a run each compiles its own code, on the cores that the run wants. A
 * function that is compiled after six times as much work has seen more of its branches, and is
 * compiled anew less often: on websearch-320 two threads take 0.75 of the time at first.
 */
const OF_SHARED_RUNS: Flags = { nodes: [20], flags: ['--interrupt-budget=400000'] }

/**
 * V8 compiles beside the thread that runs. Where threads are as many as cores there is no beside:
 * its compiler takes a core from one of them, for a while that the scheduler chooses, and all
 * others wait at the next meeting. A thread that compiles by itself holds them up only as long as
 * that takes: torus-512 1.19 times as fast, rack-512 1.23, websearch-320 1.03.
 */
const OF_RUNS_ON_ALL_CORES: Flags = {
  nodes: [20, 22, 24],
  flags: ['--no-concurrent-recompilation'],
}

/**
 * V8 lets a heap grow to as much as four times what is alive before it collects all of it: a
 * million flows took 1.7 GB, of which 0.4 were alive. It may grow by a quarter.
 */
const COLLECTING: Flags = { nodes: [20, 22, 24], flags: ['--heap-growing-percent=25'] }

/** For the whole process, its threads too; before anything hot has run. */
export function inlineMore(): void {
  setFlags(INLINING)
}

/** For a process that will hold as much as many flows take: it collects more often instead. */
export function collectOften(): void {
  setFlags(COLLECTING)
}

/** For a process of which so many threads share a run, before these are made. */
export function compileForSharedRun(threads: number): void {
  setFlags(OF_SHARED_RUNS)
  if (threads >= availableParallelism()) setFlags(OF_RUNS_ON_ALL_CORES)
}

function setFlags({ nodes, flags }: Flags): void {
  if (!nodes.includes(Number.parseInt(process.versions.node, 10))) return
  for (const flag of flags) setFlagsFromString(flag)
}
