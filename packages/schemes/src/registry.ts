/** Every scheme by name: the index is the catalogue. A scheme is added with one line here. */
import { dcqcn } from './dcqcn.ts'
import { none } from './none.ts'
import type { Scheme } from './scheme.ts'

/** What the spec parser, `weir list` and `weir explain` need of a scheme. */
export type SchemeCard = Omit<Scheme, 'create'>

export const schemes: readonly Scheme[] = [none, dcqcn]

export function schemeByName(name: string): Scheme | undefined {
  return schemes.find((scheme) => scheme.name === name)
}
