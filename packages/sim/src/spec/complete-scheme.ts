/**
 * The scheme, held against its own card (names, units, bounds) and against the fabric: a scheme
 * that needs what the fabric lacks is refused, since its result would mean nothing.
 */
import { didYouMean, either, readWhole, show } from '@weir/engine/codec'
import type { NodeNames } from '@weir/fabric'
import { paramCodec, paramText, resolveParams } from '@weir/schemes'
import type { FabricNeed, ParamValue } from '@weir/schemes'
import type { Card } from './card.ts'
import type { ChangeDraft, SchemeDraft } from './scheme.ts'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'
import type { FabricSpec, HostsSpec, SchemeChange, SchemeSpec } from './valid-spec.ts'
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
    given[name] = readWhole(paramCodec(param), value, path)
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
    case 'verdicts':
      if (flowControl === 'credits') {
        refuse(
          ['fabric', 'flowControl'],
          'switches that may trim or drop, and with credits every packet sent has its room',
          `write flowControl: ${either(['pfc', 'none'])}`,
        )
      }
      return
    case 'telemetry':
      // Every switch of the simulator can stamp packets; the scheme itself switches it on.
      return
  }
}
