/**
 * The assignment problem: the perfect matching of n rows with n columns whose weights add up to the
 * most. H. W. Kuhn's Hungarian method (1955) with shortest augmenting paths and potentials (R.
 * Jonker and A. Volgenant, 1987): O(n^3).
 */

export interface Matching {
  readonly weight: number
  /** The column of each row. */
  readonly columns: Int32Array
}

/** `weights` has n rows of n, row by row. */
export function heaviestMatching(n: number, weights: Float64Array): Matching {
  // Rows and columns are counted from 1; row and column 0 stand for 'none'. Costs are -weights.
  const rowPotential = new Float64Array(n + 1)
  const columnPotential = new Float64Array(n + 1)
  const rowOf = new Int32Array(n + 1)
  const before = new Int32Array(n + 1)
  const slack = new Float64Array(n + 1)
  const isDone = new Uint8Array(n + 1)
  for (let row = 1; row <= n; row++) {
    rowOf[0] = row
    slack.fill(Infinity)
    isDone.fill(0)
    let column = 0
    do {
      isDone[column] = 1
      const at = rowOf[column]!
      let least = Infinity
      let next = 0
      for (let c = 1; c <= n; c++) {
        if (isDone[c] === 1) continue
        const reduced = -weights[(at - 1) * n + c - 1]! - rowPotential[at]! - columnPotential[c]!
        if (reduced < slack[c]!) {
          slack[c] = reduced
          before[c] = column
        }
        if (slack[c]! < least) {
          least = slack[c]!
          next = c
        }
      }
      for (let c = 0; c <= n; c++) {
        if (isDone[c] === 1) {
          rowPotential[rowOf[c]!]! += least
          columnPotential[c]! -= least
        } else slack[c]! -= least
      }
      column = next
    } while (rowOf[column] !== 0)
    // Turn round the matches along the path that was found.
    for (; column !== 0; column = before[column]!) rowOf[column] = rowOf[before[column]!]!
  }
  const columns = new Int32Array(n)
  let weight = 0
  for (let c = 1; c <= n; c++) {
    columns[rowOf[c]! - 1] = c - 1
    weight += weights[(rowOf[c]! - 1) * n + c - 1]!
  }
  return { weight, columns }
}
