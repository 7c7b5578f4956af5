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

/**
 * A mean as `show` writes it and half of its interval, in the mean's unit and with as many decimals
 * as tell the interval: 21.0 and 0.0904 is '21.00 ±0.09', 1.71 ms and 17.6 us '1.71 ±0.02 ms'.
 */
export function withInterval(show: (value: number) => string, mean: number, half: number): string {
  const text = show(mean)
  const [, digits = '', unit = ''] = /^(-?[\d,]*\.?\d+)(.*)$/su.exec(text) ?? []
  const shown = Number(digits.replaceAll(',', ''))
  if (!(half > 0) || shown === 0 || !Number.isFinite(shown)) {
    return half > 0 ? `${text} ±${show(half)}` : text
  }
  const scale = 10 ** Math.round(Math.log10(mean / shown))
  const decimals = Math.max(
    digits.split('.')[1]?.length ?? 0,
    Math.min(DECIMALS_MAX, -Math.floor(Math.log10(half / scale))),
  )
  const written = (value: number): string =>
    (value / scale).toLocaleString('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
  return `${written(mean)} ±${written(half)}${unit}`
}

/** Of an interval that is next to nothing no more are shown than that. */
const DECIMALS_MAX = 4
