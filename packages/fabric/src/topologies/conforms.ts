/**
 * What every topology must be: the first call of each one's test, with the parameters of an
 * example. `hostsLowest`: it is drawn with its hosts below all switches, as trees are.
 */
import { describe, expect, it } from 'vitest'
import { buildGraph, topologies } from './index.ts'
import type { TopologyParams } from './index.ts'

export function conforms(
  params: TopologyParams,
  options: { readonly hostsLowest: boolean } = { hostsLowest: true },
): void {
  const { kind } = params
  describe(`a ${kind}, as every topology,`, () => {
    it('is called what it is', () => {
      expect(topologies[kind].name).toBe(kind)
    })

    it('has host n as its node n, called h<n>', () => {
      const { nodes } = buildGraph(params)
      const hosts = nodes.filter((node) => node.kind === 'host')
      hosts.forEach((host, i) => {
        expect(nodes[i]).toBe(host)
        expect([host.name, ...host.aliases]).toContain(`h${i}`)
        expect(host.tier).toBe(0)
      })
    })

    it('refuses counts that are none, by the name of the count and of the topology', () => {
      for (const [name, value] of Object.entries(params)) {
        if (typeof value !== 'number' || /Bps$|Ps$/.test(name)) continue
        for (const wrong of [-1, 1.5]) {
          const built = (): unknown => buildGraph({ ...params, [name]: wrong })
          expect(built).toThrow(`topology.${name} of the ${kind} is ${wrong}: give a whole number`)
        }
      }
    })

    it('is drawn with each node at a place of its own', () => {
      const { nodes } = buildGraph(params)
      const places = nodes.map(({ x, y, z }) => `${x} ${y} ${z}`)
      expect(new Set(places).size).toBe(nodes.length)
      for (const { x, y, z } of nodes) expect([x, y, z].every(Number.isFinite)).toBe(true)
      if (!options.hostsLowest) return
      const highest = Math.max(...nodes.filter((node) => node.tier === 0).map(({ y }) => y))
      for (const { tier, y } of nodes) expect(tier === 0 || y > highest).toBe(true)
    })
  })
}
