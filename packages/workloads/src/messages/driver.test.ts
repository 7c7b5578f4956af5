import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MessageDriver } from './driver.ts'
import type { MessagesInput, MessagesReport } from './driver.ts'
import type { ProgramInput } from './benchmark.ts'

const HOSTS = ['h0', 'h1', 'h2', 'h3'].map((name) => ({ name, rateBps: 10e9 }))
const NET_PS = 1000

describe('the message driver', () => {
  it('lets a ping-pong take two overheads and the network, each way', () => {
    const { report } = carryOut({ kind: 'ping-pong', bytes: 8, iterations: 10 }, ['h0', 'h1'])
    expect(measure(report, 'latencyMean')).toBe(NET_PS + 30 + 50)
    expect(report.messages).toBe(22)
  })

  it('keeps messages of one host off the network, one copy at a time', () => {
    const text = '0 send 1 100B\n0 send 1 100B\n1 recv 0\n1 mark one\n1 recv 0\n1 mark two'
    const { report, sent } = carryOut({ kind: 'text', text }, ['h0', 'h0'])
    expect(sent).toEqual([])
    // A copy of 100 B at 8 Gb/s takes 100,000 ps; the local delay is 7.
    expect(report.marks).toEqual([
      { label: 'one', process: 1, atPs: 100_007 },
      { label: 'two', process: 1, atPs: 200_007 },
    ])
  })

  it('receives from the process that is named, whatever comes first', () => {
    const text =
      '1 compute 5ns\n1 send 0 1B\n2 send 0 1B\n0 recv 1\n0 mark one\n0 recv 2\n0 mark two'
    const { report } = carryOut({ kind: 'text', text }, ['h0', 'h1', 'h2'])
    const [one, two] = report.marks
    expect(one!.atPs).toBe(5000 + 30 + NET_PS + 50)
    expect(two!.atPs).toBe(one!.atPs + 50)
  })

  it('says what cannot end', () => {
    const run = (text: string) => (): unknown => carryOut({ kind: 'text', text }, ['h0', 'h1'])
    expect(run('0 recv 1')).toThrow('Process 0 waits for ever for a message from process 1')
    expect(run('0 send 1 8B')).toThrow('Process 1 never receives 1 of the messages')
    expect(run('0 recv 1\n0 send 1 1B\n1 recv 0\n1 send 0 1B')).toThrow('waits for ever')
  })

  it('measures a ring by the bytes that a process sends', () => {
    const ring = {
      kind: 'ring',
      bytes: 1000,
      iterations: 5,
      orders: 0,
      isOverlapped: true,
    } as const
    const { report } = carryOut(ring, ['h0', 'h1', 'h2', 'h3'])
    const iterationPs = 2 * measure(report, 'latency')
    expect(measure(report, 'bandwidth')).toBeCloseTo((2000 * 1e12) / iterationPs, 3)
    // And six of the barrier before it.
    expect(report.messages).toBe(4 * 2 * 5 + 6)
  })

  const programs: ProgramInput[] = [
    { kind: 'ping-pong', bytes: 64, iterations: 2 },
    { kind: 'ring', bytes: 64, iterations: 2, orders: 3, isOverlapped: false },
    { kind: 'ring', bytes: 64, iterations: 2, orders: 0, isOverlapped: true },
    { kind: 'ptrans', order: 32, memoryBytesPerSecond: 1e9 },
    { kind: 'random-access', rounds: 3, lookahead: 64, updatesPerSecond: 1e7 },
    { kind: 'fft', points: 256, flopsPerSecond: 1e9 },
    { kind: 'hpl', order: 64, block: 16, flopsPerSecond: 1e9 },
    { kind: 'allreduce', bytes: 4096, iterations: 2 },
  ]

  it('carries every benchmark out with any number of processes, on any hosts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...programs),
        fc.array(fc.constantFrom('h0', 'h1', 'h2', 'h3'), { minLength: 2, maxLength: 7 }),
        (program, processes) => {
          const { report } = carryOut(program, processes)
          expect(report.endPs).toBeGreaterThan(0)
          expect(report.measures.length).toBeGreaterThan(0)
          for (const { value } of report.measures) expect(value).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('moves the whole vector but a share, twice, in an allreduce', () => {
    const { sent } = carryOut({ kind: 'allreduce', bytes: 4000, iterations: 1 }, [
      'h0',
      'h1',
      'h2',
      'h3',
    ])
    expect(sent.filter(({ from }) => from === 2).reduce((sum, { bytes }) => sum + bytes, 0)).toBe(
      6000,
    )
  })
})

interface Sent {
  readonly from: number
  readonly bytes: number
}

/** Carries a program out over a network that takes 1,000 ps for any message. */
function carryOut(
  program: ProgramInput,
  processes: readonly string[],
): { report: MessagesReport; sent: Sent[] } {
  const input: MessagesInput = {
    kind: 'messages',
    name: 'm',
    processes,
    program,
    startPs: 0,
    sendOverheadPs: 30,
    receiveOverheadPs: 50,
    localDelayPs: 7,
    localRateBps: 8e9,
    class: -1,
  }
  const sent: Sent[] = []
  const events: { atPs: number; order: number; act: (nowPs: number) => void }[] = []
  let count = 0
  const at = (atPs: number, act: (nowPs: number) => void): void => {
    events.push({ atPs, order: count++, act })
  }
  let nowPs = 0
  const driver: MessageDriver = new MessageDriver(input, HOSTS, 1, {
    send: ({ from, to, bytes }) => {
      sent.push({ from, bytes })
      at(nowPs + NET_PS, (now) => driver.onDelivered(from, to, now))
    },
    wakeAt: (process, atPs) => at(atPs, (now) => driver.onWake(process, now)),
  })
  driver.start()
  for (;;) {
    events.sort((a, b) => a.atPs - b.atPs || a.order - b.order)
    const next = events.shift()
    if (next === undefined) break
    nowPs = next.atPs
    next.act(nowPs)
  }
  expect(driver.isOver).toBe(true)
  return { report: driver.report(), sent }
}

function measure(report: MessagesReport, name: string): number {
  return report.measures.find((one) => one.name === name)?.value ?? NaN
}
