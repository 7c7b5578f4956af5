import { Random } from '@weir/engine'
import type { ContentionPoint, Control, FlowContext, PortContext } from '@weir/fabric'
import { loadSpec, scenarioByName, simulate } from '@weir/sim'
import type { Result } from '@weir/sim'
import { conforms } from '@weir/sim/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { infiniband } from './infiniband.ts'
import { congestionControlTable } from './infiniband/congestion-control-table.ts'
import type { ParamValue } from './param.ts'
import { ackOf, fakeContext, FakeFlow, valuesOf } from './testing/fake-flow.ts'
import { fakeReceiver } from './testing/fake-receiver.ts'

conforms(infiniband)

const US = 1e6

describe('the congestion control table', () => {
  it("has the test bed's and the vendor's delays", () => {
    const testbed = congestionControlTable('testbed', 0, '', 127)
    expect(testbed).toHaveLength(128)
    expect(testbed[0]).toBe(0)
    expect(testbed[106]).toBe(7 * US)
    expect(congestionControlTable('vendor', 0, '', 127)[95]).toBe(7 * US)
  })

  it('never falls, so that more BECNs never mean less delay', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('testbed', 'vendor', 'formula'),
        fc.integer({ min: 1, max: 500 }),
        (form, limit) => {
          const delays = congestionControlTable(form, 120, '', limit)
          for (let i = 1; i <= limit; i++) expect(delays[i]).toBeGreaterThan(delays[i - 1]!)
        },
      ),
    )
  })

  it('reads a table that a user writes, and repeats its last delay', () => {
    expect([...congestionControlTable('table', 0, '0us, 0.5us 2us', 4)]).toEqual([
      0,
      0.5 * US,
      2 * US,
      2 * US,
      2 * US,
    ])
    expect(() => congestionControlTable('table', 0, ' ', 4)).toThrow('cctTable is empty')
  })
})

describe('the switch port of infiniband', () => {
  it('marks nothing below the threshold, and then until nothing waits', () => {
    const port = fakePort({ markingRate: 0, congestionEnd: 'empty' })
    // 3 inputs of 16,000 B and weight 15: 3,000 B.
    expect(port.depart(3000)).toBe(false)
    expect(port.depart(3001)).toBe(true)
    expect(port.depart(1)).toBe(true)
    expect(port.depart(0)).toBe(false)
    expect(port.depart(2999)).toBe(false)
  })

  it('leaves the congestion state at the threshold, if told to', () => {
    const port = fakePort({ markingRate: 0, congestionEnd: 'threshold' })
    expect(port.depart(3001)).toBe(true)
    expect(port.depart(3000)).toBe(false)
    expect(port.depart(3001)).toBe(true)
    expect(fakePort({ threshold: 0, congestionEnd: 'threshold' }).depart(1e9)).toBe(false)
  })

  it('lowers the threshold uniformly from weight 1 to 15, and marks nothing with 0', () => {
    const least = (threshold: number): number => {
      let bytes = 0
      while (bytes <= 48_000 && !fakePort({ threshold, markingRate: 0 }).depart(bytes)) bytes += 500
      return bytes
    }
    for (let weight = 1; weight < 15; weight++) expect(least(weight) - least(weight + 1)).toBe(3000)
    expect(least(0)).toBeGreaterThan(48_000)
  })

  it('is a victim without credits, unless its mask is set', () => {
    expect(fakePort({ markingRate: 0, victimMask: 'none' }, true).depart(9000)).toBe(false)
    expect(fakePort({ markingRate: 0, victimMask: 'none' }, true, true).depart(9000)).toBe(false)
    expect(fakePort({ markingRate: 0, victimMask: 'hosts' }, true).depart(9000)).toBe(false)
    expect(fakePort({ markingRate: 0, victimMask: 'hosts' }, true, true).depart(9000)).toBe(true)
    expect(fakePort({ markingRate: 0, victimMask: 'all' }, true).depart(9000)).toBe(true)
  })

  it('marks one in (1 + Marking_Rate) eligible packets, in the mean', () => {
    const port = fakePort({ markingRate: 4 })
    let marks = 0
    for (let i = 0; i < 10_000; i++) if (port.depart(9000)) marks++
    expect(marks / 10_000).toBeCloseTo(1 / 5, 1)
  })

  it('leaves the state as a victim, and is below the threshold then', () => {
    let isBlocked = false
    const port = fakePort({ markingRate: 0, congestionEnd: 'empty' }, () => isBlocked)
    expect(port.depart(9000)).toBe(true)
    isBlocked = true
    expect(port.depart(9000)).toBe(false)
    isBlocked = false
    expect(port.depart(3000)).toBe(false)
  })

  it('sees what leaves, and shows whether it is congested', () => {
    const port = fakePort({ markingRate: 0, congestionEnd: 'empty' })
    expect([port.point.sees, port.point.observe(0)]).toEqual(['departures', 0])
    port.depart(9000)
    expect(port.point.observe(0)).toBe(1)
    port.depart(0)
    expect(port.point.observe(0)).toBe(0)
  })

  it('spares packets shorter than Packet_Size', () => {
    expect(fakePort({ markingRate: 0, packetSize: 17 }).depart(9000)).toBe(false)
    expect(fakePort({ markingRate: 0, packetSize: 16 }).depart(9000)).toBe(true)
  })
})

describe('the channel adapter of infiniband', () => {
  it('is not limited before a BECN, and waits the delay of its index after one', () => {
    const { becn, reaction } = adapter({ cctiIncrease: 106 })
    expect(reaction.rateBps).toBe(Infinity)
    becn(0)
    // 1,048 B at 10 Gb/s, and 7 us.
    expect((1048 * 8e12) / reaction.rateBps).toBeCloseTo(838_400 + 7 * US, 0)
  })

  it('ignores ACKs without a mark, and CNPs are BECNs too', () => {
    const { reaction } = adapter({})
    reaction.onAck(ackOf({ marked: false }), 0)
    expect(reaction.observe(0)).toBe(0)
    reaction.onControl(2, 0, 0, 0)
    expect(reaction.observe(0)).toBe(0)
    reaction.onControl(1, 0, 0, 0)
    expect(reaction.observe(0)).toBe(1)
  })

  it('stays within CCTI_Min and CCTI_Limit, and falls by one each CCTI_Timer', () => {
    const { becn, flow, reaction } = adapter({ cctiMin: 2, cctiLimit: 5 })
    expect(reaction.observe(0)).toBe(2)
    for (let i = 0; i < 9; i++) becn(0)
    expect(reaction.observe(0)).toBe(5)
    const indices: number[] = []
    for (let i = 0; i < 5 && flow.timersPs[0]! < Infinity; i++) {
      const duePs = flow.timersPs[0]!
      flow.timersPs[0] = Infinity
      reaction.onTimer(0, duePs)
      indices.push(reaction.observe(0))
    }
    expect(indices).toEqual([4, 3, 2])
  })

  it('has one timer for all flows of a port and service level', () => {
    const control = create({})
    const flows = [new FakeFlow(10e9, 10 * US), new FakeFlow(10e9, 10 * US)]
    for (const flow of flows) {
      const reaction = control.reaction(flow)
      reaction.onStart(0)
      reaction.onAck(ackOf({ marked: true }), 0)
    }
    expect(flows[0]!.timersPs[0]).toBe(flows[1]!.timersPs[0])
  })

  it('has timers of other ports and levels that expire at other times', () => {
    const hostNames = Array.from({ length: 17 }, (_, host) => `h${host}`)
    const values = valuesOf(infiniband, { cctiTimer: 50 * US })
    const control = infiniband.create(values, { ...fakeContext(), hostNames })
    const dueAt = (source: number, level: number): number => {
      const flow = Object.assign(new FakeFlow(10e9, 10 * US), { source, class: level })
      const reaction = control.reaction(flow)
      reaction.onStart(0)
      reaction.onAck(ackOf({ marked: true }), 0)
      return flow.timersPs[0]!
    }
    const due = [dueAt(0, 3), dueAt(1, 3), dueAt(0, 2), dueAt(16, 2)]
    expect(new Set(due).size).toBe(4)
    for (const ps of due) expect(ps).toBeLessThanOrEqual(50 * US)
  })

  it('has an index for each queue pair, if it is not told to share one', () => {
    const control = create({ cctiIncrease: 106 })
    const [first, second] = [0, 1].map(() => control.reaction(new FakeFlow(10e9, 10 * US)))
    first!.onStart(0)
    second!.onStart(0)
    first!.onAck(ackOf({ marked: true }), 0)
    expect([first!.observe(0), second!.observe(0)]).toEqual([106, 0])
  })

  it('has the NIC look at the other flows of a level, whose rates have changed', () => {
    const control = create({ level: 'sl', cctiIncrease: 106 })
    const woken: number[] = []
    const [first, second] = [1, 2].map((number) => {
      const wake = (): void => void woken.push(number)
      return control.reaction(Object.assign(new FakeFlow(10e9, 10 * US), { wake }))
    })
    first!.onStart(0)
    second!.onStart(0)
    expect(woken.splice(0)).toEqual([1])
    first!.onAck(ackOf({ marked: true }), 0)
    expect(woken.splice(0)).toEqual([2])
    control.manage!({ where: ['h0'], params: { cctiIncrease: 1 } }, 0)
    expect(woken.splice(0)).toEqual([1, 2])
    first!.onFinished(0)
    expect(woken.splice(0)).toEqual([2])
  })

  it('shares one index over the flows of a service level, and divides its rate', () => {
    const control = create({ level: 'sl', cctiIncrease: 106 })
    const [first, second] = [0, 1].map(() => control.reaction(new FakeFlow(10e9, 10 * US)))
    first!.onStart(0)
    second!.onStart(0)
    first!.onAck(ackOf({ marked: true }), 0)
    expect(second!.observe(0)).toBe(106)
    expect((1048 * 8e12) / second!.rateBps).toBeCloseTo(2 * (838_400 + 7 * US), 0)
    first!.onFinished(0)
    expect((1048 * 8e12) / second!.rateBps).toBeCloseTo(838_400 + 7 * US, 0)
  })
})

describe('the receiving adapter of infiniband', () => {
  /** Which of 12 marked packets, each acknowledged, bring a BECN. */
  const becns = (given: Partial<Record<string, ParamValue>>, marked = 12): number[] => {
    const sent: number[] = []
    let i = 0
    const point = create(given).notification(
      fakeReceiver({ sendControl: () => void sent.push(i) }),
    )!
    for (; i < 12; i++) {
      point.onData(i < marked, 1048, i)
      if (given.feedback !== 'cnp' && i < marked && point.mayEcho()) sent.push(i)
    }
    return sent
  }

  it('answers every FECN if becnEvery is 1, else the first and then one in so many packets', () => {
    for (const feedback of ['ack', 'cnp']) {
      expect(becns({ feedback, becnEvery: 1 })).toHaveLength(12)
      expect(becns({ feedback, becnEvery: 5 })).toEqual([0, 5, 10])
    }
  })

  it('remembers a FECN that came too early for a BECN of its own', () => {
    expect(becns({ feedback: 'cnp', becnEvery: 5 }, 2)).toEqual([0, 5])
    expect(becns({ feedback: 'cnp', becnEvery: 5 }, 0)).toEqual([])
  })
})

describe('the congestion control manager', () => {
  it('changes one port, and leaves the others', () => {
    const control = create({ markingRate: 0 })
    const [here, there] = ['S1->S2', 'S1->h0'].map((name) => portOf(control, name))
    control.manage!({ where: ['S1->S2'], params: { threshold: 0 } }, 0)
    expect(here!.depart(9000)).toBe(false)
    expect(there!.depart(9000)).toBe(true)
    control.manage!({ where: ['S1'], params: { threshold: 15 } }, 0)
    expect(here!.depart(9000)).toBe(true)
  })

  it('changes the timer of adapters under way without moving their index', () => {
    const { becn, control, flow, reaction } = adapter({})
    for (let i = 0; i < 20; i++) becn(0)
    control.manage!({ where: ['h0'], params: { cctiTimer: 1000 * US } }, 10)
    expect(reaction.observe(0)).toBe(20)
    expect(flow.timersPs[0]).toBe(10 + 1000 * US)
  })

  it('counts the timer out as it was before it changes it', () => {
    const { becn, control, reaction } = adapter({ cctiTimer: 50 * US })
    for (let i = 0; i < 20; i++) becn(0)
    control.manage!({ where: ['h0'], params: { cctiTimer: 1000 * US } }, 500 * US)
    expect(reaction.observe(0)).toBe(10)
  })

  it('changes how many FECNs share a BECN at one host', () => {
    const control = create({ becnEvery: 1 })
    control.manage!({ where: ['h1'], params: { becnEvery: 3 } }, 0)
    const answers = [0, 1].map((target) => {
      const point = control.notification(fakeReceiver({ target }))!
      return [0, 1, 2, 3].map((now) => {
        point.onData(true, 1048, now)
        return point.mayEcho()
      })
    })
    expect(answers[0]).toEqual([true, true, true, true])
    expect(answers[1]).toEqual([true, false, false, true])
  })

  it('starts the timers of the hosts anew that it changes, and leaves the others alone', () => {
    const control = create({ cctiTimer: 50 * US })
    const dueAfter = (source: number): number => {
      const flow = Object.assign(new FakeFlow(10e9, 10 * US), { source })
      const reaction = control.reaction(flow)
      reaction.onStart(0)
      reaction.onAck(ackOf({ marked: true }), 0)
      const before = flow.timersPs[0]!
      control.manage!({ where: ['h1'], params: { cctiIncrease: 1 } }, 1 * US)
      return flow.timersPs[0]! - before
    }
    expect(dueAfter(0)).toBe(0)
    expect(dueAfter(1)).not.toBe(0)
  })

  it('lowers an index that is above a new limit', () => {
    const { becn, control, reaction } = adapter({})
    for (let i = 0; i < 20; i++) becn(0)
    control.manage!({ where: [], params: { cctiLimit: 7 } }, 0)
    expect(reaction.observe(0)).toBe(7)
  })

  it('switches congestion control on in the middle of a run', () => {
    const result = onTestbed(
      ['scheme.params.threshold=0', 'run.until=60ms'],
      [{ at: '20ms', where: ['S2->H5'], params: { threshold: 15 } }],
    )
    expect(rateAt(result, 'F1', 19e9)).toBeLessThan(3)
    expect(rateAt(result, 'F1', 60e9)).toBeGreaterThan(12)
  })
})

describe('infiniband on the test bed', () => {
  it('frees the victim, which credits alone do not', () => {
    expect(rateAt(onTestbed(['scheme=none']), 'F1', 40e9)).toBeLessThan(3)
    expect(rateAt(onTestbed([]), 'F1', 40e9)).toBeGreaterThan(12)
  })

  it('frees it with a timer of 50 us if each FECN has a BECN, not if 32 packets share one', () => {
    const victim = (becnEvery: number): number => {
      const settings = ['hosts.ack.every=1', 'scheme.params.cctiTimer=50us', 'run.until=20ms']
      return rateAt(onTestbed([...settings, `scheme.params.becnEvery=${becnEvery}`]), 'F1', 20e9)
    }
    expect(victim(1)).toBeGreaterThan(12)
    expect(victim(32)).toBeLessThan(8)
  })

  it('frees it by notification packets as well, and by service level', () => {
    for (const setting of ['feedback=cnp', 'level=sl']) {
      expect(rateAt(onTestbed([`scheme.params.${setting}`]), 'F1', 40e9)).toBeGreaterThan(12)
    }
  })
})

function create(given: Partial<Record<string, ParamValue>>): Control {
  return infiniband.create(valuesOf(infiniband, given), { ...fakeContext(), bufferBytes: 16_000 })
}

function adapter(given: Partial<Record<string, ParamValue>>): {
  control: Control
  flow: FakeFlow
  reaction: ReturnType<Control['reaction']>
  becn: (nowPs: number) => void
} {
  const control = create(given)
  const flow = new FakeFlow(10e9, 10 * US)
  const reaction = control.reaction(flow as FlowContext)
  reaction.onStart(0)
  const becn = (nowPs: number): void => reaction.onAck(ackOf({ marked: true }), nowPs)
  return { control, flow, reaction, becn }
}

interface Departures {
  readonly point: ContentionPoint
  /** A packet of 1,024 B leaves and so many bytes remain: is it marked? */
  depart(queueBytes: number): boolean
}

function fakePort(
  given: Partial<Record<string, ParamValue>>,
  isBlocked: boolean | (() => boolean) = false,
  toHost: boolean = false,
): Departures {
  return portOf(create(given), 'S1->S2', isBlocked, toHost)
}

function portOf(
  control: Control,
  name: string,
  isBlocked: boolean | (() => boolean) = false,
  toHost: boolean = false,
): Departures {
  let marks = 0
  const context: Partial<PortContext> = {
    name,
    toHost,
    inputs: 3,
    atHost: false,
    random: new Random(1, name),
    packetBytes: () => 1024,
    packetClass: () => 0,
    isBlocked: () => (typeof isBlocked === 'boolean' ? isBlocked : isBlocked()),
    mark: () => {
      marks++
    },
  }
  const point = control.contention(context as PortContext)!
  return {
    point,
    depart(queueBytes): boolean {
      const before = marks
      point.onDeparture(0, queueBytes, 0)
      expect(point.observe(1)).toBe(marks)
      return marks > before
    },
  }
}

function onTestbed(settings: readonly string[], changes: readonly object[] = []): Result {
  return simulate(
    loadSpec({
      text: scenarioByName('infiniband-testbed')!.text,
      settings: [
        ...[1, 2, 3, 4].map((i) => `workload.0.flows.${i}.start=${i}us`),
        'run.until=40ms',
        'metrics.interval=1ms',
        'metrics.series=[rate.*]',
        ...(changes.length === 0 ? [] : [`scheme.changes=${JSON.stringify(changes)}`]),
        ...settings,
      ],
    }),
  )
}

/** Gb/s in the sample that ends at a time. */
function rateAt(result: Result, flow: string, atPs: number): number {
  const series = result.series.find(({ name }) => name === `rate.${flow}`)!
  const i = Math.round((atPs - series.startPs) / series.intervalPs)
  return (series.values[Math.min(i, series.values.length - 1)] ?? NaN) / 1e9
}
