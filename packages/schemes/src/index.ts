export { accurate, circuitOf } from './accurate.ts'
export type { CircuitListener } from './accurate.ts'
export {
  ContentionCircuit,
  FLOW_INIT,
  FLOW_STOP,
  FLOW_STOP_UNSENT,
  FRP,
  NO_FRP,
} from './accurate/circuit.ts'
export type { CircuitSettings, Divider } from './accurate/circuit.ts'
export { FixedContentionPoint } from './accurate/fixed-contention-point.ts'
export { AccurateContentionPoint, exactRates } from './accurate/contention-point.ts'
export type { ContentionSettings, Frp, FrpType, RateCode } from './accurate/contention-point.ts'
export { dcqcn } from './dcqcn.ts'
export { dctcp } from './dctcp.ts'
export { dctcpRate } from './dctcp-rate.ts'
export { homa } from './homa.ts'
export { hpcc } from './hpcc.ts'
export { infiniband } from './infiniband.ts'
export { ndp } from './ndp.ts'
export { none } from './none.ts'
export { guarded } from './own/guarded.ts'
export { OwnSchemeError, schemesIn } from './own/own-scheme.ts'
export { starterTestText, starterText, type StarterOptions } from './own/starter.ts'
export { pacc } from './pacc.ts'
export { qcn } from './qcn.ts'
export { boundsOf, paramCodec, paramText } from './param-codec.ts'
export { isNumberParam, resolveParams } from './param.ts'
export type {
  BooleanParam,
  ChoiceParam,
  NumberParam,
  Param,
  Params,
  ParamsOf,
  ParamValue,
  ParamValues,
  Preset,
  Presets,
  TextParam,
  ValuesOf,
} from './param.ts'
export { r2c2 } from './r2c2.ts'
export { protocolOf, protocolsOf } from './r2c2/protocols.ts'
export { toldBy } from './r2c2/told.ts'
export type { Told } from './r2c2/told.ts'
export { wiringOf } from './r2c2/wiring.ts'
export { rocc } from './rocc.ts'
export { schemeByName, schemes } from './registry.ts'
export type { SchemeCard } from './registry.ts'
export { defineScheme } from './scheme.ts'
export type { FabricNeed, Scheme, SchemeContext } from './scheme.ts'
export { swift } from './swift.ts'
export { tcpReno } from './tcp-reno.ts'
export { timely } from './timely.ts'
