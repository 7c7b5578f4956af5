export interface FillingFlow {
  readonly links: Int32Array
  /** The fraction of its rate that each of those links carries, above 0. */
  readonly fractions: Float64Array
  /** Its share relative to other flows; 1 if left out. */
  readonly weight?: number
  /** It never gets more; no limit if left out. */
  readonly demandBps?: number
}

/** Bottleneck of a flow that has its demand, or that nothing bounds. */
export const NO_LINK = -1
