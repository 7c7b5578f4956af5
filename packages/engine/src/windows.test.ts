import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Windows } from './windows.ts'

type Event = readonly [timePs: number, kind: number, target: number]

/** Every event up to a time, in the order in which they run. */
function runTo(windows: Windows, endPs: number, on: () => void = () => undefined): Event[] {
  const events: Event[] = []
  windows.open(endPs)
  while (windows.pop()) {
    events.push([windows.nowPs, windows.kind, windows.target])
    on()
  }
  return events
}

const byOrder = (a: Event, b: Event): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

describe('a cell', () => {
  it('has its events by time, kind and target, however they were scheduled', () => {
    const events = fc.array(
      fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 5 }), fc.nat(5)) as fc.Arbitrary<Event>,
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(events, (all) => {
        const windows = new Windows(1)
        for (const [timePs, kind, target] of all) windows.schedule(1 + timePs, kind, target, 0)
        expect(windows.pending).toBe(all.length)
        const expected = all.map(([t, k, i]): Event => [1 + t, k, i]).sort(byOrder)
        expect(runTo(windows, Infinity)).toEqual(expected)
        expect([windows.pending, windows.popped, windows.isOpen]).toEqual([0, all.length, false])
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  it('runs what is made for the present after all that was there, round by round', () => {
    const windows = new Windows(1)
    windows.schedule(5, 4, 0, 0)
    windows.schedule(5, 9, 0, 0)
    const order = runTo(windows, Infinity, () => {
      if (windows.kind === 4) windows.schedule(5, 1, windows.target + 1, 0)
      if (windows.kind === 1 && windows.target === 1) windows.schedule(5, 2, 7, 0)
    })
    expect(order.map(([, kind, target]) => [kind, target])).toEqual([
      [4, 0],
      [9, 0],
      [1, 1],
      [2, 7],
    ])
  })

  it('forgets what is cancelled, and uses its place again', () => {
    const windows = new Windows(1)
    const handles = [3, 1, 2, 1].map((timePs, i) => windows.schedule(timePs, 1, i, 0))
    expect(windows.timeOf(handles[2]!)).toBe(2)
    windows.cancel(handles[1]!)
    windows.cancel(handles[0]!)
    expect(windows.pending).toBe(2)
    expect(runTo(windows, Infinity)).toEqual([
      [1, 1, 3],
      [2, 1, 2],
    ])
    expect(handles).toContain(windows.schedule(9, 1, 0, 0))
  })

  it('agrees with a sorted list over schedules, cancellations and windows at random', () => {
    const step = fc.record({
      inPs: fc.nat(30),
      kind: fc.integer({ min: 1, max: 4 }),
      target: fc.nat(9),
      cell: fc.nat(2),
      cancels: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 120 }), (steps) => {
        const windows = new Windows(3)
        const model: { event: Event; cell: number; handle: number }[] = []
        let nowPs = 0
        steps.forEach(({ inPs, kind, target, cell, cancels }, i) => {
          const event: Event = [nowPs + 1 + inPs, kind, target]
          const handle = windows.schedule(event[0], kind, target, cell)
          model.push({ event, cell, handle })
          const [other] = model
          if (cancels && other !== undefined) {
            windows.cancel(other.handle)
            model.shift()
          }
          if (i % 7 !== 6) return
          nowPs += 10
          const due = model.filter(({ event }) => event[0] < nowPs)
          const expected = [0, 1, 2].flatMap((c) => {
            return due
              .filter(({ cell }) => cell === c)
              .map(({ event }) => event)
              .sort(byOrder)
          })
          expect(runTo(windows, nowPs)).toEqual(expected)
          for (const one of due) model.splice(model.indexOf(one), 1)
          expect(windows.pending).toBe(model.length)
        })
      }),
      { seed: 2, numRuns: 300 },
    )
  })
})

describe('inputs', () => {
  it('take their turn among the events of their cell, by time, kind and target', () => {
    const times = fc.array(fc.nat(8), { maxLength: 40 })
    const events = fc.array(
      fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 3 }), fc.nat(3)) as fc.Arbitrary<Event>,
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(fc.array(times, { maxLength: 4 }), events, (wires, own) => {
        const windows = new Windows(1)
        const kind = 2
        windows.takeFrom({
          kind,
          take: (_, endPs, inbox) => {
            wires.forEach((all, target) => {
              const inTime = all.filter((timePs) => timePs < endPs).sort((a, b) => a - b)
              for (const timePs of inTime) inbox.add(timePs, 10 + target, timePs)
            })
            return Infinity
          },
        })
        for (const [timePs, ownKind, target] of own) windows.post(timePs, ownKind, target, 0)
        if (wires.flat().length > 0) windows.expect(0, Math.min(...wires.flat()))
        const sent = wires.flatMap((all, i) => all.map((ps): Event => [ps, kind, 10 + i]))
        // At time 0 what is posted counts as made for the present, and runs behind what was there.
        const later = (all: Event[]): Event[] => all.filter(([timePs]) => timePs > 0)
        expect(later(runTo(windows, 9))).toEqual(later([...own, ...sent]).sort(byOrder))
      }),
    )
  })
})

describe('windows', () => {
  it('end before their time, and leave what is at it', () => {
    const windows = new Windows(2)
    windows.schedule(10, 1, 0, 0)
    windows.schedule(20, 1, 1, 1)
    expect(runTo(windows, 20)).toEqual([[10, 1, 0]])
    expect([windows.firstPs, windows.latestPs]).toEqual([20, 10])
    // What a cell makes for the window that it runs in is not what comes first after it.
    windows.schedule(20, 2, 0, 0)
    runTo(windows, 22, () => windows.kind === 2 && windows.schedule(21, 3, 0, 0))
    expect(windows.firstPs).toBe(Infinity)
    windows.schedule(30, 1, 1, 1)
    windows.schedule(40, 1, 1, 0)
    expect(windows.firstPs).toBe(30)
    runTo(windows, 35)
    expect(windows.firstPs).toBe(40)
  })

  it('run one cell after the other, in any order that is asked for', () => {
    const order = (cells: Int32Array | undefined): number[] => {
      const windows = new Windows(3)
      if (cells !== undefined) windows.runInOrder(cells)
      for (const cell of [2, 0, 1]) windows.schedule(10 - cell, 1, cell, cell)
      return runTo(windows, Infinity).map(([, , target]) => target)
    }
    expect(order(undefined)).toEqual([0, 1, 2])
    expect(order(Int32Array.of(2, 0, 1))).toEqual([2, 0, 1])
  })

  it('can be ended earlier while they run', () => {
    const windows = new Windows(1)
    for (const timePs of [1, 2, 3]) windows.schedule(timePs, 1, 0, 0)
    const ran = runTo(windows, 100, () => windows.endBy(3))
    expect(ran.map(([timePs]) => timePs)).toEqual([1, 2])
    expect(windows.pending).toBe(1)
  })

  it('let what happens outside make something for the present: after what was there', () => {
    const windows = new Windows(1)
    windows.schedule(5, 3, 0, 0)
    windows.outside(5, () => windows.schedule(5, 1, 1, 0))
    // What is handed out between is as if it had been there.
    windows.schedule(5, 4, 2, 0)
    expect(runTo(windows, 6).map(([, , target]) => target)).toEqual([0, 2, 1])
  })

  it('keep what cells schedule for each other', () => {
    const windows = new Windows(2)
    windows.schedule(1, 1, 0, 1)
    runTo(windows, 5, () => windows.schedule(7, 2, 0, 0))
    expect(runTo(windows, 10)).toEqual([[7, 2, 0]])
  })
})
