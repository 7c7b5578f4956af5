/** 'Did you mean': the nearest of the known names, if near enough to be a slip of the hand. */
import { editDistance } from '@weir/engine/edit-distance'

export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const name of known) {
    const distance = name.startsWith(word) && word.length >= 3 ? 1 : editDistance(word, name)
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** `unknownName('scheme', 'dcqnc', [...])` is a whole sentence with the remedy. */
export function unknownName(
  kind: string,
  word: string,
  known: readonly string[],
  remedy: string,
): string {
  const meant = nearest(word, known)
  const hint = meant === undefined ? '' : ` did you mean '${meant}'?`
  return `there is no ${kind} '${word}';${hint} ${remedy}`
}
