import type { NodeContext, NotificationPoint, Received } from '@weir/fabric'
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
const control = homa.create(valuesOf(homa, { unscheduled: 2000, overcommit: 2 }), fakeContext())

class SizedFlow extends FakeFlow {
  override readonly sizeBytes: number

  constructor(sizeBytes: number) {
    super(10e9, 10 * US)
    this.sizeBytes = sizeBytes
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
  })
})

describe('the receiver of Homa', () => {
  function messagesOf(sizes: readonly number[]): {
    points: NotificationPoint[]
    grants: { flow: number; packets: number; class: number }[]
  } {
    const agent = control.agent!({ host: 1 } as NodeContext)!
    const grants: { flow: number; packets: number; class: number }[] = []
    const points = sizes.map((sizeBytes, flow) =>
      control.notification(
        fakeReceiver({
          flow,
          sizeBytes,
          agent,
          sendControl: (_code, _bytes, packets, trafficClass) =>
            void grants.push({ flow, packets, class: trafficClass }),
        }),
      )!,
    )
    return { points, grants }
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
    const { points, grants } = messagesOf([5000])
    points[0]!.onTimer(0)
    expect(grants).toEqual([])
    points[0]!.onReceived(received(), 0)
    points[0]!.onTimer(1000 * US)
    expect(grants).toEqual([
      { flow: 0, packets: 3, class: 0 },
      { flow: 0, packets: 3, class: 0 },
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
