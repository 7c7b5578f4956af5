/**
 * Papers by name. Citations in the tree call the five documents that it reproduces by letters; a
 * person who looks at the page knows them by their titles.
 */
const NAMES: Readonly<Record<string, string>> = {
  A: 'the ACCurate paper',
  B: 'the lecture “Congestion Control in Data Center”',
  C: 'the R2C2 paper',
  D: 'Gran et al., IPDPS 2010',
  E: 'the PACC paper',
}

export function paperWords(text: string): string {
  return text
    .replaceAll(
      /\b([Dd])ocument ([A-E])\b(?: \((ACCurate|R2C2|PACC)\))?/gu,
      (_, d: string, letter: string) => {
        const name = NAMES[letter] ?? `document ${letter}`
        return d === 'D' ? name.slice(0, 1).toUpperCase() + name.slice(1) : name
      },
    )
    .replaceAll('`', '')
    .replaceAll(/\(?\b(MISSION [A-Z]?\d*|issue \d+)\)?,?/gu, '')
}
