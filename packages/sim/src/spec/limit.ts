/** A limit on a queue: a size, or a share (alpha) of what is free. */
import { formatSize, parseSize } from '@weir/engine'
import { as, is, kinds, otherwise, ratio, section, size } from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'

export type LimitSpec =
  | { readonly kind: 'static'; readonly bytes: number }
  | { readonly kind: 'dynamic'; readonly alpha: number }

/** `alpha` where none is written. */
export function limit(what: string, alpha: number | string, example: string): Codec<LimitSpec> {
  return kinds<LimitSpec>({
    what,
    words: ['dynamic'],
    reads: `a size such as ${example}`,
    read: (text) => ({ kind: 'static', size: (parseSize(text), text) }),
    short: (value) => (value.kind === 'static' ? formatSize(value.bytes) : undefined),
    members: [
      section(what, {
        kind: is('dynamic'),
        alpha: otherwise(ratio(0.001, 1000, '1/8'), alpha),
      }),
      section(what, { kind: is('static'), bytes: as('size', size()) }),
    ],
  })
}
