import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { loadSpec, printSpec, scenarioByName } from './spec/index.ts'
import type { ValidSpec } from './spec/index.ts'
import type { Result } from './result.ts'

const pair = (messages: string, rest: string = ''): string => `
topology: { kind: star, hosts: 4, rate: 10Gbps, delay: 1us }
workload:
${rest}  - messages: ${messages}
scheme: none
run: { until: 20ms }
`

describe('programs of messages in a run', () => {
  it('takes a message as long as its flow takes to arrive', () => {
    const spec = load(
      pair(
        '{processes: [h0, h1], sendOverhead: 0us, receiveOverhead: 0us, ' +
          'program: {kind: ping-pong, size: 1000B, iterations: 5}}',
      ),
    )
    const result = simulate(spec)
    // Two links of 1 us and 1,048 B at 10 Gb/s; an answer leaves after the ACK of what it answers.
    expect(measure(result, 'latencyMin')).toBe(2 * (1e6 + 838_400) + 48_000)
    expect(result.flows.name).toHaveLength(12)
    expect(result.ended).toEqual({ why: 'completed' })
  })

  it('ends with the program, though other flows have no end', () => {
    const result = simulate(
      load(
        pair(
          '{name: p, processes: [h0, h1], program: {kind: allreduce, size: 1MB, iterations: 1}}',
          '  - flows: [{ name: load, from: h2, to: h3 }]\n',
        ),
      ),
    )
    expect(result.simulatedPs).toBeLessThan(5e9)
    expect(result.messages?.[0]).toMatchObject({ name: 'p', kind: 'allreduce', messages: 4 })
  })

  it('does not end while a process computes and no message is under way', () => {
    const result = simulate(
      load(
        pair(
          '{processes: [h0, h1], program: "0 send 1 1KB\\n1 recv 0\\n1 compute 3ms\\n1 mark end"}',
        ),
      ),
    )
    expect(measure(result, 'end')).toBeGreaterThan(3e9)
  })

  it('names a program that the time was too short for by a missing end', () => {
    const result = simulate(
      load(pair('{processes: [h0, h1], program: "0 compute 30ms\\n0 send 1 1KB\\n1 recv 0"}')),
    )
    expect(result.messages?.[0]?.endPs).toBeNaN()
    expect(result.ended.why).toBe('time')
  })

  it.each([
    '[h0, h1], program: {kind: ring, size: 8B, iterations: 3, orders: 2, overlap: true}',
    '[h0, h1], program: {kind: ptrans, order: 64, memoryRate: 8Gbps}, class: 2',
    '[h0, h1], program: {kind: random-access, rounds: 3, lookahead: 64, updateRate: 4e6}',
    '[h0, h1], program: {kind: fft, points: 64, flops: 1e9}, start: 1us',
    '[h0, h1], program: {kind: hpl, order: 64, block: 8, flops: 1e9}',
    '[h0, h1, h0], program: "all send +1 8B\\nall recv -1"',
  ])('prints processes: %s as it was read', (messages) => {
    const spec = load(pair(`{processes: ${messages}}`))
    expect(load(printSpec(spec))).toEqual(spec)
  })

  it.each([
    ['{processes: [h0], program: "0 compute 1us"}', 'messages need two processes'],
    ['{processes: [h0, h9], program: "0 compute 1us"}', 'there is no node "h9"'],
    ['{processes: [h0, h1], program: "0 recv 1"}', 'Process 0 waits for ever'],
    ['{processes: [h0, h1], program: ping}', '"ping" is not a program'],
    ['{processes: [h0, h1], program: {kind: fft, points: 64}}', 'flops'],
  ])('refuses %s', (messages, sentence) => {
    expect(() => load(pair(messages))).toThrow(sentence)
  })
})

describe('changes of a scheme', () => {
  const text = scenarioByName('infiniband-testbed')!.text
  const withChanges = (changes: string, ...settings: string[]): ValidSpec =>
    loadSpec({ text, settings: [...settings, `scheme.changes=${changes}`] })

  it('are read in order of time, and printed as they were read', () => {
    const spec = withChanges(
      '[{at: 5ms, where: [S2->H5, H1], params: {cctiTimer: 300us}}, {params: {threshold: 8}}]',
    )
    expect(spec.scheme.changes).toEqual([
      { atPs: 0, where: [], params: { threshold: 8 } },
      { atPs: 5e9, where: ['S2->H5', 'H1'], params: { cctiTimer: 300e6 } },
    ])
    expect(load(printSpec(spec))).toEqual(spec)
  })

  it.each([
    ['[{where: [S9], params: {threshold: 8}}]', 'there is no node "S9"'],
    ['[{params: {treshold: 8}}]', 'infiniband has no parameter "treshold"'],
    ['[{params: {threshold: 16}}]', 'out of range'],
  ])('are refused: %s', (changes, sentence) => {
    expect(() => withChanges(changes)).toThrow(sentence)
  })

  it('are refused for a scheme without a manager', () => {
    const spec = (): unknown => withChanges('[{params: {g: 0.5}}]', 'scheme={name: dcqcn}')
    expect(spec).toThrow('dcqcn has no manager to change its parameters')
  })
})

function load(text: string): ValidSpec {
  return loadSpec({ text, sourceName: 'test' })
}

function measure(result: Result, name: string): number {
  return result.messages?.[0]?.measures.find((one) => one.name === name)?.value ?? NaN
}
