/** Every scheme by name: the index is the catalogue. A scheme is added with one line here. */
import type { Params, Preset } from './param.ts'

/** What the spec parser, `weir list` and `weir explain` need of a scheme. */
export interface SchemeCard {
  readonly name: string
  readonly title: string
  readonly cite: string
  /** What it needs of the fabric: a spec that lacks it is refused. */
  readonly needs: readonly FabricNeed[]
  readonly params: Params
  readonly presets: Readonly<Record<string, Preset>>
}

export type FabricNeed = 'ecn' | 'telemetry' | 'credits' | 'lossless' | 'acks' | 'input-buffered'

export const schemes: readonly SchemeCard[] = []
