/** Threads that share a run, all in this one: they take turns between meetings. */
import { wordsForAll } from '@weir/engine'
import type { Team } from '@weir/engine'
import type { Scheme } from '@weir/schemes'
import { Run } from '../run.ts'
import type { Result } from '../result.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'

function teamOf(size: number): Team[] {
  return Array.from({ length: size }, (_, me) => ({
    me,
    size,
    out: wordsForAll(size),
    in: wordsForAll(size),
    meet: () => {
      throw new Error('members of this team meet when all have had their turn')
    },
  }))
}

function meet(team: readonly Team[]): void {
  for (const to of team) {
    for (const from of team) {
      const words = to.in[from.me]!
      words.length = 0
      const { array, length } = from.out[to.me]!
      words.putAll(array.subarray(0, length))
    }
  }
  for (const { out } of team) for (const words of out) words.length = 0
}

/**
 * The result of a spec that `threads` run together, each with its own instance of the scheme, and
 * each prepared first.
 */
export function simulateTogether(
  spec: ValidSpec,
  threads: number,
  scheme?: Scheme,
  prepare: (run: Run) => void = () => {},
): Result {
  const team = teamOf(threads)
  const runs = team.map((member) => new Run(spec, scheme, undefined, member))
  runs.forEach(prepare)
  const courses = runs.map((run) => run.course(Infinity, run.lastPs))
  for (;;) {
    const steps = courses.map((course) => course.next())
    const done = steps.filter((step) => step.done === true).length
    if (done === threads) break
    if (done > 0) throw new Error(`${done} of ${threads} threads were done before the others`)
    meet(team)
  }
  return runs[0]!.result()
}
