/**
 * The window that a rate is the mean of, for plots and for the numbers in pictures: one moment has
 * one number, wherever it stands. A window ends at its moment: no line moves before its cause.
 */

/** So many pictures a mean is of: its own, and those before it. */
export function windowOf(count: number, part: number): number {
  return Math.max(1, Math.floor(count * part))
}

/**
 * From which picture on a flow counts that is there when a run begins: its first bytes are on their
 * way then. Who waits for longer than a window is kept waiting, and that is to be seen.
 */
export function leadOf(values: readonly (number | null)[], window: number): number {
  let first = 0
  while (values[first] === 0) first++
  const isThere = values[0] !== null && first < Math.min(window, values.length - 2)
  return isThere ? first + 1 : 0
}

/**
 * What is shown for the window [from, to]: the pictures of the lead count only as long as there is
 * nothing else, for before a flow's bytes arrive nothing has.
 */
export function meanOver(
  values: readonly (number | null)[],
  from: number,
  to: number,
  lead: number,
): ReturnType<typeof meanIn> {
  return meanIn(values, Math.max(to < lead ? 0 : lead, from), to)
}

/**
 * Mean, least and most of what counts of [from, to]; undefined where nothing does. A flow that was
 * not there yet had nothing: means of flows that share a link add up to no more than it carries.
 */
export function meanIn(
  values: readonly (number | null)[],
  from: number,
  to: number,
): { readonly mean: number; readonly low: number; readonly high: number } | undefined {
  let [sum, low, high] = [0, Infinity, 0]
  for (let k = from; k <= to; k++) {
    const value = values[k] ?? 0
    sum += value
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return to < from ? undefined : { mean: sum / (to - from + 1), low, high }
}
