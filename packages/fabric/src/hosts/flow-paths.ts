/**
 * The paths of a flow in the path store. Data goes by `path`. ACKs and the receiver's control
 * packets come home by `pathBack`; what a switch sends to the source by `pathReverse`, which is the
 * data's way turned round, for it begins in the middle of that. The two are one unless ACKs are
 * routed on their own.
 */
import type { Paths } from '../paths.ts'
import type { Flow } from './flow.ts'

export function reversed(path: readonly number[]): number[] {
  return path.map((port) => port ^ 1).reverse()
}

/** With `pathBack`, ACKs have a path of their own. */
export function givePaths(
  flow: Flow,
  paths: Paths,
  path: readonly number[],
  pathBack: readonly number[] | undefined,
): void {
  flow.path = paths.add(path)
  flow.pathLength = path.length
  flow.pathReverse = paths.add(reversed(path))
  flow.pathBack = pathBack === undefined ? flow.pathReverse : paths.add(pathBack)
  flow.pathBackLength = pathBack?.length ?? path.length
}

/** The next packets take another path; those on their way keep theirs. */
export function changePath(flow: Flow, paths: Paths, path: readonly number[]): void {
  const { path: offset, pathReverse, pathLength: length } = flow
  ;(flow.formerPaths ??= []).push({ offset, length }, { offset: pathReverse, length })
  const isOwn = flow.pathBack !== pathReverse
  flow.path = paths.add(path)
  flow.pathLength = path.length
  flow.pathReverse = paths.add(reversed(path))
  if (isOwn) return
  flow.pathBack = flow.pathReverse
  flow.pathBackLength = path.length
}

/** Gives all of them back; of a flow that is routed packet by packet there are none. */
export function releasePaths(flow: Flow, paths: Paths): void {
  if (flow.path < 0) return
  paths.release(flow.path, flow.pathLength)
  paths.release(flow.pathReverse, flow.pathLength)
  if (flow.pathBack !== flow.pathReverse) paths.release(flow.pathBack, flow.pathBackLength)
  for (const former of flow.formerPaths ?? []) paths.release(former.offset, former.length)
}
