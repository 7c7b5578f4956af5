/**
 * A parameter of a scheme, described once: the spec parser, `weir explain`, the docs check, the
 * lab's knobs and the types of the scheme's own values all read this. Values are held in base
 * units: time in ps, size in bytes, rate in bit/s.
 */
export type ParamValue = number | boolean | string

/** Every kind of parameter by its `unit`. */
export type Param = NumberParam | BooleanParam | ChoiceParam | TextParam

interface Described {
  /** It says how switches mark, so that it is refused where `fabric.ecn` says that itself. */
  readonly isMarking?: boolean
  /** What it does, in one sentence. */
  readonly about: string
  /** Where the default comes from: paper and section, RFC, product documentation. */
  readonly source: string
}

/** `time`, `size` and `rate` are written with a unit (`55us`); a `fraction` lies in 0..1. */
export interface NumberParam extends Described {
  readonly unit: 'time' | 'size' | 'rate' | 'fraction' | 'number' | 'count'
  readonly default: number
  /** Inclusive bounds in base units. */
  readonly min?: number
  readonly max?: number
}

export interface BooleanParam extends Described {
  readonly unit: 'boolean'
  readonly default: boolean
}

/** One of a few words. */
export interface ChoiceParam<W extends string = string> extends Described {
  readonly unit: 'choice'
  readonly default: W
  readonly choices: readonly W[]
}

export interface TextParam extends Described {
  readonly unit: 'text'
  readonly default: string
}

export function isNumberParam(param: Param): param is NumberParam {
  return param.unit !== 'boolean' && param.unit !== 'choice' && param.unit !== 'text'
}

export type Params = Readonly<Record<string, Param>>

/** What a scheme with these parameters is given: another name than theirs does not compile. */
export type ValuesOf<P extends Params> = { readonly [N in keyof P]: ValueOf<P[N]> }

type ValueOf<P extends Param> = P extends { readonly choices: readonly (infer W)[] }
  ? W
  : P extends NumberParam
    ? number
    : P extends BooleanParam
      ? boolean
      : string

/**
 * The other way round, for values that are declared in a file of their own: exactly these
 * parameters, each of the right kind.
 */
export type ParamsOf<V> = { readonly [N in keyof V]: ParamOf<V[N]> }

type ParamOf<T> = [T] extends [number]
  ? NumberParam
  : [T] extends [boolean]
    ? BooleanParam
    : string extends T
      ? TextParam
      : [T] extends [string]
        ? ChoiceParam<T>
        : never

/** Values of a scheme whose parameters are not known by name: whoever reads them looks. */
export type ParamValues = Readonly<Record<string, ParamValue>>

/** A named set of values that differ from the defaults, with where they come from. */
export interface Preset<P extends Params = Params> {
  readonly about: string
  readonly source: string
  readonly values: string extends keyof P ? ParamValues : Partial<ValuesOf<P>>
}

export type Presets<P extends Params = Params> = Readonly<Record<string, Preset<P>>>

/** Every value of a scheme's parameters: defaults, then a preset, then what the spec says. */
export function resolveParams(
  params: Params,
  preset: Preset | undefined,
  given: Partial<Record<string, ParamValue>>,
): Record<string, ParamValue> {
  const values: Record<string, ParamValue> = {}
  for (const [name, param] of Object.entries(params)) values[name] = param.default
  // A copy: an object of twenty keys set one by one is a hash table to V8, and points read this.
  return { ...values, ...preset?.values, ...(given as ParamValues) }
}
