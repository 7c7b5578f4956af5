/** What `auto` comes to in a spec, in words: the marking that its scheme asks for at each rate. */
import { formatRate, formatSize } from '@weir/engine'
import { buildGraph } from '@weir/fabric'
import type { Marking } from '@weir/fabric'
import { schemes } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { controlOf } from '../network.ts'
import type { ValidSpec } from './valid-spec.ts'

/** '' where the fabric says itself how it marks, or the scheme is none of the catalogue. */
export function resolvedEcn(spec: ValidSpec, cards: readonly Scheme[] = schemes): string {
  const scheme = cards.find(({ name }) => name === spec.scheme.name)
  if (spec.fabric.ecn !== 'auto' || scheme === undefined) return ''
  const graph = buildGraph(spec.topology)
  const control = controlOf(spec, graph, scheme)
  const rates = [...new Set(graph.links.map(({ rateBps }) => rateBps))].sort((a, b) => a - b)
  const parts = rates.map((rateBps) => {
    const marking = control.marking(rateBps)
    return `${formatRate(rateBps)} ${marking === undefined ? 'none' : markingText(marking)}`
  })
  const isNone = rates.every((rateBps) => control.marking(rateBps) === undefined)
  return isNone ? `none: ${spec.scheme.name} asks for no marking` : `by link: ${parts.join('; ')}`
}

function markingText({ kminBytes, kmaxBytes, pmax, at }: Marking): string {
  const where = at === 'dequeue' ? ' at dequeue' : ''
  if (kminBytes === kmaxBytes) return `threshold k ${formatSize(kminBytes)}${where}`
  return `red kmin ${formatSize(kminBytes)} kmax ${formatSize(kmaxBytes)} pmax ${pmax}${where}`
}
