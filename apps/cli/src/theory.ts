/** What `weir theory` was asked, as the models take it: words become quantities, or a sentence. */
import { parseRate, parseSize, parseTime, UnitError } from '@weir/engine'
import { schemeByName } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { applySetting, SpecError, validateSpec } from '@weir/sim'
import { fluidModels, unitOf } from '@weir/theory'
import type { FluidGroup, FluidModel, FluidNetwork, FluidValue, FluidValues } from '@weir/theory'
import { UserError } from './errors.ts'
import { unknownName } from './near-miss.ts'

export interface TheoryOptions {
  readonly flows: number
  readonly rate: string
  readonly delay: string
  readonly lineRate?: string
  readonly nearDelay?: string
  readonly packet: string
  readonly preset?: string
  readonly set: readonly string[]
  readonly from?: string
  readonly time: string
}

export interface Question {
  readonly model: FluidModel
  readonly network: FluidNetwork
  readonly values: FluidValues
  readonly groups: readonly FluidGroup[] | undefined
  readonly seconds: number
  /** Values of a preset that the model has no use for. */
  readonly unused: readonly string[]
}

export function questionOf(name: string, options: TheoryOptions): Question {
  const model = fluidModels.find((known) => known.name === name)
  if (model === undefined) {
    const known = fluidModels.map((one) => one.name)
    if (schemeByName(name) !== undefined) {
      throw new UserError(`${name} has no fluid model; there are ${known.join(', ')}.`)
    }
    throw new UserError(
      unknownName('fluid model', name, known, `write one of ${known.join(', ')}.`),
    )
  }
  const network: FluidNetwork = {
    flows: options.flows,
    rateBps: above('--rate', options.rate, parseRate),
    delayPs: above('--delay', options.delay, parseTime),
    packetBytes: above('--packet', options.packet, parseSize),
    ...(options.lineRate !== undefined && {
      lineRateBps: above('--line-rate', options.lineRate, parseRate),
    }),
    ...(options.nearDelay !== undefined && {
      nearDelayPs: above('--near-delay', options.nearDelay, parseTime),
    }),
  }
  const { values, unused } = valuesOf(model, options)
  const groups = options.from === undefined ? undefined : groupsOf(options.from, options.flows)
  return { model, network, values, groups, seconds: secondsOf(options.time), unused }
}

function secondsOf(text: string): number {
  return above('--time', text, parseTime) * 1e-12
}

function above(option: string, text: string, parse: (text: string) => number): number {
  const value = said(option, text, parse)
  if (value > 0) return value
  throw new UserError(`${option}: '${text}' is nothing; write more than 0.`)
}

/** Sentences about units say which option they are about. */
function said(option: string, text: string, parse: (text: string) => number): number {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof UnitError) throw new UserError(`${option}: ${error.message}`)
    throw error
  }
}

function valuesOf(
  model: FluidModel,
  { preset, set }: TheoryOptions,
): { readonly values: FluidValues; readonly unused: readonly string[] } {
  const values: Record<string, FluidValue> = { ...model.defaults }
  const unused: string[] = []
  for (const [name, value] of Object.entries(presetOf(model, preset))) {
    if (name in values) values[name] = value
    else unused.push(name)
  }
  for (const setting of set) {
    const [name = '', ...rest] = setting.split('=')
    const before = model.defaults[name]
    if (before === undefined) {
      const known = Object.keys(model.defaults)
      const remedy = `the fluid model of ${model.name} has ${known.join(', ') || 'none'}.`
      throw new UserError(`--set: ${unknownName('parameter', name, known, remedy)}`)
    }
    const choices = model.own?.[name]
    const text = rest.join('=')
    if (choices?.includes(text) === false) {
      const remedy = `write ${choices.join(' or ')}.`
      throw new UserError(`--set ${name}: ${unknownName('choice', text, choices, remedy)}`)
    }
    values[name] = valueOf(name, text, before)
  }
  checkAsScheme(model, preset, set)
  return { values, unused }
}

function schemeOf(model: FluidModel): Scheme | undefined {
  return schemeByName(model.scheme ?? model.name)
}

/** What a scheme of packets refuses (out of range, kmin above kmax) its fluid refuses too. */
function checkAsScheme(
  model: FluidModel,
  preset: string | undefined,
  set: readonly string[],
): void {
  const scheme = schemeOf(model)
  const known = set.filter((setting) => scheme?.params[setting.split('=')[0]!] !== undefined)
  if (scheme === undefined || known.length === 0) return
  const bare: unknown = {
    topology: { kind: 'star', hosts: 2, rate: '10Gbps', delay: '1us' },
    workload: [{ flows: [{ from: 'h0', to: 'h1' }] }],
    scheme: { name: scheme.name, ...(preset !== undefined && { preset }) },
    run: { until: '1ms' },
  }
  try {
    validateSpec(known.map((one) => `scheme.params.${one}`).reduce(applySetting, bare))
  } catch (error) {
    if (!(error instanceof SpecError)) throw error
    const name = error.path.split('.').at(-1)!
    const sentence = error.message.slice(error.message.indexOf(error.path) + error.path.length + 2)
    throw new UserError(`--set ${name}: ${sentence}.`)
  }
}

function presetOf(model: FluidModel, name: string | undefined): FluidValues {
  if (name === undefined) return {}
  const presets = schemeOf(model)?.presets ?? {}
  const preset = presets[name]
  if (preset !== undefined) return preset.values
  const known = Object.keys(presets)
  const remedy =
    known.length === 0 ? `${model.name} has none.` : `${model.name} has ${known.join(', ')}.`
  throw new UserError(`--preset: ${unknownName('preset', name, known, remedy)}`)
}

function valueOf(name: string, text: string, before: FluidValue): FluidValue {
  if (typeof before === 'string') return text
  if (typeof before === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new UserError(`--set ${name}: '${text}' is neither true nor false; write one of them.`)
  }
  const unit = unitOf(name)
  if (unit !== undefined) {
    const parse = { time: parseTime, size: parseSize, rate: parseRate }[unit]
    return said(`--set ${name}`, text, parse)
  }
  const value = text.trim() === '' ? NaN : Number(text)
  if (Number.isFinite(value)) return value
  throw new UserError(`--set ${name}: '${text}' is not a number; write one, such as ${before}.`)
}

/** '7Gbps,3Gbps': as many groups of as equal a size as the flows allow. */
function groupsOf(text: string, flows: number): FluidGroup[] {
  const rates = text.split(',').map((rate) => above('--from', rate.trim(), parseRate))
  if (rates.length > flows) {
    throw new UserError(`--from: ${rates.length} rates for ${flows} flows; name fewer rates.`)
  }
  return rates.map((rateBps, i) => ({
    rateBps,
    flows: Math.floor((flows * (i + 1)) / rates.length) - Math.floor((flows * i) / rates.length),
  }))
}
