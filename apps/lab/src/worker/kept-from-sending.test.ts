/** A port that has no credits is seen to wait, a host's as well as a switch's. */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { Recorder } from './recorder.ts'

/** By port: the part of pictures in which it waits. */
function waiting(settings: string[]): Map<string, number> {
  const text = scenarioByName('parking-lot')!.text
  const run = createRun(loadSpec({ text, settings }))
  const recorder = new Recorder(run)
  const { nodes, from, to } = recorder.scene('', '')
  for (let i = 1; i <= 300; i++) {
    run.step(i * recorder.intervalPs)
    recorder.take(i * recorder.intervalPs)
  }
  const { paused, count } = recorder.hand().frames
  const ports = paused.length / count
  return new Map(
    [...from].map((node, port) => {
      let sum = 0
      for (let frame = 0; frame < count; frame++) sum += paused[frame * ports + port]! / 255
      return [`${nodes[node]!.name}->${nodes[to[port]!]!.name}`, sum / count]
    }),
  )
}

describe('ports without credits', () => {
  it('wait at hosts for as long as they do not send', () => {
    const parts = waiting([])
    // H1 and H2 have a quarter of a link each, H3 has a half.
    expect(parts.get('H1->leaf1')).toBeCloseTo(3 / 4, 1)
    expect(parts.get('H2->leaf1')).toBeCloseTo(3 / 4, 1)
    expect(parts.get('H3->leaf2')).toBeCloseTo(1 / 2, 1)
    // A switch's port that carries half of what it could waits for the other half.
    expect(parts.get('leaf1->spine1')).toBeCloseTo(1 / 2, 1)
    expect(parts.get('leaf2->H4')).toBe(0)
  })

  it('do not wait where a scheme keeps queues empty', () => {
    const parts = waiting(['scheme=accurate'])
    for (const host of ['H1->leaf1', 'H2->leaf1', 'H3->leaf2']) {
      expect(parts.get(host), host).toBeLessThan(0.1)
    }
  })
})
