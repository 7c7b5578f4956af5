import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Inbox } from './inbox.ts'

/** What an inbox says after it was put in order: time, target and item of each record. */
function sorted(records: readonly (readonly [timePs: number, target: number])[]): number[][] {
  const inbox = new Inbox(4)
  records.forEach(([timePs, target], item) => inbox.add(timePs, target, item))
  inbox.sort(0, 2 ** 40 + 1)
  return records.map((_, place) => said(inbox, place))
}

function said(inbox: Inbox, place: number): number[] {
  const record = inbox.at(place)
  return [inbox.timePs(record), inbox.target(record), inbox.item(record)]
}

function expected(records: readonly (readonly [timePs: number, target: number])[]): number[][] {
  const all = records.map(([timePs, target], item) => [timePs, target, item])
  return all.sort((a, b) => a[0]! - b[0]! || a[2]! - b[2]!)
}

describe('an inbox', () => {
  it('orders by time, and leaves what comes at one time as it was added', () => {
    const times = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 ** 40 }))
    const records = fc.array(fc.tuple(times, fc.integer({ min: 0, max: 9 })), { maxLength: 300 })
    fc.assert(
      fc.property(records, (some) => {
        expect(sorted(some)).toEqual(expected(some))
      }),
    )
  })

  it('orders thousands that fall together but for one', () => {
    const some = Array.from({ length: 3000 }, (_, i) => [(i * 7919) % 3000, i] as const)
    const all = [...some, [1e12, 0] as const]
    expect(sorted(all)).toEqual(expected(all))
  })

  it('begins anew', () => {
    const inbox = new Inbox(2)
    for (const timePs of [5, 3, 4]) inbox.add(timePs, 0, 0)
    inbox.sort(0, 9)
    inbox.clear()
    expect(inbox.count).toBe(0)
    inbox.add(1, 8, 9)
    inbox.sort(0, 9)
    expect(said(inbox, 0)).toEqual([1, 8, 9])
  })
})
