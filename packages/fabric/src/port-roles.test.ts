import { describe, expect, it } from 'vitest'
import { ContentionPoint } from './contract/contention-point.ts'
import type { Fabric } from './fabric.ts'
import type { Marker } from './marking/marker.ts'
import { contend, markArrivals, markDepartures, watchDepartures } from './port-roles.ts'
import { ARBITRATED, FAST, MARK_ABOVE, MODE, Ports, SLOW } from './ports.ts'
import { buildGraph } from './topologies/index.ts'

const PORT = 2

/** Ports, and what is kept by port beside them: all that roles touch. */
function bench(): Fabric {
  const graph = buildGraph({ kind: 'star', hosts: 2, rateBps: 10e9, delayPs: 50 })
  const ports = new Ports(graph, 0)
  return { ports, contention: [], isContended: false, markAtDeparture: [] } as unknown as Fabric
}

const modeOf = ({ ports }: Fabric): number => ports.int[(PORT << 5) + MODE]!

function pointThat(sees: ContentionPoint['sees']): ContentionPoint {
  return new (class extends ContentionPoint {
    readonly sees = sees
  })()
}

describe('a port whose departures are watched', () => {
  it('is slow from then on, and no other port is', () => {
    const fabric = bench()
    expect(modeOf(fabric)).toBe(FAST)
    watchDepartures(fabric, PORT)
    expect(modeOf(fabric)).toBe(SLOW)
    expect([...fabric.ports.watched]).toEqual([0, 0, 1, 0])
  })

  it('stays one that its switch arbitrates', () => {
    const fabric = bench()
    fabric.ports.int[(PORT << 5) + MODE] = ARBITRATED
    watchDepartures(fabric, PORT)
    expect(modeOf(fabric)).toBe(ARBITRATED)
    expect(fabric.ports.watched[PORT]).toBe(1)
  })
})

describe('marking', () => {
  it('at arrivals is a number of bytes, as many as a lane holds', () => {
    const fabric = bench()
    markArrivals(fabric, PORT, 5000)
    expect(fabric.ports.int[(PORT << 5) + MARK_ABOVE]).toBe(5000)
    markArrivals(fabric, PORT, Infinity)
    expect(fabric.ports.int[(PORT << 5) + MARK_ABOVE]).toBe(2 ** 31 - 1)
    expect(modeOf(fabric)).toBe(FAST)
  })

  it('at departures has them watched', () => {
    const fabric = bench()
    const marker = {} as Marker
    markDepartures(fabric, PORT, marker)
    expect(fabric.markAtDeparture[PORT]).toBe(marker)
    expect(fabric.ports.watched[PORT]).toBe(1)
  })
})

describe('a contention point', () => {
  it.each([
    ['nothing', 0],
    ['arrivals', 0],
    ['departures', 1],
    ['both', 1],
  ] as const)('that sees %s has departures watched or not (%i)', (sees, watched) => {
    const fabric = bench()
    const point = pointThat(sees)
    contend(fabric, PORT, point)
    expect(fabric.contention[PORT]).toBe(point)
    expect(fabric.isContended).toBe(true)
    expect(fabric.ports.watched[PORT]).toBe(watched)
    expect(modeOf(fabric)).toBe(watched === 1 ? SLOW : FAST)
  })
})
