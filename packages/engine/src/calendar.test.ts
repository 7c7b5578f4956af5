import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Calendar } from './calendar.ts'
import { Random } from './random.ts'

describe('the calendar', () => {
  it('[CAL1] gives events back by time, and equals in the order they were scheduled', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 }), (times) => {
        const calendar = new Calendar()
        times.forEach((t, i) => calendar.schedule(t * 1e5, 1, i))
        const out: [number, number][] = []
        while (calendar.pop()) out.push([calendar.nowPs, calendar.target])
        const expected = times
          .map((t, i): [number, number] => [t * 1e5, i])
          .sort((a, b) => a[0] - b[0] || a[1] - b[1])
        expect(out).toEqual(expected)
      }),
    )
  })

  it('[CAL2] keeps the order while events schedule events, near and far, through retunings', () => {
    for (const spread of [10, 1e3, 1e6, 1e9, 1e12]) {
      const calendar = new Calendar()
      const random = new Random(7, `calendar ${spread}`)
      const scheduledAt = new Map<number, [number, number]>()
      let id = 0
      const add = (): void => {
        const far = random.below(10) === 0 ? 1000 : 1
        const timePs = calendar.nowPs + Math.floor(random.uniform() * spread * far)
        scheduledAt.set(id, [timePs, id])
        calendar.schedule(timePs, 1, id++)
      }
      for (let i = 0; i < 300; i++) add()
      let last: [number, number] = [-1, -1]
      for (let n = 0; n < 150_000; n++) {
        if (!calendar.pop()) throw new Error('ran dry')
        const [timePs, order] = scheduledAt.get(calendar.target) as [number, number]
        scheduledAt.delete(calendar.target)
        if (timePs !== calendar.nowPs) throw new Error('fired at another time')
        if (timePs < last[0] || (timePs === last[0] && order < last[1])) throw new Error('order')
        last = [timePs, order]
        add()
      }
      expect(calendar.pending).toBe(300)
    }
  })

  it('[CAL3] never fires a cancelled event, and reuses its place', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1e9 }), fc.boolean()), { maxLength: 100 }),
        (events) => {
          const calendar = new Calendar()
          const handles = events.map(([t], i) => calendar.schedule(t, 1, i))
          events.forEach(([, cancel], i) => cancel && calendar.cancel(handles[i] as number))
          const fired: number[] = []
          while (calendar.pop()) fired.push(calendar.target)
          const kept = events.flatMap(([, cancel], i) => (cancel ? [] : [i]))
          expect(fired.sort((a, b) => a - b)).toEqual(kept)
        },
      ),
    )
  })

  it('[CAL4] peeks without changing what is next', () => {
    const calendar = new Calendar()
    calendar.cancel(calendar.schedule(5, 1, 0))
    calendar.schedule(7e12, 1, 1)
    expect(calendar.peekPs()).toBe(7e12)
    calendar.schedule(6, 1, 2)
    expect(calendar.peekPs()).toBe(6)
    expect(calendar.pop() && calendar.target).toBe(2)
    expect(calendar.pop() && calendar.target).toBe(1)
    expect(calendar.peekPs()).toBe(Infinity)
    expect(calendar.pop()).toBe(false)
  })
})
