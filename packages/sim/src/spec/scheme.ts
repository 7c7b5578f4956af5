/**
 * `scheme:` of a scenario. Names and values are read by the scheme's own card, in
 * `complete-scheme.ts`: here they are as they were written.
 */
import {
  forms,
  isMapping,
  list,
  mapped,
  name,
  optional,
  otherwise,
  section,
  text,
  time,
  wrong,
} from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'

export interface SchemeSpec {
  readonly name: string
  readonly preset: string
  /** Every parameter of the scheme, in its base unit (ps, bytes, bit/s, or a plain number). */
  readonly params: Readonly<Record<string, number | boolean | string>>
  /** Parameters that are others at some places, or from some time on; by order of time. */
  readonly changes?: readonly SchemeChange[]
}

export interface SchemeChange {
  /** 0: from the start. */
  readonly atPs: number
  /** Names of nodes (`S2`) and of ports (`S2->H5`); empty: the whole fabric. */
  readonly where: readonly string[]
  /** Only what changes, in base units. */
  readonly params: Readonly<Record<string, number | boolean | string>>
}

export interface SchemeDraft {
  readonly name: string
  readonly preset: string
  readonly params: WrittenParams
  readonly changes: readonly ChangeDraft[]
}

export interface ChangeDraft {
  readonly atPs: number
  readonly where: readonly string[]
  readonly params: WrittenParams
}

type WrittenParams = Readonly<Record<string, unknown>>

/** The congestion control that RoCE NICs ship with. */
export const DEFAULT_SCHEME = 'dcqcn'

const params: Codec<WrittenParams> = {
  read: (input, at) =>
    isMapping(input)
      ? input
      : at.refuse(wrong(input, 'a mapping', 'write parameters such as {g: 1/256}')),
  write: (value) => value,
  json: { type: 'object' },
}

const change = section<ChangeDraft>('a change', {
  atPs: otherwise(time({ zero: true }), '0us'),
  where: otherwise(
    list(name('a place', 'S2'), 'switches, hosts or ports, such as [S1, S2->H5]'),
    [],
  ),
  params,
})

interface SchemeKeys {
  readonly name: string
  readonly preset: string | undefined
  readonly params: WrittenParams | undefined
  readonly changes: readonly ChangeDraft[] | undefined
}

const mapping = mapped(
  section<SchemeKeys>('the scheme', {
    name: name('a scheme', 'dcqcn'),
    preset: optional(text('a preset', 'the name of one')),
    params: optional(params),
    changes: optional(list(change, 'changes such as {at: 5ms, params: {cctiTimer: 300us}}')),
  }),
  (keys): SchemeDraft => ({
    name: keys.name,
    preset: keys.preset ?? '',
    params: keys.params ?? {},
    changes: keys.changes ?? [],
  }),
  (draft) => ({
    name: draft.name,
    preset: draft.preset === '' ? undefined : draft.preset,
    params: draft.params,
    changes: draft.changes.length === 0 ? undefined : draft.changes,
  }),
)

export const schemeCodec: Codec<SchemeDraft> = forms<SchemeDraft>({
  text: mapped(
    name('a scheme', 'dcqcn'),
    (given) => ({ name: given, preset: '', params: {}, changes: [] }),
    (draft) => draft.name,
  ),
  mapping,
  error: (input) => wrong(input, 'a scheme', 'write its name, or a mapping with name and params'),
  write: (draft) => mapping.write(draft),
})
