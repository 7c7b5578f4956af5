import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import { loadSpec } from './spec/load.ts'
import { eventDriven, graphOf, specOf, watchArrivals } from './testing/index.ts'

describe('cut-through', () => {
  it('counts neither header nor payload of a packet whose tail has not left', () => {
    const text = `
topology: {kind: star, hosts: 2, rate: 1Gbps, delay: 0us}
fabric: {forwarding: cut-through}
workload: [{flows: [{from: h0, to: h1, size: 3KB}]}]
scheme: none
run: {until: 1ms}
`
    const run = createRun(loadSpec({ text }))
    // A packet takes 8.384 us, its header 0.384: at most times a head is ahead of its tail.
    for (let ps = 0; ps < 60e6; ps += 0.7e6) {
      run.step(ps)
      const { allBytes, controlBytes, dataBytes } = run.result().counters
      expect(dataBytes).toBeGreaterThanOrEqual(0)
      expect(controlBytes).toBeLessThanOrEqual(allBytes)
      // Whole packets of 48 and 1000 B, and ACKs of 60 B.
      expect((controlBytes - (dataBytes / 1000) * 48) % 60).toBe(0)
    }
  })

  it('holds the bytes of a packet until its tail has left, though its head is gone', () => {
    const run = createRun(
      specOf({
        topology: graphOf(['h0 s0', 's0 s1', 's1 h1'], { rate: '1Gbps', delay: '0us' }),
        fabric: { forwarding: 'cut-through' },
        hosts: { ack: 'none' },
        workload: [{ flows: [{ from: 'h0', to: 'h1', size: '1KB' }] }],
        run: { until: '1ms' },
      }),
    )
    const { observer } = run.network
    // s0 has the header after 0.384 us, s1 as much later; a packet takes 8.384 us.
    const heldAt = (us: number): number[] => {
      run.step(us * 1e6)
      return [2, 4].map((port) => observer.heldBytes(port, us * 1e6))
    }
    expect(heldAt(0.3)).toEqual([0, 0])
    expect(heldAt(0.5)).toEqual([1048, 0])
    expect(heldAt(8.7)).toEqual([1048, 1048])
    expect(heldAt(8.8)).toEqual([0, 1048])
    expect(heldAt(9.2)).toEqual([0, 0])
  })
})

describe('fast ports and an event for each departure', () => {
  /** Bursts of h1 and h2 queue up in one class; one of h3 in another makes ports slow down. */
  const flows = [0, 1, 2].flatMap((burst) =>
    [1, 2, 3].map((host) => ({
      from: `h${host}`,
      to: 'h0',
      size: `${3 + host}KB`,
      class: host === 3 ? 1 : 0,
      start: `${burst * 17 + (host === 3 ? 0.4 + burst : 0)}us`,
    })),
  )

  it.each([
    ['cut-through', 'none'],
    ['cut-through', 'pfc'],
    ['store-and-forward', 'pfc'],
  ])('count and deliver the same (%s, %s)', (forwarding, kind) => {
    const pfc = { kind: 'pfc', xoff: '3KB', xonGap: '1KB' }
    const spec = specOf({
      topology: graphOf(['h1 s1', 'h2 s1', 'h3 s1', 's1 s0', 's0 h0'], { delay: '100ns' }),
      fabric: { forwarding, flowControl: kind === 'pfc' ? pfc : 'none', classes: 2 },
      hosts: { ack: { every: 1, class: 'data' } },
      workload: [{ flows }],
      run: { until: '1ms' },
    })
    const [fast, slow] = [createRun(spec), eventDriven(createRun(spec))].map((run) => {
      const arrivals = watchArrivals(run)
      const { fabric } = run.network
      const sent: number[][] = []
      for (let us = 1; us < 60; us++) {
        run.step(us * 1e6)
        sent.push(
          Array.from({ length: fabric.ports.count }, (_, port) =>
            run.network.observer.departedBytes(port, us * 1e6),
          ),
        )
      }
      while (run.advance(1e6)) continue
      return { arrivals: arrivals(), sent, ended: run.result().ended, flows: run.result().flows }
    })
    expect(fast!.ended).toEqual({ why: 'completed' })
    expect(slow).toEqual(fast)
    // To h0 pass all flows, nothing else: 45 packets.
    expect(fast!.sent.at(-1)![8]).toBe(45 * 1048)
  })
})
