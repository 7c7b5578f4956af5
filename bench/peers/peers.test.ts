/**
 * Weir is held to what ns-3 answered, once, for a few small networks: each file of `recorded` has
 * an input and ns-3.37's outcome (`node bench/peers/run.mjs record`; docs/peers.md). Completion
 * times are equal to the picosecond, and so are drops, marks, repetitions and packet-hops.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseInput, parseOutcome, printInput, printOutcome } from './input.ts'
import { randomInput } from './random-input.ts'
import { runWeir } from './weir-peer.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'recorded')
const recorded = readdirSync(folder).map((name): [string, string, string] => {
  const [input = '', answer = ''] = readFileSync(join(folder, name), 'utf8').split('---\n')
  return [name, input, answer]
})

describe("ns-3's answers", () => {
  it.each(recorded)('%s', (_, input, answer) => {
    expect(printOutcome(runWeir(parseInput(input)))).toBe(answer)
  })

  it('are of all transports, as ns-3 ships and mended, with drops, repetitions and marks', () => {
    const inputs = recorded.map(([, input]) => parseInput(input))
    const transports = inputs.map(({ transport, sack }) => (sack ? 'sack' : transport))
    expect([...new Set(transports)].sort()).toEqual(['dctcp', 'reno', 'sack', 'udp'])
    expect(inputs.some(({ mended }) => mended === 'none')).toBe(true)
    expect(inputs.some(({ mended }) => mended === 'all')).toBe(true)
    const outcomes = recorded.map(([, , answer]) => parseOutcome(answer))
    for (const count of [
      outcomes.filter(({ drops }) => drops > 10).length,
      outcomes.filter(({ marks }) => marks > 10).length,
      outcomes.filter(({ again }) => again.some((packets) => packets > 10)).length,
    ]) {
      expect(count).toBeGreaterThan(0)
    }
  })
})

describe('an input', () => {
  it('is read as it was written, and the same seed draws the same one', () => {
    for (const transport of ['udp', 'reno', 'dctcp'] as const) {
      const input = randomInput(7, transport, 'mixed')
      expect(parseInput(printInput(input))).toEqual(input)
      expect(randomInput(7, transport, 'mixed')).toEqual(input)
    }
  })
})
