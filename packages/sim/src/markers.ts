/** ECN marking at the ports of a network: as the spec says, or as the scheme recommends. */
import type { Random } from '@weir/engine'
import { markArrivals, markDepartures, Marker } from '@weir/fabric'
import type { Control, Fabric, Marking } from '@weir/fabric'
import type { ValidSpec } from './spec/valid-spec.ts'

/** What a port of this rate marks by: the spec's own setting, or what the scheme recommends. */
function markingOf(spec: ValidSpec, control: Control, rateBps: number): Marking | undefined {
  const { ecn } = spec.fabric
  if (ecn === 'auto') return control.marking(rateBps)
  switch (ecn.kind) {
    case 'none':
      return undefined
    case 'threshold': {
      const scale = ecn.referenceRateBps > 0 ? rateBps / ecn.referenceRateBps : 1
      const kBytes = Math.round(ecn.kBytes * scale)
      return { kminBytes: kBytes, kmaxBytes: kBytes, pmax: 1, at: ecn.at }
    }
    case 'red': {
      const scale = ecn.referenceRateBps > 0 ? rateBps / ecn.referenceRateBps : 1
      const kminBytes = Math.round(ecn.kminBytes * scale)
      return { kminBytes, kmaxBytes: Math.round(ecn.kmaxBytes * scale), pmax: ecn.pmax, at: ecn.at }
    }
  }
}

/** Markers at arrivals are returned; those at departures are the fabric's own. */
export function makeMarkers(
  spec: ValidSpec,
  fabric: Fabric,
  control: Control,
  random: (name: string) => Random,
): (Marker | undefined)[] {
  const { ports, packets } = fabric
  const markers = new Array<Marker | undefined>(ports.count).fill(undefined)
  for (let port = 0; port < ports.count; port++) {
    if (ports.fromHost[port] === 1) continue
    const marking = markingOf(spec, control, ports.rateBps[port]!)
    if (marking === undefined) continue
    const marker = new Marker(packets, ports, marking, random(`marking.${port}`))
    if (marking.at === 'enqueue') {
      markers[port] = marker
      markArrivals(fabric, port, marking.kminBytes)
    } else markDepartures(fabric, port, marker)
  }
  return markers
}
