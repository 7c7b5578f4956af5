import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Agenda } from './agenda.ts'
import { Random } from './random.ts'

describe('the agenda', () => {
  it('[AGENDA1] gives events back by time, kind and target, however they were scheduled', () => {
    const event = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 3 }))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), fc.integer(), (events, seed) => {
        const agenda = new Agenda()
        const all = events.map(([t, kind], target) => [t * 1e5, kind, target] as const)
        const random = new Random(seed, 'shuffle')
        const shuffled = all.map((one) => [random.uniform(), one] as const)
        shuffled.sort((a, b) => a[0] - b[0])
        for (const [, [timePs, kind, target]] of shuffled) agenda.schedule(timePs, kind, target)
        const out: (readonly number[])[] = []
        while (agenda.pop()) out.push([agenda.nowPs, agenda.kind, agenda.target])
        expect(out).toEqual(all.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]))
      }),
    )
  })

  it('[AGENDA2] runs what is made for the present picosecond after what was there before', () => {
    const agenda = new Agenda()
    agenda.schedule(10, 2, 5)
    agenda.schedule(10, 3, 1)
    const out: string[] = []
    while (agenda.pop()) {
      out.push(`${agenda.kind}.${agenda.target}`)
      // Of a lower kind and a lower target, and yet behind; and its own child behind that.
      if (agenda.kind === 2 && agenda.target === 5) {
        agenda.schedule(10, 2, 4)
        agenda.schedule(10, 1, 9)
      }
      if (agenda.kind === 1 && agenda.target === 9) agenda.schedule(10, 1, 0)
    }
    expect(out).toEqual(['2.5', '3.1', '1.9', '2.4', '1.0'])
  })

  it('[AGENDA3] keeps the order while events schedule events, near and far', () => {
    for (const spread of [10, 1e3, 1e6, 1e9, 1e12]) {
      const agenda = new Agenda()
      const random = new Random(7, `agenda ${spread}`)
      const scheduledAt = new Map<number, [number, number]>()
      let id = 0
      const add = (): void => {
        const far = random.below(10) === 0 ? 1000 : 1
        const timePs = agenda.nowPs + Math.floor(random.uniform() * spread * far)
        scheduledAt.set(id, [timePs, id])
        agenda.schedule(timePs, 1, id++)
      }
      for (let i = 0; i < 300; i++) add()
      let last: [number, number] = [-1, -1]
      for (let n = 0; n < 150_000; n++) {
        if (!agenda.pop()) throw new Error('ran dry')
        const [timePs, order] = scheduledAt.get(agenda.target) as [number, number]
        scheduledAt.delete(agenda.target)
        if (timePs !== agenda.nowPs) throw new Error('fired at another time')
        if (timePs < last[0] || (timePs === last[0] && order < last[1])) throw new Error('order')
        last = [timePs, order]
        add()
      }
      expect(agenda.pending).toBe(300)
    }
  })

  it('[AGENDA4] peeks without changing what is next', () => {
    const agenda = new Agenda()
    agenda.schedule(7e12, 1, 1)
    expect(agenda.peekPs()).toBe(7e12)
    agenda.schedule(6, 1, 2)
    expect(agenda.peekPs()).toBe(6)
    expect(agenda.pop() && agenda.target).toBe(2)
    expect(agenda.pop() && agenda.target).toBe(1)
    expect(agenda.peekPs()).toBe(Infinity)
    expect(agenda.pop()).toBe(false)
  })
})
