/**
 * All-to-all in steps: in step s each process sends to the s-th after it and receives from the s-th
 * before it. The transposition at the heart of PTRANS and FFT.
 */
import type { ProgramDraft } from '../program.ts'

export function exchange(draft: ProgramDraft, bytes: number): void {
  const { size } = draft
  for (let step = 1; step < size; step++) {
    for (let process = 0; process < size; process++) {
      draft.send(process, (process + step) % size, bytes)
      draft.receive(process, (process + size - step) % size)
    }
  }
}
