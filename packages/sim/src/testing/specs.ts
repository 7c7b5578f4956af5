/**
 * Small specs for tests: a few hosts, a few flows, everything else as a user who says nothing gets
 * it, except that nothing is sampled and no congestion control interferes.
 */
import type { ValidSpec } from '../spec/valid-spec.ts'
import { validateSpec } from '../spec/validate.ts'

/** A spec as a user writes it: sections of plain values. */
export type Tree = Readonly<Record<string, unknown>>

/** A valid spec of these sections, with `scheme: none` and no series unless they say otherwise. */
export function specOf(tree: Tree): ValidSpec {
  return validateSpec({ scheme: 'none', metrics: { interval: 'none' }, ...tree })
}

/** A flow as a user writes it. */
export interface FlowTree {
  readonly from: string
  readonly to: string
  readonly [key: string]: unknown
}

/** A line of switches, with hosts `h0`, `h1`, ... where `links` puts them: `['h0 s0', ...]`. */
export function graphOf(
  links: readonly (string | Tree)[],
  shared: { readonly rate?: string; readonly delay?: string } = {},
): Tree {
  const names = new Set(
    links.flatMap((link) =>
      typeof link === 'string' ? link.split(' ').slice(0, 2) : [String(link.a), String(link.b)],
    ),
  )
  const isHost = (name: string): boolean => name.startsWith('h')
  return {
    kind: 'graph',
    hosts: [...names].filter(isHost),
    switches: [...names].filter((name) => !isHost(name)),
    rate: shared.rate ?? '10Gbps',
    delay: shared.delay ?? '1us',
    links,
  }
}

/** Many hosts send to one over one switch. */
export function incastOf(senders: number, size: string, more: Tree = {}): Tree {
  return {
    topology: { kind: 'star', hosts: senders + 1, rate: '10Gbps', delay: '1us' },
    workload: [
      {
        flows: Array.from({ length: senders }, (_, i) => ({ from: `h${i + 1}`, to: 'h0', size })),
      },
    ],
    ...more,
  }
}
