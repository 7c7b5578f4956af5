/**
 * Slowdown: a flow's completion time over the one that it would have on the empty fabric, by the
 * same path. 1 is perfect. It makes flows of all sizes comparable, which FCT does not.
 */

/** NaN for a flow that did not end, or has no ideal. */
export function slowdowns(fctPs: ArrayLike<number>, idealFctPs: ArrayLike<number>): number[] {
  return Array.from(fctPs, (fct, i) => {
    const ideal = idealFctPs[i] ?? NaN
    return ideal > 0 ? fct / ideal : NaN
  })
}
