/**
 * What nearly every announcement is, at every node but one: the next of its source, with nothing
 * missing. Many nodes in one program hear it here, side by side in memory, without their control
 * planes and matrices being touched; whatever is otherwise is for the control plane.
 */
import { AnnouncementLog, IN_ORDER } from './announcement-log.ts'
import { LatestHeard } from './announcements-heard.ts'
import { keyOf, NO_LIMIT, wordOf } from './flow-words.ts'
import type { Announcement } from './wire/announcement.ts'
import { TYPE_FINISH } from './wire/packet.ts'

/** What comes again or late is not further behind than this. */
const REPEATED = 32

export class SharedHearing {
  readonly log: AnnouncementLog
  readonly latest: LatestHeard

  constructor(nodes: number, members: number) {
    this.log = new AnnouncementLog(members)
    this.latest = new LatestHeard(nodes, members)
  }

  /**
   * A start or an end has come to a member that can reach its source. False: nothing has been done,
   * and its control plane has to hear it.
   */
  hearNext(member: number, a: Announcement, nowPs: number): boolean {
    const { log, latest } = this
    const at = a.source * latest.members + member
    const word = latest.words[at]!
    const number = (word >>> 1) + 1
    if ((word & 1) !== 0 || (number & 255) !== a.sequence) return false
    if (!log.hasRoom(member, nowPs)) return false
    latest.words[at] = word + 2
    const demand = Math.min(a.demandKbps, NO_LIMIT)
    const isEnd = a.type === TYPE_FINISH ? 1 : 0
    const record = log.add(keyOf(a.source, a.flow), wordOf(a), demand, number, isEnd)
    log.note(member, record, nowPs, IN_ORDER)
    return true
  }

  /**
   * It is one of the latest that its source has said, of which none is missing: a second time it
   * says nothing, but could bring back a flow whose end is not remembered.
   */
  isOld(member: number, { source, sequence }: Announcement): boolean {
    const word = this.latest.words[source * this.latest.members + member]!
    return (word & 1) === 0 && (((word >>> 1) - sequence) & 255) < REPEATED
  }
}
