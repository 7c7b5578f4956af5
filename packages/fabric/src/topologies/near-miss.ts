/**
 * The word that was probably meant: the nearest of the known ones by edits.
 *
 * Optimal string alignment (F. Damerau, CACM 1964): an edit inserts, deletes or changes a letter,
 * or swaps two neighbours. Costs O(words x length^2); only error sentences ask.
 */

/** The nearest of `known`, or undefined if none is nearer than about a third of the word. */
export function nearMiss(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  // A word of one or two letters may still have one wrong.
  let distanceMax = Math.max(1, Math.floor(word.length / 3))
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > distanceMax) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance > distanceMax) continue
    best = candidate
    // Only a strictly nearer one replaces it: of equals the first stays.
    distanceMax = distance - 1
    if (distanceMax < 0) break
  }
  return best
}

export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) cost = Math.min(cost, beforeLast[j - 2]! + 1)
      row[j] = cost
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
