/** Numbers for people. Quantities with units are the engine's; here are the plain ones. */

/** 1234567 is '1,234,567'; no value is '-'. */
export function count(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '-'
}

/** Three significant digits without an exponent: 1.02, 17.3, 1,830; no value is '-'. */
export function ratio(value: number): string {
  if (!Number.isFinite(value)) return '-'
  if (Math.abs(value) >= 1000) return count(value)
  return value.toPrecision(3)
}

/** A number in 0..1 with three decimals; no value is '-'. */
export function share(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : '-'
}

/** 0.0123 is '1.23 %'; no value is '-'. */
export function percent(value: number): string {
  return Number.isFinite(value) ? `${Number((value * 100).toPrecision(3))} %` : '-'
}
