/** What an agent's packet of R2C2 says, for those who watch: a page that draws broadcasts. */
import { TYPE_DIGEST, TYPE_FINISH, TYPE_ROUTES, TYPE_START } from '@weir/rack'
import { newHeard, readAnnouncement, sourceOf, typeOfCode } from './fields.ts'

export interface Told {
  /** A broadcast of a flow's start or end, of a digest, of routes; or a message to one node. */
  readonly what: 'start' | 'finish' | 'digest' | 'routes' | 'message'
  /** Node that began the broadcast, and its number for it; -1 if there is none. */
  readonly source: number
  readonly sequence: number
  /** Node that the flow goes to; -1: it is of no flow. */
  readonly target: number
}

const MESSAGE: Told = { what: 'message', source: -1, sequence: -1, target: -1 }

const WHAT: ReadonlyMap<number, Told['what']> = new Map([
  [TYPE_START, 'start'],
  [TYPE_FINISH, 'finish'],
  [TYPE_DIGEST, 'digest'],
  [TYPE_ROUTES, 'routes'],
])

export function toldBy(code: number, a: number, b: number): Told {
  const what = WHAT.get(typeOfCode(code))
  if (what === undefined) return MESSAGE
  if (what === 'routes') return { what, source: sourceOf(code, a), sequence: -1, target: -1 }
  const heard = newHeard()
  readAnnouncement(code, a, b, heard)
  const { source, sequence, target } = heard
  return { what, source, sequence, target: what === 'digest' ? -1 : target }
}
