/** What one circuit does in the run of the story's step, without a page. */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import { CircuitLog } from '../model/circuit-log.ts'
import type { CircuitStep } from '../model/circuit-log.ts'
import { CircuitRecorder } from '../worker/circuit-recorder.ts'
import type { CircuitCard } from '../worker/protocol.ts'

export const PORT = 'leaf1->spine1'
const FIXED = ['scheme=accurate', 'scheme.params.arithmetic=fixed']

export interface CircuitOfVictim {
  readonly card: CircuitCard
  readonly log: CircuitLog
  readonly steps: readonly CircuitStep[]
}

export function circuitOfVictim(): CircuitOfVictim {
  const run = createRun(loadSpec({ text: scenarioByName('victim')!.text, settings: FIXED }))
  const { graph, fabric } = run.network
  const { from, to } = fabric.ports
  const nameOf = (port: number): string =>
    `${graph.nodes[from[port]!]!.name}->${graph.nodes[to[port]!]!.name}`
  const port = Array.from(from, (_, i) => nameOf(i)).indexOf(PORT)
  const recorder = new CircuitRecorder(run, Int32Array.of(port))
  run.step(run.spec.run.untilPs)
  const log = new CircuitLog()
  log.add(recorder.hand()!)
  return { card: recorder.cards[0]!, log, steps: log.stepsOf(port) }
}
