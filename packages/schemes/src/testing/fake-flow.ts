/**
 * A flow's world in a test of a reaction point: what was armed and sent is there to read. Only
 * tests use it.
 */
import { Random } from '@weir/engine'
import type { Ack, FlowContext } from '@weir/fabric'
import { buildGraph, Telemetry } from '@weir/fabric'
import { resolveParams } from '../param.ts'
import type { ParamValue, ParamValues } from '../param.ts'
import type { Scheme, SchemeContext } from '../scheme.ts'

export class FakeFlow implements FlowContext {
  readonly flow: number = 0
  readonly source: number = 0
  readonly target: number = 1
  readonly class: number = 3
  readonly lineRateBps: number
  readonly baseRttPs: number
  longestRttPs: number
  readonly hops: number = 2
  readonly mtuBytes: number = 1000
  readonly packetBytes: number = 1048
  readonly sizeBytes: number = Infinity
  readonly weight: number = 1
  readonly random: Random = new Random(1, 'fake-flow')
  inflightBytes: number = 0
  unsentBytes: number = Infinity

  get flightBytes(): number {
    return this.inflightBytes
  }

  /** When each timer is due; Infinity: not armed. */
  readonly timersPs: number[] = [Infinity, Infinity, Infinity, Infinity]

  constructor(lineRateBps: number, baseRttPs: number) {
    this.lineRateBps = lineRateBps
    this.baseRttPs = baseRttPs
    this.longestRttPs = baseRttPs
  }

  setTimer(which: number, atPs: number): void {
    this.timersPs[which] = atPs
  }

  cancelTimer(which: number): void {
    this.timersPs[which] = Infinity
  }

  sendControl(): void {}

  wake(): void {}
}

/** A scheme's parameters: defaults, a preset by name, what the test says. */
export function valuesOf(
  scheme: Scheme,
  given: Partial<Record<string, ParamValue>> = {},
  preset: string = '',
): ParamValues {
  return resolveParams(scheme.params, scheme.presets[preset], given)
}

export function fakeContext(telemetry: Telemetry = new Telemetry()): SchemeContext {
  return {
    mtuBytes: 1000,
    packetBytes: 1048,
    hostRateBps: 10e9,
    linkRateBps: 10e9,
    telemetry,
    random: (name) => new Random(1, name),
    nodes: 2,
    bufferBytes: 32e6,
    classes: 8,
    hostNames: ['h0', 'h1'],
    routing: { kind: 'packet-spray', evenOver: 'ports' },
    graph: buildGraph({ kind: 'star', hosts: 2, rateBps: 10e9, delayPs: 1e6 }),
  }
}

/**
 * An ACK of `packets` packets of 1,000 B, of which `acked` is the highest and `next` to be sent.
 */
export function ackOf(fields: Partial<Ack>): Ack {
  return {
    bytes: 1000,
    acked: 1,
    next: 1,
    marked: false,
    rttPs: 10e6,
    hostDelayPs: 0,
    inflightBytes: 0,
    telemetry: -1,
    duplicates: 0,
    recovery: 'none',
    ...fields,
  }
}
