/** Rates as stories, figures and papers spell them: one spelling on every page of the lab. */
import { shortRate } from '@weir/engine'

/** To three significant digits: '9.41 Gb/s'. */
export function rateText(bps: number): string {
  return shortRate(bps).replace(/bps$/u, 'b/s')
}
