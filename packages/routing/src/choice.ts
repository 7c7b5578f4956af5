/**
 * A choice of routings, made for each flow: by a hash of the flow, or all by the first, until the
 * scheme says otherwise. P. Costa et al., "R2C2", SIGCOMM 2015, section 3.4: 'new flows start with
 * minimal routing', and long ones may get another by and by.
 */
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import type { Codec } from '@weir/engine/codec'
import { is, list, otherwise, section, word } from '@weir/engine/codec'
import { flowHash } from './flow-hash.ts'

/** Flows begin with the first of them, or with the one that a hash of the flow says. */
type Begin = 'first' | 'hash'

export interface ChoiceParams<S> {
  readonly of: readonly S[]
  readonly begin: Begin
}

/** What a choice is made of: the other routings, as scenarios have them. */
export interface Members<S> {
  readonly codec: Codec<S>
  refuses(graph: Graph, member: S): string | undefined
  create(graph: Graph, member: S, isDown?: IsDown): Routing
}

export function choiceAmong<S>(all: Members<S>): RoutingKind<ChoiceParams<S>> {
  return {
    name: 'choice',
    summary: 'a routing for each flow, of several: by a hash, or as its scheme says',
    codec: section('a choice of routings', {
      kind: is('choice'),
      of: list(all.codec, 'the routings, such as [packet-spray, vlb]'),
      begin: otherwise(word<Begin>('what a flow begins with', ['first', 'hash']), 'first'),
    }),
    reorders: true,
    refuses: (graph, { of }) => {
      if (of.length === 0) return 'a choice of no routing leads nowhere: name one or more in `of`'
      return of.map((member) => all.refuses(graph, member)).find((why) => why !== undefined)
    },
    create(graph, { begin, of }, isDown) {
      const members = of.map((member) => all.create(graph, member, isDown))
      return choiceOf(graph, members, begin)
    },
  }
}

function choiceOf(graph: Graph, members: readonly Routing[], begin: Begin): Routing {
  // What is no flow's data goes as one of them says that finds its way hop by hop.
  const hopByHop = members.find(({ perPacket }) => perPacket) ?? (members[0] as Routing)
  return {
    name: 'choice',
    perPacket: members.some(({ perPacket }) => perPacket),
    path: (source, target, flowKey, entropy) =>
      (members[memberOf(flowKey)] as Routing).path(source, target, flowKey, entropy),
    next: (node, target, random) => hopByHop.next(node, target, random),
    stages: (source, target) => hopByHop.stages?.(source, target) ?? [],
    members,
    memberOf,
  }

  function memberOf(flowKey: number): number {
    return begin === 'first' ? 0 : flowHash(flowKey, graph.nodes.length, 1) % members.length
  }
}
