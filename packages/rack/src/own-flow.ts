/** A flow that begins at this node: what waits, what was announced of it, and its limiter. */
import { DemandEstimator } from './demand-estimator.ts'
import type { TokenBucket } from './token-bucket.ts'

export interface FlowOptions {
  readonly weight?: number
  /** 0 to 15; higher ones are served first. */
  readonly priority?: number
  readonly protocol?: number
}

export class OwnFlow {
  readonly flow: number
  readonly target: number
  readonly priority: number
  readonly weightCode: number
  protocol: number
  /** As it was last announced. */
  demandKbps: number = Infinity
  /** Since when no way leads to its target, as its node knows; Infinity: one does. */
  withdrawnPs: number = Infinity
  /** Number of the next packet. */
  sequence = 0
  queuedBytes = 0
  /** Since the last estimate of its demand, headers included, as its bucket counts. */
  sentBytes = 0
  readonly bucket: TokenBucket
  readonly demand: DemandEstimator = new DemandEstimator()
  readonly #queue: Uint8Array[] = []
  readonly #mtuBytes: number

  constructor(
    flow: number,
    target: number,
    allotment: { priority: number; weightCode: number; protocol: number },
    bucket: TokenBucket,
    mtuBytes: number,
  ) {
    this.flow = flow
    this.target = target
    this.priority = allotment.priority
    this.weightCode = allotment.weightCode
    this.protocol = allotment.protocol
    this.bucket = bucket
    this.#mtuBytes = mtuBytes
  }

  /** Cuts what an application writes into payloads. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += this.#mtuBytes) {
      this.#queue.push(bytes.slice(at, at + this.#mtuBytes))
    }
    this.queuedBytes += bytes.length
  }

  /** Bytes of the next payload; 0 if none waits. */
  get nextBytes(): number {
    return this.#queue[0]?.length ?? 0
  }

  take(): Uint8Array {
    const payload = this.#queue.shift()!
    this.queuedBytes -= payload.length
    return payload
  }
}
