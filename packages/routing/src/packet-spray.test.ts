import { Random } from '@weir/engine'
import { buildGraph, cubeCoordinates } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import { expect, it } from 'vitest'
import { conforms, packetPath } from './conforms.ts'
import { packetSpray } from './packet-spray.ts'
import { chiSquare, leafSpine, stops, torus } from './testing.ts'

conforms(packetSpray, { shortest: true })

it('spreads the packets of one flow evenly over the spines', () => {
  const graph = leafSpine(2, 16, 1)
  const routing = packetSpray.create(graph, { evenOver: 'ports' })
  const random = new Random(1, 'spray')
  const counts = new Array<number>(16).fill(0)
  for (let packet = 0; packet < 16_000; packet++) {
    const spine = stops(graph, packetPath(graph, routing, 0, 1, random))[1]!
    counts[Number(spine.slice('spine'.length))]!++
  }
  // The quantile at 0.999 of chi-square with 15 degrees of freedom.
  expect(chiSquare(counts)).toBeLessThan(37.7)
})

it('uses both ways around a square equally, as Figure 3 of R2C2 has it', () => {
  const graph = torus(2, 2)
  const routing = packetSpray.create(graph, { evenOver: 'ports' })
  const random = new Random(2, 'spray')
  const by = { 'n0.1': 0, 'n1.0': 0 }
  for (let packet = 0; packet < 4000; packet++)
    by[stops(graph, packetPath(graph, routing, 0, 3, random))[1] as keyof typeof by]++
  expect(chiSquare(Object.values(by))).toBeLessThan(10.83)
})

it('draws only where there is a choice', () => {
  const graph = leafSpine(2, 1, 2)
  const routing = packetSpray.create(graph, { evenOver: 'ports' })
  const random = new Random(3, 'spray')
  packetPath(graph, routing, 0, 3, random)
  expect(random.uint32()).toBe(new Random(3, 'spray').uint32())
})

/** From s to t by p, one way, or by q and three links side by side; a host at each end. */
function unequalWays(): Graph {
  const link = (a: string, b: string): object => ({ a, b, rateBps: 1e9, delayPs: 0 })
  const pairs = ['h0 s', 's p', 's q', 'p t', 'q t', 'q t', 'q t', 'h1 t']
  return buildGraph({
    kind: 'graph',
    hosts: ['h0', 'h1'],
    switches: ['s', 'p', 'q', 't'],
    links: pairs.map((pair) => link(...(pair.split(' ') as [string, string]))),
  } as Parameters<typeof buildGraph>[0])
}

it.each([
  ['ports', 1 / 2],
  ['paths', 1 / 4],
] as const)('is even over %s, as it is told', (evenOver, share) => {
  const graph = unequalWays()
  const routing = packetSpray.create(graph, { evenOver })
  const random = new Random(4, 'spray')
  let byP = 0
  for (let packet = 0; packet < 8000; packet++)
    if (stops(graph, packetPath(graph, routing, 0, 1, random))[1] === 'p') byP++
  // Four standard deviations.
  expect(Math.abs(byP / 8000 - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / 8000))
  expect(routing.name).toBe('packet-spray')
})

it('is even over the paths of a torus, and over its ports at each switch', () => {
  // From a corner of 5 x 3 two links on and one across: three ways, of which two begin along.
  const graph = torus(5, 3)
  const hosts = Array.from({ length: 15 }, (_, host) => cubeCoordinates(host, [5, 3]).join('.'))
  const target = hosts.indexOf('2.1')
  const counts = (evenOver: 'ports' | 'paths'): number => {
    const routing = packetSpray.create(graph, { evenOver })
    const random = new Random(5, 'spray')
    let along = 0
    for (let packet = 0; packet < 6000; packet++)
      if (stops(graph, packetPath(graph, routing, 0, target, random))[1] === 'n1.0') along++
    return along / 6000
  }
  expect(counts('ports')).toBeCloseTo(1 / 2, 1)
  expect(counts('paths')).toBeCloseTo(2 / 3, 1)
})

it('has the ports of all shortest ways, hop by hop', () => {
  const graph = unequalWays()
  const routing = packetSpray.create(graph, { evenOver: 'ports' })
  const stages = routing.stages!(0, 1).map((ports) => stops(graph, ports).sort())
  expect(stages).toEqual([['s'], ['p', 'q'], ['t', 't', 't', 't'], ['h1']])
})
