/**
 * The word that was probably meant: the nearest of the known ones by edits. Costs O(words x
 * length^2); only error sentences ask.
 */
import { editDistance } from '../edit-distance.ts'

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
