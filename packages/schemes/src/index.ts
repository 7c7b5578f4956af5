export { resolveParams } from './param.ts'
export type { Param, Params, ParamValue, ParamValues, Preset } from './param.ts'
export { schemes } from './registry.ts'
export type { FabricNeed, SchemeCard } from './registry.ts'
