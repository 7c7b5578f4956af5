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

/** Ticks of an axis: as they are said briefly if that is exact, else all in one unit. */
export function tickTexts(ticks: readonly (number | null)[], brief: readonly string[]): string[] {
  const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0))
  const isExact = ticks.every(
    (ps, i) => ps === null || Math.abs(psOf(brief[i]!) - ps) <= step * 1e-3,
  )
  if (isExact || step === 0) return [...brief]
  const most = Math.max(...ticks.map((ps) => Math.abs(ps ?? 0)))
  for (const [name, unitPs] of UNITS) {
    const isIn = (digits: number): boolean => {
      const steps = (step / unitPs) * 10 ** digits
      return Math.abs(steps - Math.round(steps)) < 1e-6 && Math.round(steps) > 0
    }
    const decimals = [0, 1, 2, DECIMALS_MAX].find(isIn)
    if (most < unitPs || decimals === undefined) continue
    return ticks.map((ps) => {
      if (ps === null) return ''
      return ps === 0 ? '0' : `${(ps / unitPs).toFixed(decimals)} ${name}`
    })
  }
  return ticks.map((ps) => (ps === null ? '' : timeText(ps, step)))
}

/** Of a time as it is said. */
function psOf(text: string): number {
  const [value, unit] = text.split(' ')
  return Number(value) * (UNITS.find(([name]) => name === unit)?.[1] ?? 1)
}
