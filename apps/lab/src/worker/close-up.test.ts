/** Close up: the bytes of a queue, by flow, are the bytes of the queue. */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { Recorder } from './recorder.ts'

describe('a close-up', () => {
  it.each(['pfc-victim', 'parking-lot'])('divides every queue of %s among flows', (name) => {
    const run = createRun(loadSpec({ text: scenarioByName(name)!.text }))
    const recorder = new Recorder(run)
    for (let i = 1; i <= 60; i++) {
      run.step(i * recorder.intervalPs)
      recorder.take(i * recorder.intervalPs)
    }
    const { frames } = recorder.hand()
    const { close, count, queueBytes } = frames
    const ports = queueBytes.length / count
    let [seen, held] = [0, 0]
    for (let frame = 0; frame < count; frame++) {
      const sums = new Float64Array(ports)
      for (let k = close!.heldFrom[frame]!; k < close!.heldFrom[frame + 1]!; k++) {
        sums[close!.heldPort[k]!]! += close!.heldBytes[k]!
      }
      for (let port = 0; port < ports; port++) {
        // What is no data, an ACK or a heartbeat, is in the queue and nobody's.
        expect(sums[port]).toBeLessThanOrEqual(queueBytes[frame * ports + port]!)
        seen += sums[port]!
        held += queueBytes[frame * ports + port]!
      }
    }
    expect(held).toBeGreaterThan(10_000)
    expect(seen / held).toBeGreaterThan(0.95)
  })
})
