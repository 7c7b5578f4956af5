import { Random } from '@weir/engine'
import { Channels, Cube } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { DESTINATION_TAG, PROTOCOL_NAMES, ROMM, VLB, WLB } from './protocols.ts'
import { Topology } from './topology.ts'

const DRAWS = 6000

describe.each([
  ['torus', new Cube([4, 3])],
  ['mesh', new Cube([3, 4], 'mesh')],
] as const)('routes drawn on a %s', (_, cube) => {
  for (const [protocol, name] of PROTOCOL_NAMES.entries()) {
    for (const down of [[], [0, 9]]) {
      it(`by ${name} load links as the fractions say, ${down.length} channels down`, () => {
        // Both directions of a link.
        const dead = down.flatMap((c) => [c, cube.between(cube.to[c]!, cube.from[c]!)])
        const topology = new Topology(cube, (channel) => dead.includes(channel))
        const random = new Random(1, name)
        const crossed = new Float64Array(cube.count)
        for (let packet = 0; packet < DRAWS; packet++) {
          let node = 0
          for (const output of topology.route(protocol, 0, 10, random)!) {
            const channel = cube.starts[node]! + output
            crossed[channel]! += 1 / DRAWS
            node = cube.to[channel]!
          }
          expect(node).toBe(10)
        }
        const { fractions, links } = topology.fractions(protocol, 0, 10)!
        const known = new Float64Array(cube.count)
        links.forEach((channel, k) => (known[channel] = fractions[k]!))
        known.forEach((load, c) => expect(Math.abs(load - crossed[c]!)).toBeLessThan(0.033))
        for (const channel of dead) expect(crossed[channel]).toBe(0)
      })
    }
  }
})

it.each([VLB, DESTINATION_TAG, WLB, ROMM])(
  'a host behind its switch sends all of a flow up and gets all of it down, by protocol %d',
  (protocol) => {
    // Hosts are 0 to 11, their switches 12 to 23.
    const cube = new Cube([4, 3])
    const pairs = Array.from({ length: 12 }, (_, host) => [
      [host, 12 + host] as const,
      [12 + host, host] as const,
    ]).flat()
    cube.from.forEach((from, c) => pairs.push([12 + from, 12 + cube.to[c]!]))
    const wiring = new Channels(
      24,
      pairs.sort((a, b) => a[0] - b[0]),
    )
    const isWaypoint = (node: number): boolean => node >= 12
    const topology = new Topology(wiring, undefined, { cube, isWaypoint })
    const { fractions, links } = topology.fractions(protocol, 1, 10)!
    const load = (from: number, to: number): number =>
      fractions[links.indexOf(wiring.between(from, to))] ?? 0
    expect(load(1, 13)).toBeCloseTo(1, 9)
    expect(load(22, 10)).toBeCloseTo(1, 9)
    // What comes to a switch goes on, and nothing ends at another host.
    const ends = [...links].filter((c) => wiring.to[c]! < 12)
    expect(ends).toEqual([wiring.between(22, 10)])
  },
)

it('VLB goes by way of whoever is left, also when the first node is dead', () => {
  const cube = new Cube([4, 4])
  const isDead = (c: number): boolean => cube.from[c] === 0 || cube.to[c] === 0
  const topology = new Topology(cube, isDead)
  const { fractions, links } = topology.fractions(VLB, 1, 2)!
  expect(links.some(isDead)).toBe(false)
  // Out of the source by whatever is left of its outputs, but for waypoints that are the source.
  const out = links.reduce((sum, c, k) => sum + (cube.from[c] === 1 ? fractions[k]! : 0), 0)
  expect(out).toBeGreaterThan(14 / 15)
  expect(topology.fractions(VLB, 0, 2)).toBeUndefined()
})

it('protocols that count dimensions are refused where there are none', () => {
  const pair = new Topology(new Channels(2, [[0, 1], [1, 0]])) // prettier-ignore
  expect(() => pair.fractions(WLB, 0, 1)).toThrow(/WLB.*torus or mesh only/)
})

describe('branches', () => {
  it('are those of the tree, of nodes with more outputs than a word has bits too', () => {
    const leaves = Array.from({ length: 40 }, (_, i) => i + 1)
    const wiring = new Channels(41, [
      ...leaves.map((leaf) => [0, leaf] as const),
      ...leaves.map((leaf) => [leaf, 0] as const),
    ])
    const topology = new Topology(wiring)
    const { outputs, starts } = topology.branches
    for (const source of [0, 7, 40]) {
      const words = topology.branchesOf(source, 0)
      const reached = new Set([source])
      for (let node = 0; node < 41; node++) {
        for (let c = outputs[node]!; c < outputs[node + 1]!; c++) {
          const output = c - outputs[node]!
          const isOn = (words[starts[node]! + (output >> 5)]! >>> (output & 31)) & 1
          expect(isOn === 1).toBe(topology.tree(source, 0).arrivals[wiring.to[c]!] === c)
          if (isOn === 1) reached.add(wiring.to[c]!)
        }
      }
      expect(reached.size).toBe(41)
    }
  })
})
