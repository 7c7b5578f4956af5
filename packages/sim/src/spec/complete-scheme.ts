/**
 * The scheme, held against its own card (names, units, bounds) and against the fabric: a scheme
 * that needs what the fabric lacks is refused, since its result would mean nothing.
 */
import { formatRate, formatSize, formatTime, parseRate, parseSize, parseTime } from '@weir/engine'
import type { NodeNames } from '@weir/fabric'
import { resolveParams } from '@weir/schemes'
import type { FabricNeed, NumberParam, Param, ParamValue } from '@weir/schemes'
import type { Card } from './card.ts'
import { readNumber } from './quantities.ts'
import type { ChangeDraft, SchemeDraft } from './run-schema.ts'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'
import type { FabricSpec, HostsSpec, SchemeChange, SchemeSpec } from './valid-spec.ts'
import { didYouMean, either, show } from './words.ts'
import { refusing } from './workload-context.ts'

export function completeScheme(
  draft: SchemeDraft,
  cards: readonly Card[],
  fabric: FabricSpec,
  hosts: HostsSpec,
  names?: NodeNames,
): SchemeSpec {
  const card = cards.find(({ name }) => name === draft.name)
  if (card === undefined) {
    const names = cards.map(({ name }) => name)
    throw new Refusal(
      ['scheme', 'name'],
      `${show(draft.name)} is not a scheme; ${didYouMean(draft.name, names)}`,
    )
  }
  const preset = Object.hasOwn(card.presets, draft.preset) ? card.presets[draft.preset] : undefined
  if (draft.preset !== '' && preset === undefined) {
    const names = Object.keys(card.presets)
    const remedy =
      names.length === 0 ? 'it has none, so leave preset out' : didYouMean(draft.preset, names)
    throw new Refusal(
      ['scheme', 'preset'],
      `${show(draft.preset)} is not a preset of ${card.name}; ${remedy}`,
    )
  }
  const given = readParams(card, draft.params, ['scheme', 'params'])
  for (const need of card.needs) checkNeed(need, card.name, fabric, hosts)
  checkMarking(card, given, fabric)
  const params = resolveParams(card.params, preset, given)
  checkOrder(card, params, given)
  const changes = readChanges(card, draft.changes, names)
  return {
    name: card.name,
    preset: draft.preset,
    params,
    ...(changes.length === 0 ? {} : { changes }),
  }
}

function readParams(
  card: Card,
  written: Readonly<Record<string, unknown>>,
  base: SpecPath,
): Record<string, ParamValue> {
  const given: Record<string, ParamValue> = {}
  for (const [name, value] of Object.entries(written)) {
    const path = [...base, name]
    const param = Object.hasOwn(card.params, name) ? card.params[name] : undefined
    if (param === undefined) {
      const names = Object.keys(card.params)
      const remedy =
        names.length === 0 ? 'it has none, so leave params out' : didYouMean(name, names)
      throw new Refusal(path, `${card.name} has no parameter ${show(name)}; ${remedy}`, 'key')
    }
    given[name] = readParam(param, value, path)
  }
  return given
}

/** Marking is the scheme's (`ecn: auto`) or the fabric's; a value that nobody reads is refused. */
function checkMarking(
  card: Card,
  given: Readonly<Record<string, ParamValue>>,
  { ecn }: FabricSpec,
): void {
  if (ecn === 'auto') return
  const name = Object.keys(given).find((one) => card.params[one]?.isMarking === true)
  if (name === undefined) return
  throw new Refusal(
    ['scheme', 'params', name],
    `fabric.ecn is ${ecn.kind} and says itself how switches mark, so ${name} would have no ` +
      `effect; leave ${name} out, or write ecn: auto`,
    'key',
  )
}

function checkOrder(
  card: Card,
  params: Readonly<Record<string, ParamValue>>,
  given: Readonly<Record<string, ParamValue>>,
): void {
  for (const [low, high] of card.ordered ?? []) {
    const text = (name: string): string =>
      `${name} (${paramText(card.params[name]!, Number(params[name]))})`
    if (Number(params[low]) <= Number(params[high])) continue
    throw new Refusal(
      ['scheme', 'params', low in given ? low : high],
      `${text(low)} is above ${text(high)}; write ${low} below or at ${high}`,
    )
  }
}

/** What the scheme's manager sets at some places, or later; by order of time. */
function readChanges(
  card: Card,
  drafts: readonly ChangeDraft[],
  names: NodeNames | undefined,
): SchemeChange[] {
  if (drafts.length > 0 && card.isManaged !== true) {
    const remedy = 'leave changes out'
    throw new Refusal(
      ['scheme', 'changes'],
      `${card.name} has no manager to change its parameters; ${remedy}`,
    )
  }
  const changes = drafts.map(({ atPs, where, params }, i): SchemeChange => {
    const path: SpecPath = ['scheme', 'changes', i]
    // A place is a node, or a port as two of them; nodes are called by their names proper.
    const places = where.map((place, k) =>
      refusing([...path, 'where', k], () =>
        place
          .split('->')
          .map((node) => names?.name(names.index(node)) ?? node)
          .join('->'),
      ),
    )
    return { atPs, where: places, params: readParams(card, params, [...path, 'params']) }
  })
  return changes.sort((a, b) => a.atPs - b.atPs)
}

/** A parameter's value in its base unit, from what a user wrote. */
function readParam(param: Param, value: unknown, path: SpecPath): ParamValue {
  switch (param.unit) {
    case 'time':
      return within(param, quantity(value, 'a time such as 55us', parseTime, path), path)
    case 'size':
      return within(param, quantity(value, 'a size such as 10KB', parseSize, path), path)
    case 'rate':
      return within(param, quantity(value, 'a rate such as 40Mbps', parseRate, path), path)
    case 'fraction':
    case 'number':
    case 'count':
      return within(param, plainNumber(param, value, path), path)
    case 'boolean':
      if (typeof value === 'boolean') return value
      throw new Refusal(path, `${show(value)} is neither true nor false; write one of them`)
    case 'text':
      if (typeof value === 'string' || typeof value === 'number') return String(value)
      throw new Refusal(path, `${show(value)} is not a text; write one in quotes`)
    case 'choice': {
      const { choices } = param
      if (typeof value === 'string' && choices.includes(value)) return value
      const given = typeof value === 'string' ? value : ''
      throw new Refusal(path, `${show(value)} is not a choice; ${didYouMean(given, choices)}`)
    }
  }
}

function quantity(
  value: unknown,
  written: string,
  parse: (text: string) => number,
  path: SpecPath,
): number {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Refusal(path, `${show(value)} is not a quantity; write ${written}`)
  }
  try {
    return parse(String(value))
  } catch (error) {
    throw new Refusal(path, (error as Error).message)
  }
}

function plainNumber(param: NumberParam, value: unknown, path: SpecPath): number {
  const number =
    typeof value === 'string' || typeof value === 'number' ? readNumber(value) : undefined
  if (number === undefined) {
    throw new Refusal(path, `${show(value)} is not a number; write one such as ${param.default}`)
  }
  if (param.unit === 'count' && !Number.isInteger(number)) {
    throw new Refusal(
      path,
      `${show(value)} is not a whole number; write one such as ${param.default}`,
    )
  }
  return number
}

function within(param: NumberParam, value: number, path: SpecPath): number {
  const min = param.min ?? (param.unit === 'number' ? -Infinity : 0)
  const max = param.max ?? (param.unit === 'fraction' ? 1 : Infinity)
  if (value >= min && value <= max) return value
  const low = paramText(param, min)
  const high = paramText(param, max)
  const range =
    max === Infinity
      ? `of ${low} or more`
      : min === -Infinity
        ? `up to ${high}`
        : `from ${low} to ${high}`
  throw new Refusal(path, `${paramText(param, value)} is out of range; write a value ${range}`)
}

/** A value as a user would write it; `completeScheme` reads it back to the same. */
export function paramText(param: Pick<Param, 'unit'>, value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (param.unit === 'time') return formatTime(value)
  if (param.unit === 'size') return formatSize(value)
  if (param.unit === 'rate') return formatRate(value)
  return String(value)
}

function checkNeed(need: FabricNeed, scheme: string, fabric: FabricSpec, hosts: HostsSpec): void {
  const refuse = (path: string[], lack: string, remedy: string): never => {
    throw new Refusal(path, `${scheme} needs ${lack}; ${remedy}`)
  }
  const flowControl = fabric.flowControl.kind
  switch (need) {
    case 'ecn':
      if (typeof fabric.ecn === 'object' && fabric.ecn.kind === 'none') {
        refuse(
          ['fabric', 'ecn'],
          'ECN marks, and ecn is none',
          'write ecn: auto, or another scheme',
        )
      }
      return
    case 'lossless':
      if (flowControl === 'none') {
        const kinds = fabric.switch === 'input-buffered' ? ['credits', 'pfc'] : ['pfc', 'pause']
        refuse(
          ['fabric', 'flowControl'],
          'a lossless fabric, and flowControl is none',
          `write flowControl: ${either(kinds)}`,
        )
      }
      return
    case 'credits':
      if (flowControl !== 'credits') {
        refuse(
          ['fabric', 'flowControl'],
          `credits, and flowControl is ${flowControl}`,
          'write switch: input-buffered and flowControl: credits',
        )
      }
      return
    case 'acks':
      if (hosts.ack.every === 0) {
        refuse(['hosts', 'ack'], 'ACKs, and ack is none', 'write ack: {every: 1}')
      }
      return
    case 'input-buffered':
      if (fabric.switch !== 'input-buffered') {
        refuse(
          ['fabric', 'switch'],
          `switches with buffers at their inputs, and switch is ${fabric.switch}`,
          'write switch: input-buffered',
        )
      }
      return
    case 'shared-memory':
      if (fabric.switch !== 'shared-memory') {
        refuse(
          ['fabric', 'switch'],
          `switches that judge packets at their outputs, and switch is ${fabric.switch}`,
          'write switch: shared-memory',
        )
      }
      return
    case 'telemetry':
      // Every switch of the simulator can stamp packets; the scheme itself switches it on.
      return
  }
}
