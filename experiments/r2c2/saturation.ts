/**
 * A pattern on a torus at a given injection, in packets. Each server's injection link has the
 * injection's rate and is always busy, so that nodes inject exactly that; links and buffers lose
 * nothing, so that what a full channel cannot carry piles up before it.
 */
import type { Result, ValidSpec } from '@weir/sim'
import { validateSpec } from '@weir/sim'
import type { Cube, Demand } from '@weir/theory'

export const LINK_BPS = 10e9
const MTU_BYTES = 1000
const HEADER_BYTES = 48

export interface Injection {
  readonly cube: Cube
  readonly demands: readonly Demand[]
  /** Of a link's rate, headers included. */
  readonly rate: number
  /** As a scenario has it. */
  readonly routing: unknown
  readonly untilUs: number
}

export function specOf({ cube, demands, rate, routing, untilUs }: Injection): ValidSpec {
  const flows = demands
    .filter(({ source, target }) => source !== target)
    .map(({ source, target }) => ({
      from: `h${source}`,
      to: `h${target}`,
    }))
  return validateSpec({
    name: 'r2c2-saturation',
    topology: {
      kind: 'torus',
      dimensions: [...cube.sizes],
      rate: `${LINK_BPS}bps`,
      delay: '100ns',
      injectionRate: `${Math.round(rate * LINK_BPS)}bps`,
    },
    fabric: { flowControl: 'none', buffer: { size: '1GB', threshold: '1GB' }, ecn: 'none' },
    hosts: {
      mtu: `${MTU_BYTES}B`,
      header: `${HEADER_BYTES}B`,
      ack: 'none',
      reliability: 'none',
    },
    routing,
    workload: [{ flows }],
    scheme: 'none',
    run: { until: `${untilUs}us` },
    metrics: { interval: 'none' },
  })
}

function nameOf(cube: Cube, node: number): string {
  return `n${cube.sizes.map((_, d) => cube.coordinate(node, d)).join('.')}`
}

export interface Steady {
  /**
   * Share of the time in which the channels that should be the busiest carried bits: their mean,
   * for the most of many sprayed ones is a matter of luck.
   */
  readonly busiest: number
  /** Delivered over injected, of all flows and of the one that gets the least of its part. */
  readonly delivered: number
  readonly leastDelivered: number
}

/**
 * What happens in the second half of a run, from a run of half the length and one of the whole;
 * `hottest` are the channels with the highest load by theory.
 */
export function steadyOf(
  half: Result,
  whole: Result,
  injection: Injection,
  hottest: readonly number[],
): Steady {
  const windowPs = whole.measuredPs - half.measuredPs
  const { cube } = injection
  const ports = new Map(whole.ports.name.map((name, port) => [name, port]))
  const busyPs = hottest.map((c) => {
    const port = ports.get(`${nameOf(cube, cube.from[c]!)}->${nameOf(cube, cube.to[c]!)}`)!
    return (
      whole.ports.utilisation[port]! * whole.measuredPs -
      half.ports.utilisation[port]! * half.measuredPs
    )
  })
  const busiest = busyPs.reduce((sum, ps) => sum + ps, 0) / hottest.length / windowPs
  const sending = injection.demands.filter(({ source, target }) => source !== target)
  // A server shares its injection among its flows; those to itself do not exist.
  const flowsOf = new Map<number, number>()
  for (const { source } of sending) flowsOf.set(source, (flowsOf.get(source) ?? 0) + 1)
  const payloadBps = (injection.rate * LINK_BPS * MTU_BYTES) / (MTU_BYTES + HEADER_BYTES)
  let least = Infinity
  let sum = 0
  sending.forEach(({ source }, i) => {
    const bytes = whole.flows.deliveredBytes[i]! - half.flows.deliveredBytes[i]!
    const expected = ((payloadBps / flowsOf.get(source)!) * windowPs) / 8e12
    least = Math.min(least, bytes / expected)
    sum += bytes / expected
  })
  return { busiest, delivered: sum / sending.length, leastDelivered: least }
}
