/** How many flows may begin in one window of a run, before anything of it can end. */
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'

/** 3 GB, where Node has 4: a flow under way takes 2 KB and more. */
export const BEGUN_AT_ONCE_MAX = 1_200_000

export function checkBegun(flows: number, path: SpecPath, remedy: string): void {
  if (flows <= BEGUN_AT_ONCE_MAX) return
  throw new Refusal(
    path,
    `about ${flows} flows would begin within the shortest link delay, and ` +
      `memory holds ${BEGUN_AT_ONCE_MAX} at once; ${remedy}`,
  )
}
