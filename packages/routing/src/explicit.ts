/**
 * Explicit paths: a flow goes by the switches that its scenario names, in that order, whatever the
 * routing. The figures that need a certain crossing (parking lots, victims) are drawn so.
 *
 * Every switch on the way must be named. Of parallel links, the first in the graph is taken.
 */
import { NodeNames } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import { Ports } from './ports.ts'

export class ExplicitPaths {
  readonly #ports: Ports
  readonly #names: NodeNames

  constructor(graph: Graph) {
    this.#ports = new Ports(graph)
    this.#names = new NodeNames(graph)
  }

  /** Ports from `source` by the named switches to `target`; throws if two of them do not touch. */
  path(source: number, target: number, switches: readonly string[]): readonly number[] {
    const stops = [...switches.map((name) => this.#names.switchIndex(name)), target]
    let node = source
    return stops.map((stop) => {
      const port = this.#ports.between(node, stop)
      if (port === -1)
        throw new Error(
          `the path by ${switches.join(', ')} cannot go from "${this.#names.name(node)}" to ` +
            `"${this.#names.name(stop)}": no link joins them; name every switch on the way`,
        )
      node = stop
      return port
    })
  }
}
