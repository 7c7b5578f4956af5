/**
 * Notes what ACCurate's circuits do, FRP by FRP: pictures are too far apart, for the FRPs of a
 * period pass a port within a packet's time. Only with `arithmetic: fixed`, where there is a
 * circuit; listening changes no trajectory.
 */
import { circuitOf, NO_FRP } from '@weir/schemes'
import type { ContentionCircuit } from '@weir/schemes'
import type { Run } from '@weir/sim'
import { CIRCUIT_FIELDS, NOTES_MAX } from './protocol.ts'
import type { CircuitCard, CircuitSteps } from './protocol.ts'

export class CircuitRecorder {
  readonly cards: readonly CircuitCard[]
  readonly #run: Run
  /** Of all ports together. */
  #noted: number = 0
  #cutPs: number = Infinity
  /** The page has not been told of the cut yet. */
  #isCutNow: boolean = false
  #steps: number[] = []

  constructor(run: Run, ports: Int32Array) {
    this.#run = run
    const { fabric } = run.network
    const topBps = fabric.ports.rateBps.reduce((a, b) => Math.max(a, b), 0)
    const cards: CircuitCard[] = []
    for (const port of ports) {
      const circuit = circuitOf(fabric.contention[port], (nowPs, flow) => {
        if (circuit !== undefined) this.#note(circuit, port, nowPs, flow)
      })
      if (circuit === undefined) continue
      const { rateBits, countBits, capacity, shareable } = circuit.settings
      const stepBps = topBps / (2 ** rateBits - 1)
      cards.push({ port, rateBits, countBits, capacity, shareable, stepBps })
    }
    this.cards = cards
  }

  #note(circuit: ContentionCircuit, port: number, nowPs: number, flow: number): void {
    if (this.#noted >= NOTES_MAX) {
      if (this.#cutPs === Infinity) this.#isCutNow = true
      this.#cutPs = Math.min(this.#cutPs, nowPs)
      return
    }
    this.#noted++
    const { input, output, now, old } = circuit
    const type = input.isTick ? NO_FRP : input.type
    const row = flow < 0 ? -1 : (this.#run.network.hosts.flows[flow]?.row ?? -1)
    this.#steps.push(port, nowPs, row, type, input.current, input.desired)
    this.#steps.push(output.current, output.desired, output.isUrgent ? 1 : 0)
    this.#steps.push(circuit.fsr, now.m, now.b, now.bMax, now.elsewhere)
    this.#steps.push(circuit.oldFsr, old.m, old.b, old.bMax, old.elsewhere)
  }

  /** What was noted since the last call; undefined: nothing. */
  hand(): CircuitSteps | undefined {
    if (this.#steps.length === 0 && !this.#isCutNow) return undefined
    if (this.#steps.length % CIRCUIT_FIELDS.length !== 0) throw new Error('a step of other length')
    const steps = Float64Array.from(this.#steps)
    this.#steps = []
    this.#isCutNow = false
    return { type: 'circuit', steps, cutPs: this.#cutPs }
  }
}
