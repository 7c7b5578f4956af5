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
import { parseRate, parseTime, UnitError, formatRate, formatTime } from '@weir/engine'
import {
  forms,
  is,
  list,
  name,
  nearMiss,
  optional,
  rate,
  section,
  text,
  time,
  wrong,
  WRONG,
} from '@weir/engine/codec'
import type { Codec, Place, Section, Wrong } from '@weir/engine/codec'
import { GraphDraft, rowHeight, spread } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { linkDelay, hostRate } from './links.ts'
import type { Links } from './links.ts'

export interface ExplicitGraphParams {
  readonly hosts: readonly string[]
  readonly switches: readonly string[]
  readonly links: readonly ExplicitLink[]
}

export interface ExplicitLink extends Links {
  readonly a: string
  readonly b: string
}

/** A graph whose links are still in a file: whoever has files reads it (edge-list.ts). */
export interface GraphFile extends Links {
  readonly kind: 'graph-file'
  readonly file: string
}

type Written = (ExplicitGraphParams & { readonly kind: 'graph' }) | GraphFile

export const explicitGraph: Topology<ExplicitGraphParams, Written> = {
  name: 'graph',
  summary: 'hosts, switches and links as listed in the scenario',
  get codec() {
    return writtenGraph
  },
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

/** A link whose rate or delay may be those of the graph. */
interface LinkDraft {
  readonly a: string
  readonly b: string
  readonly rateBps: number | undefined
  readonly delayPs: number | undefined
}

/** A link as a line of a file has it: `h0 leaf0`, `h0 leaf0 25Gbps`, `h0 leaf0 25Gbps 1us`. */
const LINE = 'two nodes, then rate and delay if they differ: h0 leaf0 25Gbps 1us'

const linkLine: Codec<LinkDraft> = {
  json: { type: 'string' },
  write: ({ a, b, rateBps = 0, delayPs = 0 }) =>
    `${a} ${b} ${formatRate(rateBps)} ${formatTime(delayPs)}`,
  read(input, at) {
    const [a, b, rateText, delayText, ...rest] = String(input).trim().split(/\s+/u)
    if (a === undefined || b === undefined || rest.length > 0) {
      return at.refuse(`${JSON.stringify(input)} is not a link; write ${LINE}`)
    }
    try {
      return {
        a,
        b,
        rateBps: rateText === undefined ? undefined : parseRate(rateText),
        delayPs: delayText === undefined ? undefined : parseTime(delayText),
      }
    } catch (error) {
      if (!(error instanceof UnitError)) throw error
      return at.refuse(error.message)
    }
  },
}

const link = forms<LinkDraft>({
  text: linkLine,
  mapping: section('a link', {
    a: name('a node', 'h0'),
    b: name('a node', 'leaf0'),
    rateBps: optional(rate()),
    delayPs: optional(time({ zero: true })),
  }),
  error: (input) => wrong(input, 'a link', `write ${LINE}`),
  write: (value) => linkLine.write(value),
})

interface GraphKeys extends Links {
  readonly kind: 'graph'
  readonly hosts: readonly string[] | undefined
  readonly switches: readonly string[] | undefined
  readonly links: readonly LinkDraft[] | undefined
  readonly file: string | undefined
}

const graphKeys = section<GraphKeys>('a graph', {
  kind: is('graph'),
  hosts: optional(list(name('a host', 'h0'), 'the hosts, such as [h0, h1]')),
  switches: optional(list(name('a switch', 's0'), 'the switches, such as [s0, s1]')),
  links: optional(list(link, `the links, each ${LINE}`)),
  file: optional(text('a file', 'links.txt')),
  rateBps: hostRate,
  delayPs: linkDelay,
})

const writtenGraph: Section<Written> = {
  ...graphKeys,
  read(input, at) {
    const keys = graphKeys.read(input, at)
    return keys === WRONG ? WRONG : completeGraph(keys, at)
  },
  write: (value) =>
    value.kind === 'graph'
      ? { ...value, links: value.links.map((one) => link.write(one)) }
      : { kind: 'graph', file: value.file },
}

function completeGraph(keys: GraphKeys, at: Place): Written | Wrong {
  const { hosts, switches = [], links, file, rateBps, delayPs } = keys
  if (file !== undefined) {
    const given = (['hosts', 'switches', 'links'] as const).filter((key) => keys[key] !== undefined)
    for (const key of given) at.at(key).refuse(`the file has the ${key}; leave ${key} or file out`)
    return { kind: 'graph-file', file, rateBps, delayPs }
  }
  if (hosts === undefined) at.at('hosts').refuse('missing; write the hosts, such as [h0, h1]')
  if (links === undefined) at.at('links').refuse(`missing; write the links, each ${LINE}`)
  if (hosts === undefined || links === undefined) return WRONG
  return {
    kind: 'graph',
    hosts,
    switches,
    links: links.map((one) => ({
      a: one.a,
      b: one.b,
      rateBps: one.rateBps ?? rateBps,
      delayPs: one.delayPs ?? delayPs,
    })),
  }
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
