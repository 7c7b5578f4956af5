/**
 * `fabric.lanes`, lanes by hop: in which class a switch sends a packet on. Its type, what users
 * write, and what is checked against the topology and the hosts. The null member is `none`.
 */
import { count, is, kinds, list, name, otherwise, section, word } from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import { CLASSES } from '@weir/fabric'
import type { Graph, LanePairs, NodeNames } from '@weir/fabric'
import { checkClass } from './complete-fabric.ts'
import { Refusal } from './spec-error.ts'
import type { ValidSpec } from './valid-spec.ts'

export type LanesSpec =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'dateline'
      /** Control has lanes of its own, from the highest class down; or keeps its class. */
      readonly control: 'own' | 'keep'
    }
  | { readonly kind: 'by-link'; readonly changes: readonly LaneChange[] }

/** What `from` sends to `to` of a class goes on in another. */
export interface LaneChange {
  readonly from: string
  readonly to: string
  readonly class: number
  readonly becomes: number
}

const EXAMPLE = '{from: s3, to: s0, class: 3, becomes: 4}'

const change = section<LaneChange>('a change of lane', {
  from: name('a switch', 's3'),
  to: name('a node', 's0'),
  class: count(0, CLASSES - 1, 3),
  becomes: count(0, CLASSES - 1, 4),
})

export const lanesCodec: Codec<LanesSpec> = kinds<LanesSpec>({
  what: 'a choice of lanes',
  members: [
    section('no change of lanes', { kind: is('none') }),
    section('a dateline', {
      kind: is('dateline'),
      control: otherwise(word('a choice for control', ['own', 'keep']), 'own'),
    }),
    section('lanes by link', {
      kind: is('by-link'),
      changes: list(change, `changes such as ${EXAMPLE}`),
    }),
  ],
})

type Parts = Pick<ValidSpec, 'fabric' | 'hosts' | 'topology'>

/** Throws a `Refusal` for lanes that this network does not have. */
export function checkLanes(spec: Parts, graph: Graph, names: NodeNames): void {
  const { lanes } = spec.fabric
  if (lanes.kind !== 'none' && spec.fabric.switch === 'per-flow-queues') {
    throw new Refusal(
      ['fabric', 'lanes'],
      'a queue for each flow has no lanes to change; leave lanes out, or write another switch',
    )
  }
  if (lanes.kind === 'dateline') checkDateline(spec)
  if (lanes.kind === 'by-link') checkChanges(lanes.changes, spec.fabric.classes, graph, names)
}

/** The lanes of data and of control over the datelines of a torus, by dimension. */
export function datelineLanes({ fabric, hosts, topology }: Parts): LanePairs[] {
  const { classes, lanes } = fabric
  if (lanes.kind !== 'dateline' || topology.kind !== 'torus') return []
  const count = topology.dimensions.length
  const data = topology.dimensions.map((_, d): LanePairs[number] => {
    const before = hosts.dataClass + 2 * d
    return [before, before + 1]
  })
  if (lanes.control === 'keep') return [data]
  // Control begins in the highest class, which so is the first lane of a dimension, and of the one
  // that answers to what has come in order of dimensions go by first.
  const control = topology.dimensions.map((_, d): LanePairs[number] => {
    const before = classes - 1 - 2 * (count - 1 - d)
    return [before, before - 1]
  })
  return [data, control]
}

function checkDateline(spec: Parts): void {
  const path = ['fabric', 'lanes']
  const { fabric, hosts, topology } = spec
  if (topology.kind !== 'torus') {
    throw new Refusal(
      path,
      `a dateline is where a torus is closed, and this is a ${topology.kind}; ` +
        `write {kind: by-link, changes: [${EXAMPLE}]}, or leave it out`,
    )
  }
  const count = topology.dimensions.length
  const [data = [], control = [[fabric.classes - 1]]] = datelineLanes(spec)
  if (Math.max(...data.flat()) >= Math.min(...control.flat())) {
    const isKept = control.length === 1 && control[0]?.length === 1
    throw new Refusal(
      path,
      `data need ${2 * count} lanes, two per dimension, from class ${hosts.dataClass} ` +
        `(hosts.dataClass) up, and control ${isKept ? 'its own class' : 'as many'} from the ` +
        `highest down, and there are ${fabric.classes} classes; raise fabric.classes` +
        (isKept
          ? ', or lower hosts.dataClass'
          : ', lower hosts.dataClass, or write ' + '{kind: dateline, control: keep}'),
    )
  }
  if (count > 1 && hosts.ack.every > 0 && hosts.ack.class === 'data') {
    throw new Refusal(
      ['hosts', 'ack'],
      'ACKs go back through the dimensions in the other order, and lock up with data in lanes ' +
        'that they share; write ack: {class: control}, or none',
    )
  }
}

function checkChanges(
  changes: readonly LaneChange[],
  classes: number,
  graph: Graph,
  names: NodeNames,
): void {
  const seen = new Set<string>()
  changes.forEach((one, i) => {
    const path = ['fabric', 'lanes', 'changes', i]
    const from = indexOf(one.from, [...path, 'from'], (node) => names.switchIndex(node))
    const to = indexOf(one.to, [...path, 'to'], (node) => names.index(node))
    const isLink = graph.links.some(({ a, b }) => {
      return (a === from && b === to) || (a === to && b === from)
    })
    if (!isLink) {
      throw new Refusal(path, `there is no link from ${one.from} to ${one.to}; name both its ends`)
    }
    checkClass(one.class, classes, [...path, 'class'])
    checkClass(one.becomes, classes, [...path, 'becomes'])
    const key = `${from} ${to} ${one.class}`
    if (seen.has(key)) {
      throw new Refusal(
        path,
        `class ${one.class} from ${one.from} to ${one.to} is changed above already; keep one`,
      )
    }
    seen.add(key)
  })
}

function indexOf(
  node: string,
  path: readonly (string | number)[],
  find: (node: string) => number,
): number {
  try {
    return find(node)
  } catch (error) {
    throw new Refusal([...path], (error as Error).message)
  }
}
