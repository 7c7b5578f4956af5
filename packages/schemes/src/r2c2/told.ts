/** What an agent's packet of R2C2 says, for those who watch: a page that draws broadcasts. */
import { TYPE_DIGEST, TYPE_FINISH, TYPE_START } from '@weir/rack'
import { newHeard, readAnnouncement, typeOfCode } from './fields.ts'

export interface Told {
  /** A broadcast of a flow's start or end, or of a digest; else a message from node to node. */
  readonly what: 'start' | 'finish' | 'digest' | 'message'
  /** Node that began the broadcast, and its number for it; -1 for a message. */
  readonly source: number
  readonly sequence: number
  /** Node that the flow goes to; -1: it is of no flow. */
  readonly target: number
}

const MESSAGE: Told = { what: 'message', source: -1, sequence: -1, target: -1 }

export function toldBy(code: number, a: number, b: number): Told {
  const type = typeOfCode(code)
  const what =
    type === TYPE_START
      ? 'start'
      : type === TYPE_FINISH
        ? 'finish'
        : type === TYPE_DIGEST
          ? 'digest'
          : 'message'
  if (what === 'message') return MESSAGE
  const heard = newHeard()
  readAnnouncement(code, a, b, heard)
  const { source, sequence, target } = heard
  return { what, source, sequence, target: what === 'digest' ? -1 : target }
}
