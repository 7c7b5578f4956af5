import type { SharedMemory } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import { audit, graphOf, specOf } from './testing/index.ts'

/**
 * The worst case of PFC, built to the byte on 10 Gb/s links (800 ps a byte) of 1,000,037 ps. h0's
 * packets pile up at s0, whose output to h1 stands still. When the one that crosses XOFF is in, s0
 * has begun one picosecond ago to send a full packet of h2's to h0, for which the frame must wait.
 * h0's packets are cut so that the last one begins as late as it can: 3,612 bytes after the
 * trigger.
 */
const PACKET = 1048
const PACKET_PS = PACKET * 800
const DELAY_PS = 1_000_037
const FRAME_PS = 64 * 800
const UNDER_XOFF = 5
const SPAN_PS = 2 * DELAY_PS + PACKET_PS + FRAME_PS
const SPAN_BYTES = Math.floor(SPAN_PS / 800)
const HEADROOM = PACKET + SPAN_BYTES + PACKET

function worstCase(headroom: string): { drops: number; headroomBytesMax: number } {
  const triggerPs = (UNDER_XOFF + 1) * PACKET_PS + DELAY_PS
  const full = Math.floor(SPAN_BYTES / PACKET)
  const rest = SPAN_BYTES - full * PACKET
  const firstSize = (UNDER_XOFF + 1 + full) * 1000 + rest - 48
  const firstEndsPs = (UNDER_XOFF + 1) * PACKET_PS + SPAN_BYTES * 800
  const delay = `${DELAY_PS}ps`
  const run = createRun(
    specOf({
      topology: graphOf([
        { a: 'h0', b: 's0', rate: '10Gbps', delay },
        { a: 'h2', b: 's0', rate: '10Gbps', delay },
        { a: 's0', b: 'h1', rate: '1Mbps', delay },
      ]),
      fabric: {
        classes: 1,
        buffer: '1MB',
        flowControl: { kind: 'pfc', xoff: `${UNDER_XOFF * PACKET}B`, xonGap: '0B', headroom },
      },
      hosts: { ack: 'none' },
      workload: [
        {
          flows: [
            { from: 'h0', to: 'h1', size: `${firstSize}B` },
            { from: 'h0', to: 'h1', size: '50KB', start: `${firstEndsPs - 1}ps` },
            {
              from: 'h2',
              to: 'h0',
              size: '1000B',
              start: `${triggerPs - 1 - PACKET_PS - DELAY_PS}ps`,
            },
          ],
        },
      ],
      run: { until: '100us' },
    }),
  )
  const memory = run.network.switches as SharedMemory
  let headroomBytesMax = 0
  while (run.advance(1)) {
    if (headroom === 'auto') audit(run)
    headroomBytesMax = Math.max(headroomBytesMax, ...memory.headroomBytes)
  }
  return { drops: run.result().counters.packetsDropped, headroomBytesMax }
}

describe('PFC headroom', () => {
  it('is exactly enough in the worst case', () => {
    expect(worstCase('auto')).toEqual({ drops: 0, headroomBytesMax: HEADROOM })
    expect(worstCase(`${HEADROOM}B`).drops).toBe(0)
  })

  it('loses a packet with one byte less', () => {
    expect(worstCase(`${HEADROOM - 1}B`).drops).toBe(1)
  })
})
