/** `topology:` as users write it, out as `TopologySpec`. Files of links are read in `validate`. */
import { z } from 'zod'
import { parseRate, parseTime, UnitError } from '@weir/engine'
import { defaults } from './defaults.ts'
import { count, list, name, rate, text, time } from './quantities.ts'
import { kinds, section } from './sections.ts'
import type { TopologySpec } from './valid-spec.ts'

/** A graph whose links are still in a file. */
export interface GraphFileDraft {
  readonly kind: 'graph-file'
  readonly file: string
  readonly rateBps: number
  readonly delayPs: number
}

export type TopologyDraft = TopologySpec | GraphFileDraft

const kind = (word: string): z.ZodType => z.literal(word)
const HOSTS_MAX = 65_536
const hostRate = rate().prefault(defaults.hostRate)
const linkDelay = time({ zero: true }).prefault(defaults.linkDelay)
const rackRate = rate().prefault(defaults.rackRate)
const rackDelay = time({ zero: true }).prefault(defaults.rackDelay)

/** Rates and delays of fabrics with two kinds of link; `delay` is for both. */
const tieredLinks = {
  hostRate,
  fabricRate: rate().prefault(defaults.fabricRate),
  delay: linkDelay,
  hostDelay: time({ zero: true }).optional(),
  fabricDelay: time({ zero: true }).optional(),
}

interface TieredLinks {
  hostRate: number
  fabricRate: number
  delay: number
  hostDelay?: number | undefined
  fabricDelay?: number | undefined
}

const tiered = (t: TieredLinks): object => ({
  hostRateBps: t.hostRate,
  hostDelayPs: t.hostDelay ?? t.delay,
  fabricRateBps: t.fabricRate,
  fabricDelayPs: t.fabricDelay ?? t.delay,
})

const rackLinks = {
  rate: rackRate,
  delay: rackDelay,
  injectionRate: rate().optional(),
  injectionDelay: time({ zero: true }).prefault(defaults.injectionDelay),
}

interface RackLinks {
  rate: number
  delay: number
  injectionRate?: number | undefined
  injectionDelay: number
}

/** A server injects at the rate of one link unless told, so that `load` reads as elsewhere. */
const rack = (t: RackLinks): object => ({
  rateBps: t.rate,
  delayPs: t.delay,
  injectionRateBps: t.injectionRate ?? t.rate,
  injectionDelayPs: t.injectionDelay,
})

const uniform = (t: { rate: number; delay: number }): object => ({
  rateBps: t.rate,
  delayPs: t.delay,
})

const star = section('a star', {
  kind: kind('star'),
  hosts: count(2, HOSTS_MAX, 17),
  rate: hostRate,
  delay: linkDelay,
}).transform((t) => ({ kind: 'star', hosts: t.hosts, ...uniform(t) }))

const dumbbell = section('a dumbbell', {
  kind: kind('dumbbell'),
  left: count(1, HOSTS_MAX, 4),
  right: count(1, HOSTS_MAX, 4),
  rate: hostRate,
  delay: linkDelay,
  bottleneckRate: rate().optional(),
  bottleneckDelay: time({ zero: true }).optional(),
}).transform((t) => ({
  kind: 'dumbbell',
  left: t.left,
  right: t.right,
  ...uniform(t),
  bottleneckRateBps: t.bottleneckRate ?? t.rate,
  bottleneckDelayPs: t.bottleneckDelay ?? t.delay,
}))

const leafSpine = section('a leaf-spine', {
  kind: kind('leaf-spine'),
  leaves: count(1, 4096, 4),
  spines: count(1, 4096, 2),
  hostsPerLeaf: count(1, 4096, 8),
  ...tieredLinks,
}).transform(({ leaves, spines, hostsPerLeaf, ...links }) => ({
  kind: 'leaf-spine',
  leaves,
  spines,
  hostsPerLeaf,
  ...tiered(links),
}))

const fatTree = section('a fat-tree', {
  kind: kind('fat-tree'),
  k: count(2, 64, 8),
  rate: hostRate,
  delay: linkDelay,
}).transform((t) => ({ kind: 'fat-tree', k: t.k, ...uniform(t) }))

const threeTier = section('a three-tier', {
  kind: kind('three-tier'),
  cores: count(1, 4096, 16).prefault(defaults.threeTier.cores),
  pods: count(1, 4096, 5).prefault(defaults.threeTier.pods),
  aggsPerPod: count(1, 4096, 4).prefault(defaults.threeTier.aggsPerPod),
  torsPerPod: count(1, 4096, 4).prefault(defaults.threeTier.torsPerPod),
  hostsPerTor: count(1, 4096, 16).prefault(defaults.threeTier.hostsPerTor),
  ...tieredLinks,
}).transform(({ cores, pods, aggsPerPod, torsPerPod, hostsPerTor, ...links }) => ({
  kind: 'three-tier',
  cores,
  pods,
  aggsPerPod,
  torsPerPod,
  hostsPerTor,
  ...tiered(links),
}))

const cube = (which: 'torus' | 'mesh'): z.ZodType =>
  section(`a ${which}`, {
    kind: kind(which),
    dimensions: list(count(1, 4096, 8), 'the sizes, such as [8, 8, 8]'),
    ...rackLinks,
  }).transform(({ dimensions, ...links }) => ({ kind: which, dimensions, ...rack(links) }))

const twoBlade = section('a two-blade', {
  kind: kind('two-blade'),
  blades: count(1, 1024, 2).prefault(defaults.twoBlade.blades),
  groupsPerBlade: count(1, 1024, 4).prefault(defaults.twoBlade.groupsPerBlade),
  nodesPerGroup: count(1, 1024, 4).prefault(defaults.twoBlade.nodesPerGroup),
  linksBetweenBlades: count(1, 1024, 2).prefault(defaults.twoBlade.linksBetweenBlades),
  ...rackLinks,
}).transform(({ blades, groupsPerBlade, nodesPerGroup, linksBetweenBlades, ...links }) => ({
  kind: 'two-blade',
  blades,
  groupsPerBlade,
  nodesPerGroup,
  linksBetweenBlades,
  ...rack(links),
}))

const foldedClos = section('a folded-clos', {
  kind: kind('folded-clos'),
  hosts: count(2, HOSTS_MAX, 512),
  radix: count(2, 1024, 32),
  rate: hostRate,
  delay: linkDelay,
}).transform((t) => ({ kind: 'folded-clos', hosts: t.hosts, radix: t.radix, ...uniform(t) }))

interface LinkDraft {
  readonly a: string
  readonly b: string
  readonly rate?: number | undefined
  readonly delay?: number | undefined
}

/** A link as a line of a file has it: `h0 leaf0`, `h0 leaf0 25Gbps`, `h0 leaf0 25Gbps 1us`. */
const LINK_LINE = 'two nodes, then rate and delay if they differ: h0 leaf0 25Gbps 1us'
const linkLine = text('a link', 'h0 leaf0 25Gbps 1us').transform((line, context): LinkDraft => {
  const [a, b, rateText, delayText, ...rest] = line.trim().split(/\s+/u)
  try {
    if (a !== undefined && b !== undefined && rest.length === 0) {
      return {
        a,
        b,
        rate: rateText === undefined ? undefined : parseRate(rateText),
        delay: delayText === undefined ? undefined : parseTime(delayText),
      }
    }
    const message = `${JSON.stringify(line)} is not a link; write ${LINK_LINE}`
    context.addIssue({ code: 'custom', message })
  } catch (error) {
    if (!(error instanceof UnitError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
  }
  return z.NEVER
})
const link = z.union([
  linkLine,
  section('a link', {
    a: name('a node', 'h0'),
    b: name('a node', 'leaf0'),
    rate: rate().optional(),
    delay: time({ zero: true }).optional(),
  }),
]) as z.ZodType<LinkDraft>

const graph = section('a graph', {
  kind: kind('graph'),
  hosts: list(name('a host', 'h0'), 'the hosts, such as [h0, h1]').optional(),
  switches: list(name('a switch', 's0'), 'the switches, such as [s0, s1]').optional(),
  links: list(link, `the links, each ${LINK_LINE}`).optional(),
  file: text('a file', 'links.txt').optional(),
  rate: hostRate,
  delay: linkDelay,
}).transform((t, context): TopologyDraft => {
  const say = (path: string[], message: string): void => {
    context.addIssue({ code: 'custom', path, message })
  }
  if (t.file !== undefined) {
    for (const key of ['hosts', 'switches', 'links'] as const) {
      if (t[key] !== undefined) say([key], `the file has the ${key}; leave ${key} or file out`)
    }
    return { kind: 'graph-file', file: t.file, rateBps: t.rate, delayPs: t.delay }
  }
  if (t.hosts === undefined) say(['hosts'], 'missing; write the hosts, such as [h0, h1]')
  if (t.links === undefined) say(['links'], `missing; write the links, each ${LINK_LINE}`)
  return {
    kind: 'graph',
    hosts: t.hosts ?? [],
    switches: t.switches ?? [],
    links: (t.links ?? []).map((l) => ({
      a: l.a,
      b: l.b,
      rateBps: l.rate ?? t.rate,
      delayPs: l.delay ?? t.delay,
    })),
  }
})

export const topologySchema: z.ZodType<TopologyDraft> = kinds<TopologyDraft>({
  what: 'a kind of topology',
  names: [
    'star',
    'dumbbell',
    'leaf-spine',
    'fat-tree',
    'three-tier',
    'torus',
    'mesh',
    'two-blade',
    'folded-clos',
    'graph',
  ],
  members: [
    star,
    dumbbell,
    leafSpine,
    fatTree,
    threeTier,
    cube('torus'),
    cube('mesh'),
    twoBlade,
    foldedClos,
    graph,
  ],
})
