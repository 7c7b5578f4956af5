import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { anyTree, graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

/** h0 - s0 - s1 - h1 over links of three rates and delays. */
const line = graphOf([
  { a: 'h0', b: 's0', rate: '10Gbps', delay: '1us' },
  { a: 's0', b: 's1', rate: '40Gbps', delay: '3us' },
  { a: 's1', b: 'h1', rate: '5Gbps', delay: '500ns' },
])

function fctPs(size: string, more: Tree = {}): number {
  const workload = [{ flows: [{ from: 'h0', to: 'h1', size }] }]
  return simulate(specOf({ topology: line, workload, ...more })).flows.fctPs[0]!
}

// By hand. Picoseconds a byte: 800 at 10 Gb/s, 200 at 40, 1,600 at 5.
const PACKET = 1048
const ACK = 60
const DELAYS = 1e6 + 3e6 + 0.5e6
const ACK_BACK = ACK * (1600 + 200 + 800) + DELAYS

describe('an unloaded flow', () => {
  it('of one packet takes what its bits take on each link in turn, and its ACK', () => {
    expect(fctPs('1000B')).toBe(PACKET * (800 + 200 + 1600) + DELAYS + ACK_BACK)
    expect(fctPs('1B')).toBe(49 * (800 + 200 + 1600) + DELAYS + ACK_BACK)
    expect(fctPs('1000B', { hosts: { ack: 'none' } })).toBe(PACKET * 2600 + DELAYS)
  })

  it('of many packets is held back by the slowest link only', () => {
    expect(fctPs('10KB')).toBe(PACKET * (2600 + 9 * 1600) + DELAYS + ACK_BACK)
  })

  it('ends later if its last ACK must wait for the one before it', () => {
    // The last packet, of 49 B, ends 49 B after the others; its ACK of 60 B waits for the other's.
    const last = PACKET * (2600 + 1600) + 49 * 1600 + DELAYS
    expect(fctPs('2001B')).toBe(last + (ACK - 49) * 1600 + ACK_BACK)
  })

  it('is seen by a cut-through switch when its header is in, unless it goes on faster', () => {
    const fabric = { forwarding: 'cut-through' }
    // 40 Gb/s after 10: the head leaves so that the tail just makes it. 5 after 40: after 48 B.
    const there = PACKET * (800 - 200) + 48 * 200 + PACKET * 1600 + DELAYS
    const back = ACK * (1600 - 200) + 48 * 200 + ACK * 800 + DELAYS
    expect(fctPs('1000B', { fabric })).toBe(there + back)
  })

  it('obeys a host rate cap in what it sends, what it takes and the ACK that it takes', () => {
    const hosts = { rateCap: '4Gbps' } // 2,000 ps a byte
    const last = PACKET * (9 * 2000 + 2600 + 2000) + DELAYS
    expect(fctPs('10KB', { hosts })).toBe(last + ACK_BACK + ACK * 2000)
  })

  it('obeys caps of its own for sending and for taking, which may count payload alone', () => {
    const hosts = { rateCap: { send: '5Gbps', take: '4Gbps', counts: 'payload' } }
    // 1,600 ps a byte of payload to send, 2,000 to take: nine and the last; the ACK costs nothing.
    const first = PACKET * 2600 + DELAYS
    expect(fctPs('10KB', { hosts })).toBe(first + 10 * 1000 * 2000 + ACK_BACK)
    const sending = { rateCap: { send: '4Gbps', counts: 'payload' } }
    expect(fctPs('10KB', { hosts: sending })).toBe(first + 9 * 1000 * 2000 + ACK_BACK)
  })

  it(
    'takes its ideal time to the picosecond on any fabric and by any path',
    { timeout: 120_000 },
    () => {
      fc.assert(
        fc.property(anyTree({ schemes: ['none'], flowControl: ['pfc', 'credits'] }), (tree) => {
          const spec = specOf({ ...tree, fabric: roomy(tree.fabric as Tree), routing: 'ecmp' })
          const all = spec.workload[0]!
          if (all.kind !== 'flows') return
          const workload = [{ ...all, flows: [...all.flows].slice(0, 1) }]
          const { flows, ended } = simulate({ ...spec, workload })
          expect(ended.why).toBe('completed')
          expect(flows.fctPs).toEqual(flows.idealFctPs)
        }),
        { numRuns: 300, seed: 21 },
      )
    },
  )
})

/** The same fabric with buffers that no single flow can fill. */
function roomy(fabric: Tree): Tree {
  const { kind } = fabric.flowControl as { kind: string }
  const { size: _size, ...buffer } = fabric.buffer as Tree
  return { ...fabric, buffer: { ...buffer, size: '20MB' }, flowControl: kind }
}
