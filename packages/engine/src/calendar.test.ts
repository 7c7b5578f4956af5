import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Calendar } from './calendar.ts'
import { Random } from './random.ts'

describe('the calendar', () => {
  it('[CAL1] gives events back by time, kind and target, however they were scheduled', () => {
    const event = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 3 }))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), fc.integer(), (events, seed) => {
        const calendar = new Calendar()
        const all = events.map(([t, kind], target) => [t * 1e5, kind, target] as const)
        const random = new Random(seed, 'shuffle')
        const shuffled = all.map((one) => [random.uniform(), one] as const)
        shuffled.sort((a, b) => a[0] - b[0])
        for (const [, [timePs, kind, target]] of shuffled) calendar.schedule(timePs, kind, target)
        const out: (readonly number[])[] = []
        while (calendar.pop()) out.push([calendar.nowPs, calendar.kind, calendar.target])
        expect(out).toEqual(all.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]))
      }),
    )
  })

  it('[CAL5] runs what is made for the present picosecond after what was there before', () => {
    const calendar = new Calendar()
    calendar.schedule(10, 2, 5)
    calendar.schedule(10, 3, 1)
    const out: string[] = []
    while (calendar.pop()) {
      out.push(`${calendar.kind}.${calendar.target}`)
      // Of a lower kind and a lower target, and yet behind; and its own child behind that.
      if (calendar.kind === 2 && calendar.target === 5) {
        calendar.schedule(10, 2, 4)
        calendar.schedule(10, 1, 9)
      }
      if (calendar.kind === 1 && calendar.target === 9) calendar.schedule(10, 1, 0)
    }
    expect(out).toEqual(['2.5', '3.1', '1.9', '2.4', '1.0'])
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
