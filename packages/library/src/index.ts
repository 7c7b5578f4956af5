/**
 * Weir as a library: `import { simulate } from 'weir'`. It runs in Node and in a page alike, and
 * needs nothing else.
 *
 *     import { simulate } from 'weir'
 *     const { summary } = simulate('incast', { scheme: 'dcqcn' })
 *
 * A scheme of your own is an object of type {@link Scheme}: give it instead of a name. Time is in
 * picoseconds, rates in bit/s, sizes in bytes, and every name ends in its unit.
 *
 * @packageDocumentation
 */
export { simulate, start, type ScenarioOptions } from './simulate.ts'
export {
  drawsOf,
  jsonSchema,
  loadSpec,
  noiseOf,
  perturbed,
  printSpec,
  Run,
  scenarioByName,
  scenarios,
  SpecError,
  validateSpec,
  VERSION,
} from '@weir/sim'
export type * from '@weir/sim'
export {
  defineScheme,
  guarded,
  OwnSchemeError,
  resolveParams,
  schemeByName,
  schemes,
} from '@weir/schemes'
export type {
  BooleanParam,
  ChoiceParam,
  FabricNeed,
  NumberParam,
  Param,
  Params,
  ParamsOf,
  ParamValue,
  ParamValues,
  Preset,
  Presets,
  Scheme,
  SchemeCard,
  SchemeContext,
  TextParam,
  ValuesOf,
} from '@weir/schemes'
export {
  ContentionPoint,
  DROP,
  headerFields,
  inertControl,
  KEEP,
  MARK,
  NodeAgent,
  NotificationPoint,
  ReactionPoint,
  Telemetry,
  TRIM,
} from '@weir/fabric'
export type {
  Ack,
  AgentPacket,
  Control,
  ControlChange,
  FlowContext,
  HeaderField,
  LossCause,
  Marking,
  NodeContext,
  NodeLink,
  PortContext,
  Received,
  ReceiverContext,
  Shared,
  RecoveryStep,
  Verdict,
} from '@weir/fabric'
export { NextHops, OwnRoutingError, Ports, type OwnRouting } from '@weir/routing'
export type { IsDown, Routing, Spread, SpreadContext } from '@weir/fabric'
export {
  atan2,
  cos,
  exp,
  formatRate,
  formatSize,
  formatTime,
  ln,
  parseRate,
  parseSize,
  parseTime,
  pow,
  Random,
  shortRate,
  shortSize,
  shortTime,
  sin,
  UnitError,
} from '@weir/engine'
export {
  buckets,
  convergencePs,
  empiricalCdf,
  interpolated,
  isApart,
  jain,
  mean,
  meanInterval,
  nearestRank,
  pairedDifference,
} from '@weir/metrics'
export type { CdfPoints, FlowStats, MeanInterval, SizeBucket } from '@weir/metrics'
