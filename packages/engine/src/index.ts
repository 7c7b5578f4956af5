export { Calendar } from './calendar.ts'
export { Fingerprint } from './fingerprint.ts'
export { Windows } from './windows.ts'
export { hashOf, Random } from './random.ts'
export { atan2, cos, exp, ln, pow, sin } from './portable-math.ts'
export {
  formatRate,
  formatSize,
  formatTime,
  parseRate,
  parseSize,
  parseTime,
  shortRate,
  shortSize,
  shortTime,
  txTimePs,
  UnitError,
} from './units.ts'
