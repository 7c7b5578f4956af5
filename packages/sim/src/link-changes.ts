/** Links that change during a run, and routes that follow them after a while. */
import { CLASSES, LINK_CHANGE, Links, PauseTimes, ROUTES } from '@weir/fabric'
import type { Fabric, Graph } from '@weir/fabric'
import { Random } from '@weir/engine'
import { makeRouting } from '@weir/routing'
import { CurrentRouting } from './current-routing.ts'
import type { FlowStarts } from './flow-starts.ts'
import type { Network } from './network.ts'
import { linksBetween } from './spec/links.ts'
import type { LinkChange } from './spec/links.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

/** What a fabric needs whose links change; undefined: they never do. */
export function linksOf(fabric: Fabric, spec: ValidSpec): Links | undefined {
  if (spec.links === undefined) return undefined
  const { pausePs } = spec.links
  const times = pausePs === 0 ? undefined : new PauseTimes(fabric, pausePs === 'auto' ? 0 : pausePs)
  return new Links(fabric, times, (name) => new Random(spec.chanceSeed, name))
}

export class LinkChanges {
  readonly #network: Network
  readonly #spec: ValidSpec
  readonly #isMine: (node: number) => boolean

  constructor(network: Network, spec: ValidSpec, isMine: (node: number) => boolean) {
    this.#network = network
    this.#spec = spec
    this.#isMine = isMine
    const { outside } = network
    spec.links?.changes.forEach(({ atPs, state }, i) => {
      outside.schedule(atPs, LINK_CHANGE, i)
      const { detectionPs } = spec.links!
      if (state !== undefined && detectionPs > 0) outside.schedule(atPs + detectionPs, ROUTES, i)
    })
  }

  /** LINK_CHANGE */
  change(i: number, nowPs: number): void {
    const change = this.#spec.links!.changes[i]!
    const { graph } = this.#network
    const [a, b] = change.between.map((name) => indexOf(graph, name)) as [number, number]
    for (const link of linksBetween(graph, a, b)) {
      for (const port of [2 * link, 2 * link + 1]) this.#changePort(port, change, nowPs)
    }
  }

  #changePort(port: number, { state, rateBps, errorRate }: LinkChange, nowPs: number): void {
    const { fabric } = this.#network
    const links = fabric.links!
    const isMine = this.#isMine(fabric.ports.from[port]!)
    if (errorRate !== undefined) links.setErrors(port, errorRate)
    if (rateBps !== undefined) links.setRate(port, rateBps, isMine, nowPs)
    if (state === 'down') links.setDown(port, nowPs)
    if (state === 'up' && links.setUp(port, nowPs) && isMine) this.#forgetPauses(port, nowPs)
  }

  /** A link that comes up begins anew: nothing is paused, but what its far end still wants so. */
  #forgetPauses(port: number, nowPs: number): void {
    const { fabric } = this.#network
    for (let c = 0; c < CLASSES; c++) {
      fabric.setPaused(port, c, false, nowPs)
      // The ingress at this port's node is that of the link that comes in.
      fabric.links!.pauseTimes?.sayAgain((port ^ 1) * CLASSES + c, nowPs)
    }
  }

  /** ROUTES: as links are now. */
  findRoutes(starts: FlowStarts): void {
    const { fabric, graph, routing, scheme } = this.#network
    const isDown = (link: number): boolean => fabric.links!.isDown(link)
    if (!(routing instanceof CurrentRouting)) return
    routing.become(makeRouting(graph, this.#spec.routing, isDown, scheme.routing))
    starts.reroute()
    fabric.agents.routesFound(isDown, this.#isMine)
  }
}

function indexOf({ nodes }: Graph, name: string): number {
  return nodes.findIndex((node) => node.name === name)
}
