/**
 * The schemes that PACC is compared with, each as the simulator has it that the paper was built on
 * (presets `firmware`, `hpcc-artifact`, `artifact`), and RoCC, the other scheme that switches
 * drive, with its own paper's values. The paper has no numbers of RoCC: those are ours.
 */

/** One order in every picture; one of fewer schemes has the first: each has one colour. */
export const SCHEMES = ['dcqcn', 'pacc', 'timely', 'hpcc', 'rocc'] as const
/** Without RoCC. */
export const PUBLISHED = ['dcqcn', 'pacc', 'timely', 'hpcc'] as const
export type SchemeName = (typeof SCHEMES)[number]

export const TITLES: Readonly<Record<SchemeName, string>> = {
  dcqcn: 'DCQCN',
  timely: 'TIMELY',
  hpcc: 'HPCC',
  pacc: 'PACC',
  rocc: 'RoCC',
}

/**
 * The other reading of section V-A, 'the parameters suggested in corresponding papers', with ECN
 * thresholds scaled as HPCC's paper has them.
 */
export const OWN_PRESETS = { dcqcn: 'production', timely: 'paper', hpcc: 'paper' } as const

export const PRESETS: Readonly<Record<SchemeName, string>> = {
  dcqcn: 'firmware',
  timely: 'hpcc-artifact',
  hpcc: 'hpcc-artifact',
  pacc: 'artifact',
  rocc: 'paper',
}
