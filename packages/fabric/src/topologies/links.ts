/**
 * Rates and delays of links as scenarios write them: what topologies share of their parameters,
 * each default with its reason.
 */
import { count, orFrom, otherwise, rate, time } from '@weir/engine/codec'
import type { Codec, Fields } from '@weir/engine/codec'

/** A delay may be nothing. */
const delay = (): Codec<number> => time({ zero: true })

/** Hosts of the published RoCE experiments (HPCC, PACC) have 25 Gb/s. */
export const hostRate: Codec<number> = otherwise(rate(), '25Gbps')
/** 200 m of fibre; HPCC section 5.1 and PACC section II take 1 us a link. */
export const linkDelay: Codec<number> = otherwise(delay(), '1us')

/** One kind of link throughout. */
export interface Links {
  readonly rateBps: number
  readonly delayPs: number
}

export const links: Fields<Links> = { rateBps: hostRate, delayPs: linkDelay }

/** Fabrics with two kinds of link; `delay` is for both. */
export interface TieredLinks {
  readonly hostRateBps: number
  readonly hostDelayPs: number
  readonly fabricRateBps: number
  readonly fabricDelayPs: number
}

export const tieredLinks: Fields<TieredLinks> = {
  hostRateBps: hostRate,
  /** Switches of the same experiments are joined at four times that. */
  fabricRateBps: otherwise(rate(), '100Gbps'),
  hostDelayPs: orFrom(delay(), (t) => t['delay']!),
  fabricDelayPs: orFrom(delay(), (t) => t['delay']!),
}

export const bothDelays: { readonly delay: Codec<number> } = { delay: linkDelay }

/** Racks of servers that forward: links between servers, and from a server to its own switch. */
export interface RackLinks extends Links {
  readonly injectionRateBps: number
  readonly injectionDelayPs: number
}

export const rackLinks: Fields<RackLinks> = {
  /** Rack-scale computers (ACCurate, R2C2) have 10 Gb/s links ... */
  rateBps: otherwise(rate(), '10Gbps'),
  /** ... of a few metres, with a forwarding step: R2C2 section 5.2 takes 100 ns a hop. */
  delayPs: otherwise(delay(), '100ns'),
  /** A server injects at the rate of one link unless told, so that `load` reads as elsewhere. */
  injectionRateBps: orFrom(rate(), ({ rateBps }) => rateBps),
  /** A server's own injection link crosses a chip, not a rack. */
  injectionDelayPs: otherwise(delay(), '10ns'),
}

/** How many hosts a fabric of one size may have. */
export const hostCount = (min: number, example: number): Codec<number> =>
  count(min, 65_536, example)
