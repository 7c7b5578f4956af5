/** What a run's circuits did, FRP by FRP: which step a moment shows, and what it changed. */
import { FLOW_INIT, FLOW_STOP, FRP, NO_FRP } from '@weir/schemes'
import { CIRCUIT_FIELDS } from '../worker/protocol.ts'
import type { CircuitCard, CircuitSteps } from '../worker/protocol.ts'

export type CircuitStep = Readonly<Record<(typeof CIRCUIT_FIELDS)[number], number>>

/** The registers, this period's and the old ones beside each other. */
export const REGISTERS = [
  { name: 'FSR', now: 'fsr', old: 'oldFsr', kind: 'rate' },
  { name: 'M', now: 'm', old: 'oldM', kind: 'count' },
  { name: 'B', now: 'b', old: 'oldB', kind: 'sum' },
  { name: 'b_max', now: 'bMax', old: 'oldBMax', kind: 'rate' },
  { name: 'others', now: 'elsewhere', old: 'oldElsewhere', kind: 'count' },
] as const
export type RegisterName = (typeof REGISTERS)[number]['now' | 'old']

export class CircuitLog {
  /** Steps from here on were too many; Infinity: all are here. */
  cutPs: number = Infinity
  readonly #byPort: Map<number, CircuitStep[]> = new Map()

  add({ steps: rows, cutPs }: Pick<CircuitSteps, 'steps' | 'cutPs'>): void {
    this.cutPs = cutPs
    for (let at = 0; at < rows.length; at += CIRCUIT_FIELDS.length) {
      const step = Object.fromEntries(
        CIRCUIT_FIELDS.map((field, i) => [field, rows[at + i]!]),
      ) as CircuitStep
      const list = this.#byPort.get(step.port)
      if (list === undefined) this.#byPort.set(step.port, [step])
      else list.push(step)
    }
  }

  stepsOf(port: number): readonly CircuitStep[] {
    return this.#byPort.get(port) ?? []
  }

  /** The last step of a port up to a moment; -1: nothing has passed yet. */
  lastAt(port: number, timePs: number): number {
    const steps = this.stepsOf(port)
    let [low, high] = [0, steps.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (steps[middle]!.atPs <= timePs) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** A circuit that nothing has passed: idle, with all of C (1 - alpha) to give. */
export function atRest({ port, shareable }: CircuitCard): CircuitStep {
  const zeros = Object.fromEntries(CIRCUIT_FIELDS.map((field) => [field, 0])) as CircuitStep
  return { ...zeros, port, row: -1, atPs: -1, fsr: shareable, oldFsr: shareable }
}

export function kindOf({ type }: CircuitStep): string {
  if (type === NO_FRP) return 'tick'
  if (type === FRP) return 'FRP'
  return type === FLOW_INIT ? 'flow-init' : 'flow-stop'
}

/** In words, what a step did to the registers and to the FRP. */
export function told(step: CircuitStep, before: CircuitStep, card: CircuitCard): string {
  if (step.atPs < 0) return 'Nothing has passed yet: the whole link is free.'
  if (step.type === NO_FRP) {
    return `The period ends: the registers become the old ones. ${division(step, card)}`
  }
  const { inCurrent, outCurrent, outDesired } = step
  const leaves = `It leaves with CR ${outCurrent} and DR ${outDesired}.`
  const register = countedIn(step, before)
  if (step.type >= FLOW_STOP) {
    const from = register === '' ? 'the old registers' : register
    return `A flow ends, with CR ${inCurrent}: it is taken out of ${from}.`
  }
  const first = step.type === FLOW_INIT ? `A flow begins: ${division(step, card)} ` : ''
  if (register === 'M') {
    const which = step.fsr <= inCurrent ? 'FSR' : 'the old FSR'
    return `${first}CR ${inCurrent} reaches ${which}: bottlenecked here, M counts it. ${leaves}`
  }
  const elsewhere = 'bottlenecked elsewhere, B takes its rate.'
  return `${first}CR ${inCurrent} is below FSR: ${elsewhere} ${leaves}`
}

/** The running register that a step moved: M, B, or neither ('') where what counts is full. */
export function countedIn(step: CircuitStep, before: CircuitStep): 'M' | 'B' | '' {
  if (step.type === NO_FRP) return ''
  return step.m !== before.m ? 'M' : step.b !== before.b ? 'B' : ''
}

/** Eq. 1 of the old registers, with the corner cases of ACCurate's section IV-A. */
export function division(step: CircuitStep, { shareable, capacity }: CircuitCard): string {
  const { oldM: m, oldB: b, oldBMax: bMax, oldElsewhere: others, fsr } = step
  if (m === 0 && b === 0) return `No flow: FSR = ${shareable}.`
  const rest = m === 0 ? Math.max(0, b - bMax) : b
  if (rest >= shareable)
    return `B is too much: FSR = C / flows = ${capacity} / ${m + others} = ${fsr}.`
  const floor = Math.floor((shareable - rest) / Math.max(1, m))
  const by = `(${shareable} - ${rest}) / ${Math.max(1, m)}`
  if (floor === fsr) return `FSR = ${by} = ${fsr}.`
  const equal = Math.floor(shareable / (m + others))
  if (equal !== fsr) return `${by} = ${floor}; FSR stays ${fsr} until the tick.`
  return `${by} = ${floor}, less than an equal share: FSR = ${shareable} / ${m + others} = ${fsr}.`
}
