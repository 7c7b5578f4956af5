import { ReactionPoint } from '@weir/fabric'
import type { FlowContext, SharedMemory } from '@weir/fabric'
import { schemeByName } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun } from './run.ts'
import { audit, eachEvent, graphOf, specOf } from './testing/index.ts'

/**
 * The worst case of PFC, built to the byte on 10 Gb/s links (800 ps a byte) of 1,000,037 ps. h0's
 * packets pile up at s0, whose output to h1 stands still. When the one that crosses XOFF is in, s0
 * has begun one picosecond ago to send a full packet of h2's to h0, for which the frame must wait.
 * h0's packets are cut so that the last one begins as late as it can: 3,612 bytes after the
 * trigger.
 */
const PACKET = 1048
/** The longest message that QCN's `messageSize` and ACCurate's `frpSize` allow. */
const MESSAGE = 2048
const PACKET_PS = PACKET * 800
const DELAY_PS = 1_000_037
const FRAME_PS = 64 * 800
const UNDER_XOFF = 5

/** Bytes that come while XOFF waits for so many bytes, is sent, and crosses; and what is needed. */
const spanBytes = (waitBytes: number): number =>
  Math.floor((2 * DELAY_PS + waitBytes * 800 + FRAME_PS) / 800)
const headroomFor = (waitBytes: number): number => PACKET + spanBytes(waitBytes) + PACKET

const none = schemeByName('none') as Scheme

/** A flow of one byte sends a message before its data; the rest is line rate. */
class MessageFirst extends ReactionPoint {
  readonly #flow: FlowContext

  constructor(flow: FlowContext) {
    super()
    this.#flow = flow
  }

  override onStart(): void {
    if (this.#flow.sizeBytes === 1) this.#flow.sendControl(1, MESSAGE, 0, 0)
  }
}

const messages = (controlBytesMax: number): Scheme => ({
  ...none,
  create: (values, context) => ({
    ...none.create(values, context),
    controlBytesMax,
    reaction: (flow) => new MessageFirst(flow),
  }),
})

interface Case {
  readonly headroom: string
  /** XOFF waits for a data packet, or for a scheme's message, of this length. */
  readonly waitBytes?: number
  readonly scheme?: Scheme
}

function worstCase({ headroom, waitBytes = PACKET, scheme = none }: Case): {
  drops: number
  headroomBytesMax: number
} {
  const triggerPs = (UNDER_XOFF + 1) * PACKET_PS + DELAY_PS
  const span = spanBytes(waitBytes)
  const full = Math.floor(span / PACKET)
  const rest = span - full * PACKET
  const firstSize = (UNDER_XOFF + 1 + full) * 1000 + rest - 48
  const firstEndsPs = (UNDER_XOFF + 1) * PACKET_PS + span * 800
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
              size: scheme === none ? '1000B' : '1B',
              start: `${triggerPs - 1 - waitBytes * 800 - DELAY_PS}ps`,
            },
          ],
        },
      ],
      run: { until: '100us' },
    }),
    scheme,
  )
  const memory = run.network.switches as SharedMemory
  let headroomBytesMax = 0
  eachEvent(run, run.lastPs, () => {
    headroomBytesMax = Math.max(headroomBytesMax, ...memory.headroomBytes)
  })
  while (run.advance(1)) continue
  if (headroom === 'auto') audit(run)
  return { drops: run.result().counters.packetsDropped, headroomBytesMax }
}

describe('PFC headroom', () => {
  it('is exactly enough in the worst case', () => {
    const headroomBytesMax = headroomFor(PACKET)
    expect(worstCase({ headroom: 'auto' })).toEqual({ drops: 0, headroomBytesMax })
    expect(worstCase({ headroom: `${headroomBytesMax}B` }).drops).toBe(0)
  })

  it('loses a packet with one byte less', () => {
    expect(worstCase({ headroom: `${headroomFor(PACKET) - 1}B` }).drops).toBe(1)
  })

  it('has room for what comes while XOFF waits for a message longer than any data packet', () => {
    const waiting = { waitBytes: MESSAGE, scheme: messages(MESSAGE) }
    const headroomBytesMax = headroomFor(MESSAGE)
    expect(worstCase({ headroom: 'auto', ...waiting })).toEqual({ drops: 0, headroomBytesMax })
    // What is enough for data packets is not.
    expect(worstCase({ headroom: `${headroomFor(PACKET)}B`, ...waiting }).drops).toBe(1)
    expect(worstCase({ headroom: `${headroomBytesMax - 1}B`, ...waiting }).drops).toBe(1)
  })

  it('refuses a message longer than the scheme said, for it was reckoned without', () => {
    const run = (): unknown =>
      worstCase({ headroom: 'auto', waitBytes: MESSAGE, scheme: messages(MESSAGE - 1) })
    expect(run).toThrow('control packet of 2048 bytes, and its controlBytesMax says 2047')
  })
})
