/**
 * What nodes would choose in the network of R2C2's Fig. 4 (links of capacity one: 1 to 4, 1 to 3,
 * 2 to 3, 3 to 4): f1 of 1 to 4 by both its ways or by the straight one, f2 of 2 to 4 by its only
 * one. Of two greedy flows f1 should go straight: {1, 1} rather than {2/3, 2/3}.
 */
import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { DESTINATION_TAG, RPS, VLB } from './protocols.ts'
import { selectorAt, selectRoutes } from './route-selector.ts'
import type { RouteRack } from './route-selector.ts'
import { TrafficMatrix } from './traffic-matrix.ts'
import { weightCodeOf } from './wire/announcement.ts'
import { TYPE_START } from './wire/packet.ts'
import type { RouteChoice } from './wire/route-choices.ts'

const KBPS = 1e6
const CONFIG = {
  headroom: 0,
  protocols: [RPS, VLB],
  rhoPs: 0,
  selectEvaluations: 300,
}
const BOTH_WAYS = { links: Int32Array.of(0, 1, 3), fractions: Float64Array.of(0.5, 0.5, 0.5) }
const STRAIGHT = { links: Int32Array.of(0), fractions: Float64Array.of(1) }
const BY_3 = { links: Int32Array.of(1, 3), fractions: Float64Array.of(1, 1) }
const OF_F2 = { links: Int32Array.of(2, 3), fractions: Float64Array.of(1, 1) }

const RACK: RouteRack = {
  capacitiesBps: new Float64Array(4).fill(KBPS * 1e3),
  fractions: (protocol, source) => {
    if (source !== 1) return OF_F2
    return protocol === RPS ? BOTH_WAYS : protocol === VLB ? STRAIGHT : BY_3
  },
}

interface Given {
  readonly demandKbps?: number
  readonly priority?: number
  readonly protocol?: number
}

function chosen(f1: Given, f2: Given, config = CONFIG, rack = RACK): RouteChoice[] {
  const matrix = new TrafficMatrix(5)
  ;[f1, f2].forEach(({ demandKbps = Infinity, priority = 0, protocol = RPS }, i) => {
    const [type, source] = [TYPE_START, i + 1] as const
    const ends = { source, target: 4, flow: 0, tree: 0, sequence: 1, weightCode: weightCodeOf(1) }
    matrix.apply({ type, ...ends, demandKbps, priority, protocol }, 1, 0)
  })
  return selectRoutes(config, matrix, rack, new Random(1, 'routes'), 1)
}

const F1_STRAIGHT = [{ source: 1, flow: 0, protocol: VLB }]

describe('a node that chooses routes', () => {
  it('sends f1 straight, away from a greedy f2', () => {
    expect(chosen({}, {})).toEqual(F1_STRAIGHT)
  })

  it('leaves f1 both its ways if f2 asks for a tenth: 1.8 rather than 1', () => {
    expect(chosen({}, { demandKbps: 0.1 * KBPS })).toEqual([])
  })

  it('leaves them to it if it is served first: all it takes is 2, whatever becomes of f2', () => {
    expect(chosen({ priority: 1 }, {})).toEqual([])
  })

  it('counts a flow that keeps a protocol of its own, and leaves it that', () => {
    // It fills the link from 1 to 3, and from 3 to 4, whatever f2 does.
    expect(chosen({ protocol: DESTINATION_TAG }, {})).toEqual([])
    // Here f2 keeps its own, and f1 should still make way.
    expect(chosen({}, { protocol: DESTINATION_TAG })).toEqual(F1_STRAIGHT)
  })

  it('moves nobody for less than a hundredth of what the rack has', () => {
    // The straight link carries so much: by both ways f1 and f2 have 2/3 each, 4/3 in all.
    const straightFor = (capacity: number): RouteRack => ({
      ...RACK,
      capacitiesBps: Float64Array.of(capacity, 1, 1, 1).map((one) => one * KBPS * 1e3),
    })
    expect(chosen({}, {}, CONFIG, straightFor(1 / 3 + 0.012))).toEqual([])
    expect(chosen({}, {}, CONFIG, straightFor(1 / 3 + 0.015))).toEqual(F1_STRAIGHT)
  })

  it('leaves out flows that are younger than rho, and those that no way leads for', () => {
    expect(chosen({}, {}, { ...CONFIG, rhoPs: 1 })).toEqual(F1_STRAIGHT)
    expect(chosen({}, {}, { ...CONFIG, rhoPs: 2 })).toEqual([])
    const cut: RouteRack = {
      ...RACK,
      fractions: (protocol, source, target) =>
        source === 1 ? undefined : RACK.fractions(protocol, source, target),
    }
    expect(chosen({}, {}, CONFIG, cut)).toEqual([])
  })
})

it('turns to choose go round by the clock, past nodes that cannot be reached', () => {
  const at = (nowPs: number, lost: readonly number[] = []): number =>
    selectorAt({ selectPs: 10 }, [5, 6, 7], (node) => !lost.includes(node), nowPs)
  expect([0, 9, 10, 20, 29, 30].map((now) => at(now))).toEqual([5, 5, 6, 7, 7, 5])
  expect([at(20, [7]), at(10, [6, 7]), at(0, [5, 6, 7])]).toEqual([5, 5, -1])
})
