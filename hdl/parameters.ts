/** The settings of a circuit as the parameters of contention_point.v. */
import type { CircuitSettings, Divider } from '@weir/schemes'

const DIVIDERS: readonly Divider[] = ['array', 'pipeline', 'serial']

export function parametersOf(settings: CircuitSettings): Record<string, number> {
  return {
    RATE: settings.rateBits,
    COUNT: settings.countBits,
    CAPACITY: settings.capacity,
    SHAREABLE: settings.shareable,
    URGENT: settings.urgent,
    REMEMBERS: settings.remembers ? 1 : 0,
    FLOORS: settings.floors ? 1 : 0,
    DIVIDER: DIVIDERS.indexOf(settings.divider),
    STAGES: Math.max(1, settings.stages),
  }
}

/** A link of the fastest rate with 5% left to nobody (ACCurate, section III), by the letter. */
export function linkOf(rateBits: number, countBits: number): CircuitSettings {
  const full = 2 ** rateBits - 1
  return {
    rateBits,
    countBits,
    capacity: full,
    shareable: Math.floor(full * 0.95),
    urgent: Math.floor(full * 0.1),
    remembers: false,
    floors: false,
    divider: 'array',
    stages: 1,
  }
}
