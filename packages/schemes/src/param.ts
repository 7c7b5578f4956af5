/**
 * A parameter of a scheme, described once: the spec parser, `weir explain`, the docs check and the
 * lab's knobs all read this. Values are held in base units: time in ps, size in bytes, rate in
 * bit/s.
 */
export type ParamValue = number | boolean | string

export interface Param {
  /** `time`, `size` and `rate` are written with a unit (`55us`); a `fraction` lies in 0..1. */
  readonly unit:
    'time' | 'size' | 'rate' | 'fraction' | 'number' | 'count' | 'boolean' | 'choice' | 'text'
  readonly default: ParamValue
  /** Inclusive bounds in base units; for a `choice`, the words. */
  readonly min?: number
  readonly max?: number
  readonly choices?: readonly string[]
  /** It says how switches mark, so that it is refused where `fabric.ecn` says that itself. */
  readonly isMarking?: boolean
  /** What it does, in one sentence. */
  readonly about: string
  /** Where the default comes from: paper and section, RFC, product documentation. */
  readonly source: string
}

export type Params = Readonly<Record<string, Param>>

/** A named set of values that differ from the defaults, with where they come from. */
export interface Preset {
  readonly about: string
  readonly source: string
  readonly values: Readonly<Record<string, ParamValue>>
}

/** Every value of a scheme's parameters: defaults, then a preset, then what the spec says. */
export type ParamValues = Readonly<Record<string, ParamValue>>

export function resolveParams(
  params: Params,
  preset: Preset | undefined,
  given: Partial<Record<string, ParamValue>>,
): Record<string, ParamValue> {
  const values: Record<string, ParamValue> = {}
  for (const [name, param] of Object.entries(params)) values[name] = param.default
  return Object.assign(values, preset?.values, given)
}
