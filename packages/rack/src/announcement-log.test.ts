import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { AnnouncementLog } from './announcement-log.ts'
import { AnnouncementsHeard, LatestHeard } from './announcements-heard.ts'
import { FlowColumns } from './flow-columns.ts'
import { SharedHearing } from './shared-hearing.ts'
import { TrafficMatrix } from './traffic-matrix.ts'
import { TYPE_FINISH, TYPE_START } from './wire/packet.ts'
import type { Announcement } from './wire/announcement.ts'

const start: Announcement = {
  ...{ type: TYPE_START, priority: 0, tree: 0, protocol: 0, source: 1, target: 2, flow: 3 },
  ...{ demandKbps: Infinity, weightCode: 128, sequence: 0 },
}

const NODES = 8

/** A matrix that takes in what it hears at once, and one that notes it. */
class Pair {
  readonly once = new TrafficMatrix(NODES, { isWatched: false, endPs: 3e6 })
  readonly noted: TrafficMatrix

  constructor(log: AnnouncementLog, member: number) {
    this.noted = new TrafficMatrix(NODES, { isWatched: false, endPs: 3e6, log, member })
  }

  both(act: (matrix: TrafficMatrix) => void): void {
    act(this.once)
    act(this.noted)
  }

  agree(sincePs: number): void {
    expect(this.noted.all()).toEqual(this.once.all())
    const digests = (matrix: TrafficMatrix): object[] =>
      Array.from({ length: NODES }, (_, source) => matrix.digestOf(source))
    expect(digests(this.noted)).toEqual(digests(this.once))
    const [a, b] = [new FlowColumns(), new FlowColumns()]
    this.once.collect(sincePs, a)
    this.noted.collect(sincePs, b)
    expect(b).toEqual(a)
  }
}

function drawn(random: Random): Announcement {
  return {
    ...start,
    type: random.below(2) === 0 ? TYPE_FINISH : TYPE_START,
    source: random.below(NODES),
    flow: random.below(60),
    demandKbps: random.below(4) === 0 ? Infinity : 1 + random.below(3),
  }
}

describe('matrices that share a log', () => {
  it('know what they would know if they took in everything at once', () => {
    const random = new Random(1, 'announcement-log')
    const log = new AnnouncementLog(3)
    const pairs = [0, 1, 2].map((member) => new Pair(log, member))
    let nowPs = 0
    for (let step = 1; step <= 12_000; step++) {
      nowPs += random.below(20) === 0 ? 50_000 : 7
      const a = drawn(random)
      const number = step - random.below(40)
      for (const [i, pair] of pairs.entries()) {
        // The last one is asked seldom, and not all hear everything.
        if (random.below(10) === 0) continue
        pair.both((matrix) => matrix.apply(a, number, nowPs + i))
        if (random.below(i === 2 ? 4000 : 300) === 0) pair.agree(nowPs - 1e5)
        const other = random.below(2000)
        if (other === 0) pair.both((matrix) => matrix.forget(a.source))
        if (other === 1) pair.both((matrix) => matrix.reroute(a.source, a.flow, 3))
        if (other === 2) pair.both((matrix) => matrix.forgetEnds(nowPs - 1e5))
        if (other === 3) pair.both((matrix) => matrix.replace(1, [start], number, nowPs))
      }
    }
    for (const pair of pairs) pair.agree(nowPs)
  })

  it('keep the times of what comes long after the first note', () => {
    const pair = new Pair(new AnnouncementLog(), 0)
    const timesPs = [5, 2 ** 32 + 4, 2 ** 32 + 5, 2 ** 33, 1e12]
    for (const [flow, nowPs] of timesPs.entries()) {
      pair.both((matrix) => matrix.apply({ ...start, flow }, flow + 1, nowPs))
    }
    const sincePs = pair.noted.all().map((flow) => flow.sincePs)
    expect(sincePs.sort((a, b) => a - b)).toEqual(timesPs)
    pair.agree(2 ** 33)
  })

  it('lose nothing when the log begins anew, however long ago one was asked', () => {
    const log = new AnnouncementLog(2)
    const [quiet, busy] = [new Pair(log, 0), new Pair(log, 1)]
    quiet.both((matrix) => matrix.apply(start, 1, 0))
    for (let number = 2; number < 9000; number++) {
      busy.both((matrix) => matrix.apply({ ...start, flow: number & 63 }, number, number))
    }
    for (const pair of [quiet, busy]) pair.agree(1e6)
  })

  it('work out digests that nobody keeps', () => {
    const random = new Random(4, 'digests')
    const kept = new TrafficMatrix(NODES)
    const asked = new TrafficMatrix(NODES, { isDigested: false })
    for (let number = 1; number < 2000; number++) {
      const a = drawn(random)
      for (const matrix of [kept, asked]) matrix.apply(a, number, number)
      expect(asked.digestOf(a.source)).toEqual(kept.digestOf(a.source))
    }
  })

  it('take two of the same number for two where their words differ', () => {
    const log = new AnnouncementLog(2)
    const [one, two] = [new Pair(log, 0), new Pair(log, 1)]
    one.both((matrix) => matrix.apply(start, 1, 0))
    two.both((matrix) => matrix.apply({ ...start, demandKbps: 9 }, 1, 0))
    for (const pair of [one, two]) pair.agree(0)
  })
})

/** What `AnnouncementsHeard` must do, for one source of one node, with a set of all numbers. */
class Naive {
  latest = 0
  sincePs = Infinity
  #missing = new Set<number>()

  hear(low: number, nowPs: number): number {
    let number = this.latest - 128
    while ((number & 255) !== low) number++
    for (let n = this.latest + 1; n < number; n++) this.#missing.add(n)
    this.#missing.delete(number)
    this.latest = Math.max(this.latest, number)
    for (const n of this.#missing) if (n <= this.latest - 32) this.#missing.delete(n)
    if (this.#missing.size === 0) this.sincePs = Infinity
    else if (this.sincePs === Infinity) this.sincePs = nowPs
    return number
  }
}

describe('what several nodes have heard, side by side', () => {
  it('is what each would have noted by itself', () => {
    const random = new Random(2, 'announcements-heard')
    const latest = new LatestHeard(3, 4)
    const nodes = Array.from({ length: 4 }, (_, member) => new AnnouncementsHeard(latest, member))
    const naive = nodes.map(() => [new Naive(), new Naive(), new Naive()])
    const told = [0, 0, 0]
    for (let step = 0; step < 20_000; step++) {
      const source = random.below(3)
      told[source]! += 1
      for (const [i, heard] of nodes.entries()) {
        const draw = random.below(40)
        if (draw === 0) continue
        // Late ones, more than once.
        const number = Math.max(1, told[source]! - (draw < 4 ? random.below(20) : 0))
        const by = naive[i]![source]!
        const number8 = number & 255
        const found = [
          ...[heard.hear(source, number8, step), heard.latest(source)],
          ...[heard.missingSincePs(source), ...heard.amiss()],
        ].join(' ')
        const told8 = by.hear(number8, step)
        const amiss = [0, 1, 2].filter((s) => naive[i]![s]!.sincePs < Infinity)
        if (found !== [told8, by.latest, by.sincePs, ...amiss].join(' ')) {
          expect.fail(`step ${step}, node ${i}: ${found}`)
        }
      }
    }
  })
})

describe('what is heard side by side', () => {
  it('is what control planes would have heard one by one', () => {
    const random = new Random(3, 'shared-hearing')
    const shared = new SharedHearing(NODES, 3)
    const { log, latest } = shared
    const nodes = Array.from({ length: 3 }, (_, member) => ({
      heard: new AnnouncementsHeard(latest, member),
      matrix: new TrafficMatrix(NODES, { isWatched: false, log, member }),
      alone: new AnnouncementsHeard(new LatestHeard(NODES)),
      aloneMatrix: new TrafficMatrix(NODES, { isWatched: false }),
    }))
    const told = Array.from({ length: NODES }, (): Announcement[] => [])
    let usual = 0
    let old = 0
    for (let nowPs = 0; nowPs < 20_000; nowPs++) {
      // Few flows: what comes a second time is often of one that has ended since.
      const a = { ...drawn(random), flow: random.below(6) }
      const number = told[a.source]!.push(a)
      for (const [member, { heard, matrix, alone, aloneMatrix }] of nodes.entries()) {
        const draw = random.below(600)
        if (draw === 0) continue
        // Late ones, which come a second time.
        const which = Math.max(1, number - (draw < 5 ? random.below(9) : 0))
        const sequence = which & 255
        const one = { ...told[a.source]![which - 1]!, sequence }
        const whole = alone.hear(a.source, sequence, nowPs)
        aloneMatrix.apply(one, whole, nowPs)
        if (shared.hearNext(member, one, nowPs)) usual++
        else if (shared.isOld(member, one)) old++
        else matrix.apply(one, heard.hear(a.source, sequence, nowPs), nowPs)
        if (heard.latest(a.source) !== alone.latest(a.source)) expect.fail(`at ${nowPs}`)
      }
      if (nowPs % 50 !== 0) continue
      for (const { matrix, aloneMatrix } of nodes) expect(matrix.all()).toEqual(aloneMatrix.all())
    }
    for (const { heard, alone } of nodes) expect(heard.amiss()).toEqual(alone.amiss())
    expect(usual).toBeGreaterThan(20_000)
    expect(old).toBeGreaterThan(20)
  })
})
