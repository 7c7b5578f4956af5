/** A time as exactly as it is asked for, where three digits would not tell two moments apart. */
const UNITS = [
  ['s', 1e12],
  ['ms', 1e9],
  ['us', 1e6],
  ['ns', 1e3],
] as const
/** More are hard to read: the next smaller unit is taken. */
const DECIMALS_MAX = 3

/** `stepPs`: what still makes a difference. */
export function timeText(ps: number, stepPs: number): string {
  for (const [name, unitPs] of UNITS) {
    const decimals = Math.max(0, Math.ceil(-Math.log10(stepPs / unitPs) - 1e-9))
    if (Math.abs(ps) >= unitPs && decimals <= DECIMALS_MAX) {
      return `${(ps / unitPs).toFixed(decimals)} ${name}`
    }
  }
  return `${(ps / 1e3).toFixed(0)} ns`
}
