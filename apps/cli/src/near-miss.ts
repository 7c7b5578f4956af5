/** 'Did you mean': the nearest of the known names, if near enough to be a slip of the hand. */

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

/** Levenshtein's, with the swap of two neighbours counted as one slip. */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, before[j - 2]! + 1)
      }
      row.push(value)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
