/** Rates as stories, figures and papers spell them: one spelling on every page of the lab. */
import { shortRate } from '@weir/engine'

/** With as many digits as asked for, zeros too: numbers below each other are alike. */
export function rateOfDigits(bps: number, digits: number): string {
  const [number, unit] = rateText(Number(bps.toPrecision(digits))).split(' ')
  const before = Math.trunc(Number(number)).toString().length
  const after = bps === 0 ? 0 : Math.max(0, digits - before)
  return `${Number(number).toFixed(after)} ${unit ?? ''}`
}

/** To three significant digits: '9.41 Gb/s'. */
export function rateText(bps: number): string {
  return shortRate(bps).replace(/bps$/u, 'b/s')
}
