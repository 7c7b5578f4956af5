/** What benchmarks have in common: a transposition, and a barrier. */
import type { ProgramDraft } from '../program.ts'

const SIGNAL_BYTES = 8

/** No process goes on before all have come: they tell process 0, which tells them. */
export function barrier(draft: ProgramDraft): void {
  for (let process = 1; process < draft.size; process++) {
    draft.send(process, 0, SIGNAL_BYTES)
    draft.receive(0, process)
  }
  for (let process = 1; process < draft.size; process++) {
    draft.send(0, process, SIGNAL_BYTES)
    draft.receive(process, 0)
  }
}

/**
 * All-to-all in steps: in step s each process sends to the s-th after it and receives from the s-th
 * before it. The transposition at the heart of PTRANS and FFT.
 */
export function exchange(draft: ProgramDraft, bytes: number): void {
  const { size } = draft
  for (let step = 1; step < size; step++) {
    for (let process = 0; process < size; process++) {
      draft.send(process, (process + step) % size, bytes)
      draft.receive(process, (process + size - step) % size)
    }
  }
}
