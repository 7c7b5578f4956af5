/** Lanes have letters: colours are the flows'. */
export function letterOf(lane: number): string {
  return 'ABCD'[lane] ?? String(lane + 1)
}
