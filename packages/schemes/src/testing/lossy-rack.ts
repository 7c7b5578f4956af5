/**
 * A rack on which links lose packets and die: packets are hardly longer than broadcasts, so that
 * both are lost alike; buffers never overflow; and what is lost is sent again, so that a flow that
 * does not end is stranded by its rate.
 */
import { pow } from '@weir/engine'

export const DETECTION_US = 50
/** Of a torus or a mesh. */
export const SLOW_LINKS = { rate: '250Mbps', delay: '100ns', injectionRate: '1Gbps' } as const

export interface LossyRack {
  readonly seed: number
  readonly topology: object
  readonly workload: readonly object[]
  readonly digestUs: number
  /** Of R2C2, beside those that all such racks have. */
  readonly params?: object | undefined
  /** What happens to links; none if left out. */
  readonly changes?: readonly object[] | undefined
  readonly until: string
}

/** A scenario, to be validated. */
export function lossyRack(rack: LossyRack): object {
  return {
    seed: rack.seed,
    topology: rack.topology,
    fabric: { flowControl: 'none', ecn: 'none', buffer: { size: '40MB', threshold: '10MB' } },
    hosts: {
      mtu: '60B',
      header: '40B',
      ack: { every: 1, size: '40B' },
      reliability: 'unordered',
    },
    routing: 'packet-spray',
    workload: rack.workload,
    scheme: {
      name: 'r2c2',
      params: {
        ...{ rho: '200us', digestPeriod: `${rack.digestUs}us`, start: 'link' },
        ...rack.params,
      },
    },
    ...(rack.changes && { links: { detection: `${DETECTION_US}us`, changes: rack.changes } }),
    run: { until: rack.until },
    metrics: { interval: 'none' },
  }
}

/** Errors per bit with which a link loses this fraction of all broadcasts. */
export function errorsFor(loss: number): number {
  return 1 - pow(1 - loss, 1 / 128)
}
