/**
 * The centralized design that the paper compares with (section 5.2, Fig. 19; similar to Fastpass):
 * a flow's node tells one controller of its start and end by a message, and the controller computes
 * all rates at once and sends every node with flows one message with the new rates of its own. The
 * controller is the first host.
 *
 * Sizes are ours, fitted to the figure's two numbers: an event has the 16 B of an announcement, a
 * message of rates 12 B and 4 B for each rate, in Kb/s as demands are. A packet of an agent holds
 * three numbers, so that a message travels as one packet for each rate, of which the first has the
 * 12 B.
 */
import type { AgentPacket, NodeContext } from '@weir/fabric'
import { NodeAgent } from '@weir/fabric'
import { ANNOUNCEMENT_BYTES, keyOf, TrafficMatrix, TYPE_FINISH, TYPE_START } from '@weir/rack'
import { addressesOf, codeOf, newHeard, readAnnouncement, typeOfCode, wordOf } from './fields.ts'
import { LEAST_BPS } from './reaction.ts'
import type { R2c2Reaction, RackAgent } from './reaction.ts'
import { FlowNumbers } from './flow-numbers.ts'
import type { RackWorld } from './world.ts'

const CONTROLLER = 0
/** Above the rack's own types. */
const TYPE_RATE = 12
export const HEAD_BYTES = 12
export const RATE_BYTES = 4

export class CentralHost extends NodeAgent implements RackAgent {
  readonly #node: NodeContext
  readonly #world: RackWorld
  readonly #flows = new FlowNumbers<R2c2Reaction>()
  readonly #heard = newHeard()
  /** What the controller knows; undefined elsewhere. */
  readonly #matrix: TrafficMatrix | undefined
  #number = 0
  #events = 0

  constructor(node: NodeContext, world: RackWorld) {
    super()
    this.#node = node
    this.#world = world
    const { wiring, endPs } = world.config
    this.#matrix =
      node.host === CONTROLLER
        ? new TrafficMatrix(wiring.nodes, { isWatched: false, endPs })
        : undefined
  }

  open(flow: R2c2Reaction, nowPs: number): void {
    flow.number = this.#flows.add(flow, this.#node.name)
    this.#tell(TYPE_START, flow, nowPs)
  }

  close(flow: R2c2Reaction, nowPs: number): void {
    if (this.#flows.delete(flow.number)) this.#tell(TYPE_FINISH, flow, nowPs)
  }

  override onPacket({ code, a, b }: Readonly<AgentPacket>, nowPs: number): void {
    if (typeOfCode(code) === TYPE_RATE) this.#flows.get(a)?.limit(Math.max(LEAST_BPS, b))
    else this.#onEvent(code, a, b, nowPs)
  }

  #tell(type: typeof TYPE_START | typeof TYPE_FINISH, flow: R2c2Reaction, nowPs: number): void {
    this.#number = (this.#number + 1) & 0xff
    const own = { source: this.#node.node, sequence: this.#number, tree: 0 }
    const event = { type, ...flow.announced, ...own }
    const fields = [codeOf(event), addressesOf(event), wordOf(event)] as const
    if (this.#matrix !== undefined) return this.#onEvent(...fields, nowPs)
    this.#node.sendTo(CONTROLLER, fields[0], ANNOUNCEMENT_BYTES, fields[1], fields[2])
  }

  /** At the controller: all rates anew, and a message to each node that has flows. */
  #onEvent(code: number, a: number, b: number, nowPs: number): void {
    const matrix = this.#matrix
    if (matrix === undefined) return
    readAnnouncement(code, a, b, this.#heard)
    // Events of a flow come in order: each is the latest.
    matrix.apply(this.#heard, ++this.#events, nowPs)
    const { hostNodes, hostOf } = this.#world
    const rates = this.#world.ratesOf(matrix, nowPs, this.#world.whole)
    let last = -1
    for (const [key, rateBps] of rates) {
      const source = Math.floor(key / 65536)
      const bytes = source === last ? RATE_BYTES : HEAD_BYTES + RATE_BYTES
      last = source
      if (hostOf[source] === CONTROLLER) {
        this.#flows.get(key - keyOf(hostNodes[CONTROLLER]!, 0))?.limit(Math.max(LEAST_BPS, rateBps))
      } else this.#node.sendTo(hostOf[source]!, TYPE_RATE, bytes, key % 65536, rateBps)
    }
  }
}
