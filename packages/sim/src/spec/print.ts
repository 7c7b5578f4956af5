/**
 * A `ValidSpec` back as the YAML that a user could have written, with units and every default
 * filled in. Loading that text gives the same `ValidSpec`; files that the first text named are
 * written out in it, so that it stands alone.
 */
import { Document, isCollection, isMap, isPair, isScalar, visit } from 'yaml'
import type { Node, Pair } from 'yaml'
import { paramCodec, schemes } from '@weir/schemes'
import { LONG_LIST } from '@weir/workloads'
import type { Card } from './card.ts'
import { fabricDraft } from './fabric.ts'
import type { FabricSpec } from './fabric.ts'
import { specCodec } from './schema.ts'
import type { SchemeDraft, SchemeSpec } from './scheme.ts'
import type { FlowSpec, ValidSpec } from './valid-spec.ts'

type Tree = Record<string, unknown>

const LINE_WIDTH = 100

/** `ecnNote` stands beside `ecn`, as a comment: what `auto` comes to. */
export function printSpec(
  spec: ValidSpec,
  cards: readonly Card[] = schemes,
  ecnNote: string = '',
): string {
  const document = new Document(userTree(spec, cards), { aliasDuplicateObjects: false })
  const ecn = document.getIn(['fabric', 'ecn'], true)
  if (ecnNote !== '' && isScalar(ecn)) ecn.comment = ` ${ecnNote}`
  visit(document, {
    Collection: (_, node, ancestors) => {
      // A flow, a link or a list of sizes reads best on its line; sections read best as blocks.
      const children = (node.items as (Node | Pair)[]).map((item) =>
        isPair(item) ? item.value : item,
      )
      if (children.some((child) => isCollection(child)) || ancestors.length < 3) return
      const width = JSON.stringify(node.toJS(document)).length + ancestors.length
      if (width < LINE_WIDTH - 10) node.flow = true
    },
  })
  const { contents } = document
  const description = isMap(contents) ? contents.get('description', true) : undefined
  if (isScalar(description) && description.value !== '') description.type = 'BLOCK_FOLDED'
  return document.toString({ lineWidth: LINE_WIDTH, flowCollectionPadding: false })
}

/** Flows of a workload that are too many, more than `LONG_LIST`, to be read in a text. */
export interface FlowsApart {
  readonly file: string
  readonly flows: Iterable<FlowSpec>
}

/** The text that names files for long lists of flows, and those lists. It stands with its files. */
export function printSpecApart(
  spec: ValidSpec,
  cards: readonly Card[] = schemes,
): { readonly text: string; readonly apart: readonly FlowsApart[] } {
  const apart = flowsApart(spec)
  const named = new Map(apart.map(({ file, flows }) => [flows, file]))
  const workload = spec.workload.map((item) => {
    const file = item.kind === 'flows' ? named.get(item.flows) : undefined
    return file === undefined ? item : { kind: 'flows-file' as const, file }
  })
  const text = printSpec({ ...spec, workload } as unknown as ValidSpec, cards)
  return { text, apart }
}

/** Those lists, and the names of their files. */
export function flowsApart({ workload }: ValidSpec): readonly FlowsApart[] {
  return workload.flatMap((item, i) =>
    item.kind === 'flows' && item.flows.length > LONG_LIST
      ? [{ file: `workload-${i}.csv`, flows: item.flows }]
      : [],
  )
}

/** The same as a tree: what `validateSpec` takes. */
export function userTree(spec: ValidSpec, cards: readonly Card[] = schemes): Tree {
  return specCodec.write({
    ...spec,
    chanceSeed: spec.chanceSeed === spec.seed ? undefined : spec.chanceSeed,
    fabric: fabricDraft(spec.fabric),
    links: spec.links,
    workload: spec.workload.map((item) =>
      item.kind === 'flows' ? { ...item, flows: [...item.flows] } : item,
    ),
    scheme: schemeDraft(spec.scheme, spec.fabric, cards),
    run: { ...spec.run, seed: undefined },
  }) as Tree
}

/** Where the fabric says how to mark, the scheme's marking is not read, and must not be written. */
function schemeDraft(scheme: SchemeSpec, { ecn }: FabricSpec, cards: readonly Card[]): SchemeDraft {
  const card = cards.find(({ name }) => name === scheme.name)
  const written = (values: SchemeSpec['params']): Tree =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
        const param = card?.params[name]
        if (param === undefined) return [[name, value]]
        return ecn !== 'auto' && param.isMarking === true
          ? []
          : [[name, paramCodec(param).write(value)]]
      }),
    )
  const { name, preset, params, changes = [] } = scheme
  return {
    name,
    preset,
    params: written(params),
    changes: changes.map((change) => ({ ...change, params: written(change.params) })),
  }
}
