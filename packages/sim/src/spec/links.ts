/**
 * `links:`, links that change during a run: its type, what users write, what is checked against the
 * topology, and the way back to text. A spec without it has links that never change.
 */
import {
  as,
  list,
  name,
  optional,
  orAuto,
  otherwise,
  rate,
  ratio,
  Refusal,
  section,
  time,
  word,
} from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import type { Graph, NodeNames } from '@weir/fabric'

export interface LinksSpec {
  /** Routes are found anew this long after a link has gone down or come up; 0: never. */
  readonly detectionPs: number
  /** A PAUSE that is not renewed ends after this; 0: never; `auto`: as long as a frame can say. */
  readonly pausePs: number | 'auto'
  /** In order of time. */
  readonly changes: readonly LinkChange[]
}

/** What becomes of a link, both directions, at a time; what is not named stays as it is. */
export interface LinkChange {
  readonly atPs: number
  /** The names of its ends; of parallel links, all. */
  readonly between: readonly [string, string]
  readonly state?: 'up' | 'down'
  readonly rateBps?: number
  /** Share of bits that arrive wrong. */
  readonly errorRate?: number
}

interface ChangeDraft {
  readonly atPs: number
  readonly between: readonly string[]
  readonly state: 'up' | 'down' | undefined
  readonly rateBps: number | undefined
  readonly errorRate: number | undefined
}

export type LinksDraft = Omit<LinksSpec, 'changes'> & {
  readonly changes: readonly (ChangeDraft | LinkChange)[]
}

/** Some round trips of a routing protocol between neighbours; hardware is faster. */
const DETECTION = '100us'

const change = section<ChangeDraft>('a change of a link', {
  atPs: otherwise(time({ zero: true }), '0us'),
  between: list(name('a node', 'leaf0'), 'the two ends of a link, such as [leaf0, spine1]'),
  state: optional(word('a state of a link', ['up', 'down'])),
  rateBps: optional(rate({ example: '10Gbps' })),
  errorRate: as('errors', optional(ratio(0, 0.5, '1e-9'))),
})

export const linksCodec: Codec<LinksDraft> = section<LinksDraft>('the links', {
  detectionPs: otherwise(time({ none: true, example: DETECTION }), DETECTION),
  pausePs: as('pauseTime', otherwise(orAuto(time({ none: true, example: '1ms' })), 'auto')),
  changes: list(
    change as Codec<ChangeDraft | LinkChange>,
    'changes such as {between: [leaf0, spine1], at: 1ms, state: down}',
  ),
})

export function completeLinks(
  draft: LinksDraft,
  graph: Graph,
  names: NodeNames,
  isCutThrough: boolean,
): LinksSpec {
  const changes = draft.changes.map((one, i): LinkChange => {
    const path = ['links', 'changes', i]
    if (one.state === undefined && one.rateBps === undefined && one.errorRate === undefined) {
      throw new Refusal(path, 'it changes nothing; write state, rate or errors')
    }
    if (one.rateBps !== undefined && isCutThrough) {
      throw new Refusal(
        [...path, 'rate'],
        'a switch that cuts through knows the rates of its links from the start; ' +
          'write forwarding: store-and-forward',
      )
    }
    const { atPs, state, rateBps, errorRate } = one
    return {
      atPs,
      between: endsOf(one.between, graph, names, [...path, 'between']),
      ...(state !== undefined && { state }),
      ...(rateBps !== undefined && { rateBps }),
      ...(errorRate !== undefined && { errorRate }),
    }
  })
  return { ...draft, changes: changes.sort((a, b) => a.atPs - b.atPs) }
}

function endsOf(
  between: readonly string[],
  graph: Graph,
  names: NodeNames,
  path: readonly (string | number)[],
): [string, string] {
  if (between.length !== 2) {
    throw new Refusal(
      [...path],
      `a link has two ends, and here are ${between.length}; write such as [leaf0, spine1]`,
    )
  }
  const [a, b] = between.map((one, i) => {
    try {
      return names.index(one)
    } catch (error) {
      throw new Refusal([...path, i], (error as Error).message)
    }
  }) as [number, number]
  if (linksBetween(graph, a, b).length === 0) {
    throw new Refusal(
      [...path],
      `there is no link between ${between[0]} and ${between[1]}; name two nodes that one joins`,
    )
  }
  return [names.name(a), names.name(b)]
}

/** Numbers of the graph's links that join two nodes. */
export function linksBetween(graph: Graph, a: number, b: number): number[] {
  return graph.links.flatMap((link, i) => {
    const isIt = (link.a === a && link.b === b) || (link.a === b && link.b === a)
    return isIt ? [i] : []
  })
}
