export { Agenda } from './agenda.ts'
export { editDistance } from './edit-distance.ts'
export { Fingerprint } from './fingerprint.ts'
export { dismiss, meetings, SharedTeam, TeamOver } from './shared-team.ts'
export { Words, wordsForAll } from './team.ts'
export type { Account, Team } from './team.ts'
export { Inbox } from './inbox.ts'
export { Windows } from './windows.ts'
export type { Inputs } from './windows.ts'
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
