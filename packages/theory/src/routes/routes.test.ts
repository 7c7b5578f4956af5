import { foldedClos } from '@weir/fabric'
import { Random } from '@weir/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  broadcastTree,
  channelLoads,
  Channels,
  Cube,
  destinationTag,
  ecmpPath,
  ecmpRouting,
  fractionsOf,
  graphChannels,
  heaviestMatching,
  hopSpraying,
  maxLoad,
  noRouting,
  patternNames,
  patternOf,
  rlb,
  romm,
  ShortestWays,
  spraying,
  throughput,
  Translated,
  valiant,
  worstCase,
} from './index.ts'
import type { ObliviousRouting, PatternName } from './index.ts'

/** What enters each node less what leaves it, with 1 injected at the source and 1 taken out. */
function imbalance(channels: Channels, routing: ObliviousRouting, s: number, t: number): number {
  const loads = new Float64Array(channels.count)
  routing.addLoads(s, t, 1, loads)
  const net = new Float64Array(channels.nodes)
  if (s !== t) ((net[s]! += 1), (net[t]! -= 1))
  loads.forEach((load, c) => {
    net[channels.from[c]!]! -= load
    net[channels.to[c]!]! += load
  })
  return net.reduce((worst, x) => Math.max(worst, Math.abs(x)), 0)
}

/** Loads by walking every shortest path, one after the other. */
function byEnumeration(ways: ShortestWays, s: number, t: number): Float64Array {
  const { channels } = ways
  const paths: number[][] = []
  const walk = (node: number, path: number[]): void => {
    if (node === t) {
      paths.push(path)
      return
    }
    for (let c = channels.starts[node]!; c < channels.starts[node + 1]!; c++) {
      if (ways.distance(channels.to[c]!, t) === ways.distance(node, t) - 1) {
        walk(channels.to[c]!, [...path, c])
      }
    }
  }
  walk(s, [])
  expect(ways.ways(s, t)).toBe(paths.length)
  const loads = new Float64Array(channels.count)
  for (const path of paths) for (const c of path) loads[c]! += 1 / paths.length
  return loads
}

/** Every routing of a cube. */
function routingsOf(cube: Cube): ObliviousRouting[] {
  const ways = new ShortestWays(cube)
  return [
    spraying(ways),
    hopSpraying(ways),
    destinationTag(cube),
    destinationTag(cube, 'half'),
    valiant(cube, spraying(ways)),
    romm(cube),
    rlb(cube),
    rlb(cube, { threshold: 2, orders: 'fixed', isReversed: true }),
    ecmpRouting(ways, 7),
  ]
}

const shape = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('torus' as const, 'mesh' as const),
})

describe('routes', () => {
  it('conserve every packet, for every routing, on tori and meshes of any sizes', () => {
    fc.assert(
      fc.property(shape, fc.nat(), fc.nat(), ({ sizes, kind }, a, b) => {
        const cube = new Cube(sizes, kind)
        for (const routing of routingsOf(cube)) {
          expect(imbalance(cube, routing, a % cube.nodes, b % cube.nodes)).toBeLessThan(1e-12)
        }
      }),
      { seed: 1, numRuns: 60 },
    )
  })

  it('spray over all shortest paths as if each were walked', () => {
    fc.assert(
      fc.property(shape, fc.nat(), fc.nat(), ({ sizes, kind }, a, b) => {
        const cube = new Cube(sizes, kind)
        const ways = new ShortestWays(cube)
        const [s, t] = [a % cube.nodes, b % cube.nodes]
        const loads = new Float64Array(cube.count)
        spraying(ways).addLoads(s, t, 1, loads)
        byEnumeration(ways, s, t).forEach((load, c) => expect(loads[c]).toBeCloseTo(load, 12))
      }),
      { seed: 2, numRuns: 60 },
    )
  })

  it('split a flow over the 2 x 2 mesh in halves (R2C2, Fig. 3)', () => {
    const mesh = new Cube([2, 2], 'mesh')
    const { links, fractions } = fractionsOf(spraying(new ShortestWays(mesh)), mesh, 0, 3)
    expect([...fractions]).toEqual([0.5, 0.5, 0.5, 0.5])
    expect([...links].map((c) => `${mesh.from[c]}->${mesh.to[c]}`).sort()).toEqual([
      '0->1',
      '0->2',
      '1->3',
      '2->3',
    ])
  })

  it('tell uniform over ways from uniform at each hop', () => {
    // In a 2 x 3 mesh three ways lead from corner to corner; two of them begin along the long side.
    const mesh = new Cube([2, 3], 'mesh')
    const ways = new ShortestWays(mesh)
    const along = mesh.output(0, 1, 1)
    const part = (routing: ObliviousRouting): number => {
      const loads = new Float64Array(mesh.count)
      routing.addLoads(0, 5, 1, loads)
      return loads[along]!
    }
    expect(part(spraying(ways))).toBeCloseTo(2 / 3, 15)
    expect(part(hopSpraying(ways))).toBe(0.5)
  })

  it('go dimension by dimension, and at half the ring by the parity of the source', () => {
    const cube = new Cube([4, 4])
    const path = (s: number, t: number): string[] =>
      [...fractionsOf(destinationTag(cube), cube, s, t).links]
        .map((c) => `${cube.from[c]}>${cube.to[c]}`)
        .sort()
    expect(path(0, 5)).toEqual(['0>4', '4>5'])
    expect(path(0, 8)).toEqual(['0>4', '4>8'])
    expect(path(4, 12)).toEqual(['0>12', '4>0'])
  })

  it('take VLB by way of every node, so that any traffic looks uniform', () => {
    const cube = new Cube([4, 4])
    const vlb = valiant(cube, destinationTag(cube))
    const random = new Random(1, 'vlb')
    const targets = random.shuffle(Array.from({ length: 16 }, (_, n) => n))
    const demands = targets.map((target, source) => ({ source, target, fraction: 1 }))
    // Twice the uniform load of k / 8 on every channel.
    for (const load of channelLoads(cube, vlb, demands)) expect(load).toBeCloseTo(1, 12)
  })

  it('weight directions by distance: 5/8 and 3/8 of a tornado on a ring of 8', () => {
    const ring = new Cube([8])
    const { fractions, links } = fractionsOf(rlb(ring), ring, 0, 3)
    links.forEach((c, i) => {
      expect(fractions[i]).toBeCloseTo(ring.to[c] === (ring.from[c]! + 1) % 8 ? 5 / 8 : 3 / 8, 12)
    })
    expect(links).toHaveLength(8)
    expect(throughput(ring, rlb(ring), patternOf(ring, 'tornado'))).toBeCloseTo(8 / 15, 12)
  })

  it('draw an intermediate node from the minimal quadrant', () => {
    // From (0,0) to (1,1) by any of four nodes; half the time x first.
    const cube = new Cube([4, 4])
    const loads = new Float64Array(cube.count)
    romm(cube, { orders: 'fixed' }).addLoads(0, 5, 1, loads)
    expect(loads[cube.output(0, 0, 1)]).toBeCloseTo(3 / 4, 12)
    expect(loads[cube.output(0, 1, 1)]).toBeCloseTo(1 / 4, 12)
  })

  it('spray over any graph: the spines of a folded Clos carry a sixteenth each', () => {
    const graph = foldedClos.build({ hosts: 512, radix: 32, rateBps: 1e10, delayPs: 1e5 })
    const { channels } = graphChannels(graph)
    const ways = new ShortestWays(channels)
    expect(ways.ways(0, 511)).toBe(16)
    expect(ways.distance(0, 511)).toBe(4)
    const { fractions } = fractionsOf(spraying(ways), channels, 0, 511)
    expect([...fractions].filter((f) => Math.abs(f - 1 / 16) < 1e-15)).toHaveLength(32)
    expect(() =>
      spraying(new ShortestWays(new Channels(2, []))).addLoads(0, 1, 1, loadsOf(0)),
    ).toThrow('join them by links')
  })

  it('keep an ECMP flow on one shortest path, and spread flows over all', () => {
    const cube = new Cube([4, 4])
    const ways = new ShortestWays(cube)
    const seen = new Set<string>()
    for (let key = 0; key < 200; key++) {
      const path = ecmpPath(ways, 0, 5, key)
      expect(path).toHaveLength(2)
      expect(path).toEqual(ecmpPath(ways, 0, 5, key))
      seen.add(path.join())
    }
    expect(seen.size).toBe(2)
  })

  it('are the same from every node of a torus, moved there from node 0', () => {
    const cube = new Cube([3, 4, 2])
    const ways = new ShortestWays(cube)
    for (const routing of [spraying(ways), valiant(cube, spraying(ways)), romm(cube), rlb(cube)]) {
      const moved = new Translated(cube, routing)
      for (let source = 0; source < cube.nodes; source += 5) {
        for (let target = 0; target < cube.nodes; target++) {
          const [a, b, c] = [0, 1, 2].map(() => new Float64Array(cube.count)) as Float64Array[]
          routing.addLoads(source, target, 2, a!)
          moved.addLoads(source, target, 2, b!)
          const { links, fractions } = moved.fractions(source, target)
          links.forEach((link, i) => (c![link]! += 2 * fractions[i]!))
          a!.forEach((load, link) => expect(b![link]).toBeCloseTo(load, 12))
          expect(c).toEqual(b)
        }
      }
    }
    expect(() => new Translated(new Cube([2], 'mesh'), noRouting)).toThrow('A mesh has edges')
  })

  it('split at half the ring where both ways round are wanted', () => {
    const cube = new Cube([4, 3])
    const loads = new Float64Array(cube.count)
    // From (0, 0) to (2, 1): half of it by (1, 0), half by (3, 0), and all from (2, 0) on.
    destinationTag(cube, 'half').addLoads(0, 7, 1, loads)
    const part = (from: number, to: number): number => loads[cube.between(from, to)]!
    expect([part(0, 3), part(3, 6), part(0, 9), part(9, 6)]).toEqual([0.5, 0.5, 0.5, 0.5])
    expect(part(6, 7)).toBe(1)
    const plus = fractionsOf(destinationTag(cube, 'plus'), cube, 3, 9)
    expect([...plus.links]).toEqual([cube.between(3, 6), cube.between(6, 9)])
  })

  it('take the longer way round only from a threshold on, where there is one', () => {
    const ring = new Cube([8])
    const back = (target: number): number => {
      const loads = new Float64Array(ring.count)
      rlb(ring, { threshold: 2 }).addLoads(0, target, 1, loads)
      return loads[ring.output(0, 0, -1)]!
    }
    expect(back(1)).toBe(0)
    expect(back(2)).toBeCloseTo(2 / 8, 12)
    expect(back(3)).toBeCloseTo(3 / 8, 12)
    expect(back(7)).toBe(1)
  })

  it('go by neither end of the way where another node is to be between', () => {
    const cube = new Cube([4, 4])
    const part = (target: number, d: number): number => {
      const loads = new Float64Array(cube.count)
      romm(cube, { orders: 'fixed', isInner: true }).addLoads(0, target, 1, loads)
      return loads[cube.output(0, d, 1)]!
    }
    // From (0, 0) to (1, 1) by (0, 1) or (1, 0); to (0, 1) there is nothing between.
    expect([part(5, 0), part(5, 1)]).toEqual([0.5, 0.5])
    expect(part(1, 1)).toBe(1)
  })

  it('take dimensions in the reverse order after the node between, where asked', () => {
    const cube = new Cube([4, 5])
    const part = (isReversed: boolean): number => {
      const loads = new Float64Array(cube.count)
      romm(cube, { orders: 'fixed', isReversed }).addLoads(0, 7, 1, loads)
      return loads[cube.output(0, 0, 1)]!
    }
    // From (0, 0) to (1, 2) by six nodes. Three begin with x; by (0, 0) itself the second order.
    expect(part(false)).toBeCloseTo(4 / 6, 12)
    expect(part(true)).toBeCloseTo(3 / 6, 12)
  })

  it('end at the target, also where a channel leads on to nodes without a way back', () => {
    const ways = new ShortestWays(
      new Channels(3, [
        [0, 1],
        [1, 2],
      ]),
    )
    for (const routing of [spraying(ways), hopSpraying(ways)]) {
      const loads = new Float64Array(2)
      routing.addLoads(0, 1, 1, loads)
      expect([...loads]).toEqual([1, 0])
    }
    expect(() => ecmpPath(ways, 2, 0, 1)).toThrow('No way leads from node 2 to node 0')
  })

  it("name the simulator's port of each channel, in the order of a node's ports", () => {
    const graph = foldedClos.build({ hosts: 8, radix: 4, rateBps: 1e10, delayPs: 1e5 })
    const { channels, ports } = graphChannels(graph)
    expect(new Set(ports).size).toBe(2 * graph.links.length)
    ports.forEach((port, c) => {
      const { a, b } = graph.links[port >> 1]!
      const [from, to] = port % 2 === 0 ? [a, b] : [b, a]
      expect([channels.from[c], channels.to[c]]).toEqual([from, to])
      if (c > channels.starts[from]!) expect(port).toBeGreaterThan(ports[c - 1]!)
    })
  })

  it('go by their names', () => {
    expect(routingsOf(new Cube([2])).map(({ name }) => name)).toEqual([
      'random packet spraying',
      'spraying hop by hop',
      'destination tag',
      'destination tag',
      'VLB',
      'ROMM',
      'WLB',
      'WLB',
      'ecmp',
    ])
  })

  it('carry nothing where nothing leaves', () => {
    const cube = new Cube([4, 4])
    expect(maxLoad(channelLoads(cube, noRouting, patternOf(cube, 'uniform')))).toBe(0)
  })
})

describe('patterns', () => {
  // Nodes of a 5 x 3 torus are 3 x + y.
  const cube = new Cube([5, 3])
  const targets = (name: PatternName, source: number): number[] =>
    patternOf(cube, name)
      .filter((demand) => demand.source === source)
      .map(({ target }) => target)

  it('send from whom to whom the literature says', () => {
    expect(targets('bit complement', 3 * 1 + 0)).toEqual([3 * 3 + 2])
    expect(targets('tornado', 3 * 1 + 1)).toEqual([3 * 3 + 1])
    expect(targets('tornado', 3 * 4 + 2)).toEqual([3 * 1 + 2])
    expect(targets('transpose', 3 * 1 + 2)).toEqual([3 * 2 + 1])
    expect(targets('uniform', 4)).toEqual(Array.from({ length: 15 }, (_, n) => n))
    const around = [3 * 2 + 1, 3 * 0 + 1, 3 * 1 + 2, 3 * 1 + 0]
    expect(targets('nearest neighbour', 3 * 1 + 1)).toEqual(around)
  })

  it('add up to 1 for each source', () => {
    for (const name of patternNames) {
      const sums = new Float64Array(15)
      for (const { source, fraction } of patternOf(cube, name)) sums[source]! += fraction
      for (const sum of sums) expect(sum).toBeCloseTo(1, 12)
    }
  })

  it('have uniform traffic at the capacity, sprayed or by dimension', () => {
    for (const torus of [new Cube([4, 4]), new Cube([8])]) {
      const uniform = patternOf(torus, 'uniform')
      expect(throughput(torus, spraying(new ShortestWays(torus)), uniform)).toBeCloseTo(1, 12)
      expect(throughput(torus, destinationTag(torus), uniform)).toBeCloseTo(1, 12)
    }
  })
})

/** Of all perfect matchings, one by one. */
function heaviestOfAll(n: number, weights: Float64Array): number {
  const from = (row: number, used: number): number => {
    if (row === n) return 0
    let best = 0
    for (let c = 0; c < n; c++) {
      if ((used & (1 << c)) !== 0) continue
      best = Math.max(best, weights[row * n + c]! + from(row + 1, used | (1 << c)))
    }
    return best
  }
  return from(0, 0)
}

describe('worst case', () => {
  it('finds the heaviest matching that trying all would find', () => {
    const random = new Random(1, 'matching')
    for (let n = 1; n <= 6; n++) {
      for (let i = 0; i < 10; i++) {
        const weights = Float64Array.from({ length: n * n }, () => random.below(100))
        const { weight, columns } = heaviestMatching(n, weights)
        expect(weight).toBe(heaviestOfAll(n, weights))
        expect(new Set(columns).size).toBe(n)
      }
    }
  })

  it('is at least as bad as any permutation, and its own permutation is that bad', () => {
    const cube = new Cube([4, 4])
    const random = new Random(2, 'worst')
    for (const routing of routingsOf(cube)) {
      const worst = worstCase(cube, routing)
      const load = (targets: ArrayLike<number>): number =>
        maxLoad(
          channelLoads(
            cube,
            routing,
            Array.from(targets, (target, source) => ({ source, target, fraction: 1 })),
          ),
        )
      expect(load(worst.targets)).toBeCloseTo(worst.load, 9)
      for (let i = 0; i < 50; i++) {
        const targets = random.shuffle(Array.from({ length: 16 }, (_, n) => n))
        expect(load(targets)).toBeLessThanOrEqual(worst.load + 1e-9)
      }
    }
  })

  it('is of no channel where none has a load', () => {
    expect(worstCase(new Cube([3]), noRouting)).toMatchObject({ load: 0, channel: -1 })
  })
})

describe('broadcast trees', () => {
  it('reach every node by a shortest way, over one channel each, and differ', () => {
    const cube = new Cube([4, 4, 4])
    const ways = new ShortestWays(cube)
    const seen = new Set<string>()
    for (let tree = 0; tree < 4; tree++) {
      const { arrivals, edges, depth } = broadcastTree(cube, 5, tree)
      expect([edges, depth]).toEqual([63, 6])
      for (let node = 0; node < 64; node++) {
        let hops = 0
        for (let at = node; at !== 5; hops++) at = cube.from[arrivals[at]!]!
        expect(hops).toBe(ways.distance(5, node))
      }
      seen.add(arrivals.join())
    }
    expect(seen.size).toBe(4)
  })

  it('leave out switches that nobody hangs on, and channels that are down', () => {
    const graph = foldedClos.build({ hosts: 512, radix: 32, rateBps: 1e10, delayPs: 1e5 })
    const { channels } = graphChannels(graph)
    const isMember = (node: number): boolean => graph.nodes[node]!.kind === 'host'
    expect(broadcastTree(channels, 0, 0, { isMember }).edges).toBe(544)
    const ring = new Cube([4])
    const down = ring.output(0, 0, 1)
    const { arrivals, depth } = broadcastTree(ring, 0, 0, { isDown: (c) => c === down })
    expect(depth).toBe(3)
    expect([...arrivals]).not.toContain(down)
  })

  it('leave out a node that nothing leads to, and begin at their source all the same', () => {
    const ring = new Cube([4])
    const { arrivals, edges, depth } = broadcastTree(ring, 1, 0, {
      isDown: (c) => ring.to[c] === 0,
    })
    const forwards = [1, 2].map((node) => ring.output(node, 0, 1))
    expect([edges, depth, ...arrivals]).toEqual([2, 2, -1, -1, ...forwards])
  })
})

describe('a cube', () => {
  it('has 8 / k of capacity, and no link twice', () => {
    expect(new Cube([8, 8]).capacity).toBe(1)
    expect(new Cube([4, 4, 4]).capacity).toBe(2)
    expect(new Cube([8, 8], 'mesh').capacity).toBe(0.5)
    expect(new Cube([4, 8]).capacity).toBe(1)
    expect(new Cube([2, 2]).capacity).toBe(2)
    const cube = new Cube([2, 3])
    expect(cube.count).toBe(6 + 12)
    expect(cube.output(0, 0, 1)).toBe(cube.output(0, 0, -1))
    expect(cube.degree).toBe(3)
    expect(cube.between(0, 1)).toBe(cube.output(0, 1, 1))
    expect(cube.between(0, 4)).toBe(-1)
  })

  it('refuses sizes, channels and bisections that are none', () => {
    expect(() => new Cube([])).toThrow('give whole sizes')
    expect(() => new Cube([0])).toThrow('give whole sizes')
    expect(() => new Cube([2, 1.5])).toThrow('A cube of 2 x 1.5 nodes is none')
    expect(() => new Cube([5]).capacity).toThrow('give an even size')
    expect(() => new Channels(1, [[0, 1]])).toThrow('the nodes are 0 to 0')
    expect(
      () =>
        new Channels(2, [
          [1, 0],
          [0, 1],
        ]),
    ).toThrow('sort them by source')
  })
})

function loadsOf(count: number): Float64Array {
  return new Float64Array(count)
}
