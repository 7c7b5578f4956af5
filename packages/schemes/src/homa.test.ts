import type { Control, NodeContext, NotificationPoint, Received } from '@weir/fabric'
import { conforms } from '@weir/sim/testing'
import { describe, expect, it } from 'vitest'
import { homa } from './homa.ts'
import { FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'
import { fakeReceiver } from './testing/fake-receiver.ts'

conforms(homa, {
  bounds: {
    utilisation: 0.9,
    source: 'SIGCOMM 2018: overcommitment keeps the link full; fairness is not its aim',
  },
})

const US = 1e6
const RETRY_PS = 1000 * US
const control = homa.create(valuesOf(homa, { unscheduled: 2000, overcommit: 2 }), fakeContext())

class SizedFlow extends FakeFlow {
  override readonly sizeBytes: number
  override unsentBytes: number

  constructor(sizeBytes: number) {
    super(10e9, 10 * US)
    this.sizeBytes = sizeBytes
    this.unsentBytes = sizeBytes
  }
}

function received(newBytes: number = 1000): Received {
  return { seq: 0, payloadBytes: 1000, newBytes, isTrimmed: false, class: 3, header: 0 }
}

describe('the sender of Homa', () => {
  it('sends RTTbytes unasked, the shorter the message the higher', () => {
    const { reaction } = homa.create(valuesOf(homa, { unscheduled: 8000 }), fakeContext())
    const points = [2000, 4000, 1e6].map((bytes) => reaction(new SizedFlow(bytes)))
    expect(points.map(({ quota }) => quota)).toEqual([8, 8, 8])
    // Control packets have class 7; three levels up to eight packets are a factor of two apart.
    expect(points.map(({ packetClass }) => packetClass)).toEqual([6, 5, 4])
  })

  it('sends what is granted at the class of the grant, when the unasked packets have left', () => {
    const point = control.reaction(new SizedFlow(1e6))
    point.onControl(1, 5, 1, 0)
    expect(point.quota).toBe(5)
    expect(point.packetClass).toBe(4)
    point.onSent(1048, 0)
    expect(point.packetClass).toBe(4)
    point.onSent(1048, 0)
    expect(point.packetClass).toBe(1)
    // An older grant says nothing new.
    point.onControl(1, 4, 3, 0)
    expect([point.quota, point.packetClass]).toEqual([5, 1])
    // A newer one says what came on top, and its class holds at once.
    point.onControl(1, 7, 2, 0)
    expect([point.quota, point.packetClass]).toEqual([7, 2])
    expect([point.observe(0), point.observe(1)]).toEqual([7, 2])
    // What is no grant is nothing to it.
    point.onControl(0, 9, 0, 0)
    expect(point.quota).toBe(7)
  })

  it('takes what its link carries in a round trip for RTTbytes, unless told', () => {
    const { reaction } = homa.create(valuesOf(homa), fakeContext())
    // 10 Gb/s for 10 us: 12,500 B.
    expect(reaction(new SizedFlow(1e6)).quota).toBe(13)
  })

  it('sends again after a timeout what is missing, and what is granted', () => {
    const flow = new SizedFlow(1e6)
    const point = control.reaction(flow)
    point.onControl(1, 6, 1, 0)
    // Four have left, of the six that may.
    flow.unsentBytes = 1e6 - 4000
    flow.inflightBytes = 3500
    point.quota = 2
    point.onLoss('fast-retransmit', 0)
    expect(point.quota).toBe(2)
    point.onLoss('timeout', 0)
    expect(point.quota).toBe(6)
    point.onLoss('timeout', 0)
    expect(point.quota).toBe(6)
    // Repeated ones do not use up what is left of the grant.
    point.quota = 2
    point.onLoss('timeout', 0)
    expect(point.quota).toBe(6)
  })

  it('does so of a message without end by what its quota says', () => {
    const flow = new SizedFlow(Infinity)
    const point = control.reaction(flow)
    flow.inflightBytes = 3500
    point.quota = 2
    point.onLoss('timeout', 0)
    expect(point.quota).toBe(6)
  })

  it('has fewer levels where there are few classes, and names them and what it can show', () => {
    const few = homa.create(valuesOf(homa, { unscheduled: 8000 }), { ...fakeContext(), classes: 3 })
    expect(few.classes).toEqual([0, 1])
    expect(few.flowInternals).toEqual(['quota', 'class'])
    expect([1000, 1e6].map((bytes) => few.reaction(new SizedFlow(bytes)).packetClass)).toEqual([
      1, 0,
    ])
  })
})

describe('the receiver of Homa', () => {
  function messagesOf(
    sizes: readonly number[],
    of: Control = control,
  ): {
    points: NotificationPoint[]
    grants: { flow: number; packets: number; class: number }[]
    timersPs: number[]
  } {
    const agent = of.agent!({ host: 0 } as NodeContext)!
    const timersPs: number[] = []
    const grants: { flow: number; packets: number; class: number }[] = []
    const points = sizes.map((sizeBytes, flow) =>
      of.notification(
        fakeReceiver({
          flow,
          sizeBytes,
          agent,
          setTimer: (atPs) => void (timersPs[flow] = atPs),
          sendControl: (_code, _bytes, packets, trafficClass) =>
            void grants.push({ flow, packets, class: trafficClass }),
        }),
      )!,
    )
    return { points, grants, timersPs }
  }

  it('grants RTTbytes beyond what has come', () => {
    const { points, grants } = messagesOf([5000])
    for (let i = 0; i < 5; i++) points[0]!.onReceived(received(), i)
    expect(grants.map(({ packets }) => packets)).toEqual([3, 4, 5])
  })

  it('grants nothing to a message that is all unscheduled', () => {
    const { points, grants } = messagesOf([2000])
    points[0]!.onReceived(received(), 0)
    expect(grants).toEqual([])
  })

  it('says its last grant again when nothing has come for long', () => {
    const { points, grants, timersPs } = messagesOf([5000])
    points[0]!.onTimer(0)
    expect(grants).toEqual([])
    points[0]!.onReceived(received(), 5 * US)
    expect(timersPs[0]).toBe(5 * US + RETRY_PS)
    points[0]!.onTimer(1000 * US)
    expect(timersPs[0]).toBe(1000 * US + RETRY_PS)
    expect(grants).toEqual([
      { flow: 0, packets: 3, class: 0 },
      { flow: 0, packets: 3, class: 0 },
    ])
  })

  it('waits for nothing more when all has come', () => {
    const { points, timersPs } = messagesOf([2000])
    points[0]!.onReceived(received(), 0)
    expect(timersPs[0]).toBe(RETRY_PS)
    points[0]!.onReceived(received(), 1)
    expect(timersPs[0]).toBe(Infinity)
  })

  it('is asked at hosts and not at switches', () => {
    expect(control.agent!({ host: -1 } as NodeContext)).toBeUndefined()
  })

  it('takes for the shortest what has least left, not what was shortest', () => {
    const { points, grants } = messagesOf([9000, 5000, 6000])
    for (let i = 0; i < 6; i++) points[0]!.onReceived(received(), i)
    points[1]!.onReceived(received(), 6)
    grants.length = 0
    // Three of nine are left, four of five, and five of six.
    points[2]!.onReceived(received(), 7)
    expect(grants).toEqual([])
    points[0]!.onReceived(received(), 8)
    expect(grants).toEqual([{ flow: 0, packets: 9, class: 1 }])
  })

  it('has as many classes as there are levels, the lowest for all further down', () => {
    const seven = homa.create(valuesOf(homa, { unscheduled: 2000, overcommit: 7 }), fakeContext())
    const { points, grants } = messagesOf([14e3, 12e3, 10e3, 8000, 6000, 4000], seven)
    for (const point of points) point.onReceived(received(), 0)
    grants.length = 0
    for (const point of points) point.onReceived(received(), 1)
    // Four levels of grants below three of unscheduled packets; the shortest is the highest.
    expect(grants.map((grant) => [grant.flow, grant.class])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 1],
      [4, 2],
      [5, 3],
    ])
  })

  it('counts a packet that comes twice once', () => {
    const { points, grants } = messagesOf([5000])
    points[0]!.onReceived(received(), 0)
    points[0]!.onReceived(received(0), 1)
    expect(grants).toHaveLength(1)
  })

  it('grants to the shortest two, the shortest at the highest class in use', () => {
    const { points, grants } = messagesOf([9000, 6000, 4000])
    points[0]!.onReceived(received(), 0)
    expect(grants.at(-1)).toEqual({ flow: 0, packets: 3, class: 0 })
    points[1]!.onReceived(received(), 1)
    expect(grants.at(-1)).toEqual({ flow: 1, packets: 3, class: 1 })
    points[2]!.onReceived(received(), 2)
    expect(grants.at(-1)).toEqual({ flow: 2, packets: 3, class: 1 })
    const before = grants.length
    // The longest has to wait.
    points[0]!.onReceived(received(), 3)
    expect(grants.slice(before)).toEqual([])
  })

  it('grants to the next message when one needs no more', () => {
    const { points, grants } = messagesOf([3000, 3000, 9000])
    points[2]!.onReceived(received(), 0)
    points[0]!.onReceived(received(), 1)
    points[1]!.onReceived(received(), 2)
    points[2]!.onReceived(received(), 3)
    // Both short ones have all that they need, so the long one goes on.
    expect(grants.at(-1)).toEqual({ flow: 2, packets: 4, class: 0 })
  })
})
