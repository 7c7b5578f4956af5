import { describe, expect, it } from 'vitest'
import { changeLane, datelines, lanesReached, sameLanes } from './lanes.ts'
import { CLASS, Packets } from './packets.ts'
import { CLASSES } from './ports.ts'
import { buildGraph } from './topologies/index.ts'

const links = { rateBps: 10e9, delayPs: 0, injectionRateBps: 10e9, injectionDelayPs: 0 }

/** Classes in which a packet goes on along these switches, from the class it comes in. */
function along(dimensions: readonly number[], first: number, path: readonly string[]): number[] {
  const graph = buildGraph({ kind: 'torus', dimensions, ...links })
  const data = dimensions.map((_, d) => [2 * d, 2 * d + 1] as const)
  const lanes = datelines(graph, dimensions, [data])
  let lane = first
  return path.slice(1).map((to, i) => {
    const [a, b] = [path[i], to].map((name) => graph.nodes.findIndex((node) => node.name === name))
    const link = graph.links.findIndex(
      (one) => [one.a, one.b].sort().join() === [a, b].sort().join(),
    )
    const port = 2 * link + (graph.links[link]!.a === a ? 0 : 1)
    return (lane = lanes[port * CLASSES + lane]!)
  })
}

describe('the dateline of a ring', () => {
  it('is its wrap-around link, from which on packets are in the second lane', () => {
    expect(along([4], 0, ['n1', 'n2', 'n3', 'n0', 'n1'])).toEqual([0, 0, 1, 1])
    expect(along([4], 0, ['n1', 'n0', 'n3', 'n2'])).toEqual([0, 1, 1])
    expect(along([4], 0, ['n0', 'n1', 'n2', 'n3', 'h3'])).toEqual([0, 0, 0, 0])
  })

  it('leaves other classes alone', () => {
    expect(along([4], 5, ['n2', 'n3', 'n0'])).toEqual([5, 5])
  })
})

describe('the datelines of a torus', () => {
  it('give each dimension two lanes of its own, whichever comes first', () => {
    expect(along([3, 3], 0, ['n1.1', 'n2.1', 'n0.1', 'n0.2', 'n0.0'])).toEqual([0, 1, 2, 3])
    expect(along([3, 3], 0, ['n1.1', 'n1.2', 'n1.0', 'n2.0', 'n0.0'])).toEqual([2, 3, 0, 1])
  })

  it('are none where a dimension has two nodes and so no way round', () => {
    expect(along([3, 2], 0, ['n0.0', 'n0.1', 'h0.1'])).toEqual([2, 2])
    expect(along([3, 2], 0, ['n0.1', 'n0.0'])).toEqual([2])
  })
})

it('lanes that are reached by those given, over several links, are all found', () => {
  const lanes = sameLanes(3)
  lanes[1 * CLASSES + 2] = 5
  lanes[2 * CLASSES + 5] = 6
  expect([...lanesReached(lanes, [2])].sort()).toEqual([2, 5, 6])
  expect([...lanesReached(lanes, [3])]).toEqual([3])
  expect([...lanesReached(lanes, [0])]).toEqual([0])
  expect([...lanesReached(undefined, [3])]).toEqual([3])
})

it('a packet goes on in the class that lanes have for its own at the port it is sent by', () => {
  const packets = new Packets()
  packets.allocate()
  const p = packets.allocate()
  const lanes = sameLanes(3)
  lanes[2 * CLASSES + 5] = 6
  const after = (port: number, trafficClass: number): number => {
    packets.int[p + CLASS] = trafficClass
    changeLane(lanes, packets, port, p)
    return packets.int[p + CLASS]
  }
  expect([after(2, 5), after(1, 5), after(2, 4)]).toEqual([6, 5, 4])
})
