import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph } from './index.ts'
import { cubeCoordinates, cubeIndex } from './k-ary-n-cube.ts'
import { hops, neighbours, tierCounts } from './testing.ts'

const cube = (kind: 'torus' | 'mesh', ...dimensions: number[]) =>
  buildGraph({
    kind,
    dimensions,
    rateBps: 10e9,
    delayPs: 1e5,
    injectionRateBps: 40e9,
    injectionDelayPs: 0,
  })

const sizes = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 })
  .filter((dimensions) => dimensions.reduce((a, b) => a * b) <= 64)

describe('torus', () => {
  it('has the 512 nodes and six neighbours a node of the R2C2 rack', () => {
    const graph = cube('torus', 8, 8, 8)
    expect(tierCounts(graph)).toEqual([512, 512])
    expect(graph.links).toHaveLength(512 + 3 * 512)
    expect(neighbours(graph, 'n2.1.0').sort()).toEqual(
      ['h2.1.0', 'n1.1.0', 'n3.1.0', 'n2.0.0', 'n2.2.0', 'n2.1.1', 'n2.1.7'].sort(),
    )
  })

  it('makes single links along a dimension of size 2 and none along one of size 1', () => {
    expect(neighbours(cube('torus', 2, 2), 'n0.0')).toEqual(['h0.0', 'n1.0', 'n0.1'])
    expect(neighbours(cube('torus', 1, 3), 'n0.0')).toEqual(['h0.0', 'n0.1', 'n0.2'])
  })

  it('never joins two nodes twice, whatever the sizes', () => {
    fc.assert(
      fc.property(sizes, (dimensions) => {
        const { links } = cube('torus', ...dimensions)
        const pairs = links.map(({ a, b }) => `${Math.min(a, b)}-${Math.max(a, b)}`)
        expect(new Set(pairs).size).toBe(pairs.length)
      }),
      { numRuns: 50 },
    )
  })

  it('is as far across as the shorter way around in each dimension', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (dimensions, i, j) => {
        const count = dimensions.reduce((a, b) => a * b)
        const from = cubeCoordinates(i % count, dimensions)
        const to = cubeCoordinates(j % count, dimensions)
        const distance = dimensions.reduce((sum, size, d) => {
          const gap = Math.abs(from[d]! - to[d]!)
          return sum + Math.min(gap, size - gap)
        }, 0)
        const graph = cube('torus', ...dimensions)
        expect(hops(graph, `n${from.join('.')}`, `n${to.join('.')}`)).toBe(distance)
      }),
      { numRuns: 50 },
    )
  })
})

describe('mesh', () => {
  it('has open edges', () => {
    expect(neighbours(cube('mesh', 4), 'n0')).toEqual(['h0', 'n1'])
    expect(neighbours(cube('mesh', 3, 3), 'n1.1')).toHaveLength(5)
    expect(hops(cube('mesh', 4, 5), 'n0.0', 'n3.4')).toBe(7)
  })
})

it('gives injection links their own rate and delay', () => {
  const { links } = cube('mesh', 2)
  expect(links).toEqual([
    { a: 0, b: 2, rateBps: 40e9, delayPs: 0 },
    { a: 1, b: 3, rateBps: 40e9, delayPs: 0 },
    { a: 2, b: 3, rateBps: 10e9, delayPs: 1e5 },
  ])
})

it('counts nodes like an odometer, and back', () => {
  expect(cubeCoordinates(5, [2, 3])).toEqual([1, 2])
  for (let i = 0; i < 24; i++) expect(cubeIndex(cubeCoordinates(i, [2, 3, 4]), [2, 3, 4])).toBe(i)
})

it('draws every node of a four-dimensional cube at a place of its own', () => {
  const { nodes } = cube('torus', 2, 3, 2, 3)
  expect(new Set(nodes.map(({ x, y, z }) => `${x} ${y} ${z}`)).size).toBe(nodes.length)
})

it('refuses no dimension and five of them', () => {
  expect(() => cube('torus')).toThrow('has 0 sizes: give 1 to 4')
  expect(() => cube('mesh', 2, 2, 2, 2, 2)).toThrow('has 5 sizes: give 1 to 4')
  expect(() => cube('mesh', 2, 0)).toThrow('topology.dimensions[1] of the mesh is 0')
})
