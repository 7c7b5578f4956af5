/**
 * Hot spot: each flow goes with a given probability to the hot host and otherwise to any other
 * host, the hot one among them (G. F. Pfister and V. A. Norton, IEEE ToC 1985). Flows of the hot
 * host itself go anywhere, so that every host still sends its share of the load.
 */
import { is, name, ratio, section } from '@weir/engine/codec'
import type { Pair, Pattern, PatternKind } from '../contract.ts'
import { WorkloadError } from '../contract.ts'
import { hostIndex, indexHosts } from '../select-hosts.ts'
import type { Sources } from './sources.ts'
import type { Random } from '@weir/engine'

/** `hot` is a host index; it need not be among the sources. */
export function hotSpot(sources: Sources, hot: number, fraction: number): Pattern {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw new WorkloadError(`A hot spot takes a fraction of ${fraction}; give one from 0 to 1.`)
  }
  const { hosts } = sources
  const from = (position: number, random: Random): Pair => {
    const source = hosts[position]!
    // Drawn for the hot host too, so that each flow takes the same number of draws.
    const isHot = random.uniform() < fraction
    const target = hosts[sources.drawOther(random, position)]!
    return [source, isHot && source !== hot ? hot : target]
  }
  return {
    flowsPerArrival: 1,
    arrival: (random) => [from(sources.draw(random), random)],
    *round(random) {
      for (let i = 0; i < hosts.length; i++) yield from(i, random)
    },
  }
}

export interface HotSpot {
  readonly kind: 'hot-spot'
  /** The hot host's name. */
  readonly host: string
  /** Of all flows, those that go to it; the rest goes anywhere. */
  readonly fraction: number
}

export const hotSpotPattern: PatternKind<HotSpot> = {
  summary: 'a fraction of the flows goes to one host, the rest anywhere',
  codec: section('a hot spot', {
    kind: is('hot-spot'),
    host: name('a host', 'h0'),
    fraction: ratio(0, 1, '0.2'),
  }),
  check: ({ host }, { index }) => void index(host, 'host'),
  make: ({ host, fraction }, { hosts, sources }) =>
    hotSpot(sources, hostIndex(hosts, indexHosts(hosts), host), fraction),
}
