/**
 * The contract of an oblivious routing: which fraction of what goes from one node to another each
 * channel carries, exactly, whatever else is under way. P. Costa et al., "R2C2", SIGCOMM 2015,
 * section 3.3: 'a flow's routing protocol dictates its relative rate across its paths', so a rate
 * times these fractions is the load of every link, however many paths there are.
 *
 * Fractions add up to the mean number of hops: a packet that crosses a channel twice counts twice.
 */
import type { Channels } from './channels.ts'

export interface ObliviousRouting {
  readonly name: string
  readonly summary: string
  /** Adds `amount` times the fraction of each channel to `loads`, which has one entry a channel. */
  addLoads(source: number, target: number, amount: number, loads: Float64Array): void
}

/** The channels that a flow uses, ascending, and the fraction of it that each carries. */
export interface LinkFractions {
  readonly links: Int32Array
  readonly fractions: Float64Array
}

export function fractionsOf(
  routing: ObliviousRouting,
  channels: Channels,
  source: number,
  target: number,
): LinkFractions {
  const loads = new Float64Array(channels.count)
  routing.addLoads(source, target, 1, loads)
  const links: number[] = []
  loads.forEach((load, link) => {
    if (load > 0) links.push(link)
  })
  return {
    links: Int32Array.from(links),
    fractions: Float64Array.from(links, (link) => loads[link]!),
  }
}

/** The null member: what stays at home crosses no channel. */
export const noRouting: ObliviousRouting = {
  name: 'none',
  summary: 'no packet leaves its node',
  addLoads: () => undefined,
}
