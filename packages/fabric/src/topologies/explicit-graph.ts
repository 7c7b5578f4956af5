/**
 * A graph as the scenario itself draws it: named hosts and switches, and the links between them.
 * Test beds that are nobody's family (the parking lots of ACCurate, Figs. 3 and 4; the InfiniBand
 * fabric of Gran et al. 2010) are written so.
 *
 * Hosts are counted in the order of the list and get the alias `h<n>`, unless a node is already
 * named like `h7`: then its author counts, and a second counting would mislead. Switches get their
 * tier from their distance to the nearest host. Links keep their order; parallel links are allowed.
 * This kind is `graph`; the file of that name is the contract.
 */
import { GraphDraft, rowHeight, spread } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { nearMiss } from './near-miss.ts'

export interface ExplicitGraphParams {
  readonly hosts: readonly string[]
  readonly switches: readonly string[]
  readonly links: readonly {
    readonly a: string
    readonly b: string
    readonly rateBps: number
    readonly delayPs: number
  }[]
}

export const explicitGraph: Topology<ExplicitGraphParams> = {
  name: 'graph',
  summary: 'hosts, switches and links as listed in the scenario',
  build(params: ExplicitGraphParams): Graph {
    const { hosts, switches } = params
    const names = [...hosts, ...switches]
    const indices = new Map(names.map((name, i) => [name, i]))
    const links = params.links.map((link, i) => ({
      ...link,
      a: end(indices, link.a, i),
      b: end(indices, link.b, i),
    }))

    const tiers = tiersOf(hosts.length, names.length, links)
    const places = placesOf(hosts.length, tiers, links)
    const authorCounts = names.some((name) => /^h\d+$/.test(name))
    const draft = new GraphDraft('graph')
    names.forEach((name, i) => {
      const aliases = i < hosts.length && !authorCounts ? [`h${i}`] : []
      draft.node(name, tiers[i]!, places[i]!, aliases)
    })
    for (const link of links) draft.link(link.a, link.b, link.rateBps, link.delayPs)
    return draft.graph()
  },
}

function end(indices: ReadonlyMap<string, number>, name: string, link: number): number {
  const index = indices.get(name)
  if (index !== undefined) return index
  const meant = nearMiss(name, indices.keys())
  const remedy =
    meant === undefined
      ? 'list it in topology.hosts or topology.switches'
      : `did you mean "${meant}"?`
  throw new Error(`topology.links[${link}] names "${name}", which is not a node: ${remedy}`)
}

type Ends = readonly { readonly a: number; readonly b: number }[]

/** Hops to the nearest host, by breadth-first search from all hosts at once. */
function tiersOf(hostCount: number, nodeCount: number, links: Ends): number[] {
  const tiers: number[] = Array.from({ length: nodeCount }, (_, i) => (i < hostCount ? 0 : -1))
  for (let tier = 0, found = true; found; tier++) {
    found = false
    for (const { a, b } of links) {
      if (tiers[a] === tier && tiers[b] === -1) ((tiers[b] = tier + 1), (found = true))
      if (tiers[b] === tier && tiers[a] === -1) ((tiers[a] = tier + 1), (found = true))
    }
  }
  // What no host reaches is refused later, by name; until then it is a switch somewhere.
  return tiers.map((tier) => (tier === -1 ? 1 : tier))
}

/** Each tier is a row in the order of the list; hosts stand in the order of their switches. */
function placesOf(
  hostCount: number,
  tiers: readonly number[],
  links: Ends,
): { x: number; y: number }[] {
  const rows: number[][] = []
  tiers.forEach((tier, i) => (rows[tier] ??= []).push(i))
  const uplink = new Map<number, number>()
  for (const { a, b } of links) {
    if (a < hostCount) uplink.set(a, b)
    if (b < hostCount) uplink.set(b, a)
  }
  rows[0]?.sort((a, b) => (uplink.get(a) ?? 0) - (uplink.get(b) ?? 0) || a - b)

  const width = Math.max(...rows.map((row) => row.length))
  const height = rowHeight(width)
  const places: { x: number; y: number }[] = []
  rows.forEach((row, tier) =>
    row.forEach(
      (node, i) => (places[node] = { x: spread(i, row.length, width), y: tier * height }),
    ),
  )
  return places
}
