/** Runs whose nodes run in another order in every window, or some of which run together. */
import { Random } from '@weir/engine'
import type { Scheme } from '@weir/schemes'
import { cellsOf } from '../cells.ts'
import type { Cells } from '../cells.ts'
import type { Result } from '../result.ts'
import { Run } from '../run.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'

/** Nodes run in another order in every window. */
export function shuffled(spec: ValidSpec, seed: number, scheme?: Scheme): Run {
  const run = new Run(spec, scheme)
  const { windows } = run.network
  const random = new Random(seed, 'order')
  const order = Int32Array.from({ length: windows.cells }, (_, cell) => cell)
  windows.runInOrder(order)
  const open = windows.open.bind(windows)
  windows.open = (endPs) => {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random.uniform() * (i + 1))
      const one = order[i]!
      order[i] = order[j]!
      order[j] = one
    }
    open(endPs)
  }
  return run
}

/** Cells are joined at random, or all to one: they run together then, and share an order. */
export function joined(spec: ValidSpec, seed: number, scheme?: Scheme): Run {
  return new Run(spec, scheme, (graph): Cells => {
    const { cellOf, cells, windowPs } = cellsOf(graph)
    const random = new Random(seed, 'cells')
    const fewer = 1 + Math.floor(random.uniform() * Math.min(cells, 4))
    const into = Int32Array.from({ length: cells }, (_, cell) => {
      return cell < fewer ? cell : Math.floor(random.uniform() * fewer)
    })
    return { cellOf: cellOf.map((cell) => into[cell]!), cells: fewer, windowPs }
  })
}

/** A run that goes on by some events or some time, and is asked for its result again and again. */
export function lookedAt(spec: ValidSpec, seed: number, scheme?: Scheme): Result {
  const run = new Run(spec, scheme)
  const random = new Random(seed, 'looks')
  for (;;) {
    const goesOn =
      random.below(2) === 0
        ? run.advance(1 + random.below(2_000))
        : run.step(run.nowPs + random.below(20_000_000))
    if (!goesOn) return run.result()
    run.result()
  }
}

export function runShuffled(spec: ValidSpec, seed: number): Result {
  return resultOf(seed % 2 === 0 ? shuffled(spec, seed) : joined(spec, seed))
}

export function resultOf(run: Run): Result {
  while (run.advance(1e6)) continue
  return run.result()
}
