/** Which part of time is shown. Ranges in ps; undefined: all of it. */
export type Range = readonly [fromPs: number, toPs: number]

/** No less than this part of a run. */
const LEAST = 1 / 500

/** So much time, from where `from` says for it, within the run. */
function shown(
  endPs: number,
  wantedPs: number,
  from: (spanPs: number) => number,
): Range | undefined {
  const span = Math.min(endPs, Math.max(wantedPs, endPs * LEAST))
  const left = Math.max(0, Math.min(from(span), endPs - span))
  return span >= endPs ? undefined : [left, left + span]
}

/** About a moment that comes into the middle; 2: half as much time is shown. */
export function zoomedBy(
  range: Range | undefined,
  endPs: number,
  factor: number,
  middlePs: number,
): Range | undefined {
  const [from, to] = range ?? [0, endPs]
  return shown(endPs, (to - from) / factor, (span) => middlePs - span / 2)
}

/** About a moment that stays where it is, and then moved by so much. */
export function zoomedAbout(
  range: Range | undefined,
  endPs: number,
  factor: number,
  aboutPs: number,
  moveByPs: number,
): Range | undefined {
  const [from, to] = range ?? [0, endPs]
  const part = (aboutPs - from) / Math.max(1, to - from)
  return shown(endPs, (to - from) / factor, (span) => aboutPs - part * span + moveByPs)
}

/**
 * What is shown when time plays past the end of the part that is shown: as much, from there on;
 * null: the same part.
 */
export function nextPart(
  range: Range | undefined,
  endPs: number,
  beforePs: number,
  nowPs: number,
): Range | undefined | null {
  if (range === undefined || beforePs > range[1] || nowPs <= range[1]) return null
  if (beforePs < range[0] || range[1] >= endPs) return null
  return shown(endPs, range[1] - range[0], () => nowPs)
}
