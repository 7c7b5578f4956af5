/**
 * A node's view of all flows in the rack, by announcements. Announcements of one source may arrive
 * out of order (they take different trees) and more than once; each flow keeps the sequence
 * number of what it last heard, and what is older says nothing. Ends are remembered for as long
 * as an older start could still be under way.
 *
 * Each source's flows have a digest, their number and a hash of them, that does not depend on their
 * order: if it is that of the source itself, the views are equal (but for one case in 2^32).
 */
import { TYPE_FINISH } from './wire/packet.ts'
import type { Announcement } from './wire/announcement.ts'

export interface KnownFlow {
  readonly source: number
  readonly target: number
  readonly flow: number
  readonly priority: number
  protocol: number
  readonly demandKbps: number
  readonly weightCode: number
  /** When this node first heard of it. */
  readonly sincePs: number
}

interface Entry {
  /** Undefined: it is over. */
  readonly known: KnownFlow | undefined
  readonly number: number
  readonly heardPs: number
}

export class TrafficMatrix {
  readonly #sources: Map<number, Entry>[]
  /** Flows that came, changed or went since somebody asked. */
  readonly changed: Set<number> = new Set()

  constructor(nodes: number) {
    this.#sources = Array.from({ length: nodes }, () => new Map<number, Entry>())
  }

  /** `number` is that of the announcement, whole. */
  apply(a: Announcement, number: number, nowPs: number): void {
    const flows = this.#sources[a.source]!
    const before = flows.get(a.flow)
    if (before !== undefined && number <= before.number) return
    const known = a.type === TYPE_FINISH ? undefined : flowOf(a, before?.known?.sincePs ?? nowPs)
    flows.set(a.flow, { known, number, heardPs: nowPs })
    this.changed.add(keyOf(a.source, a.flow))
  }

  /** Gives a flow another routing protocol; false if it is not known. */
  reroute(source: number, flow: number, protocol: number): boolean {
    const known = this.get(source, flow)
    if (known === undefined) return false
    known.protocol = protocol
    this.changed.add(keyOf(source, flow))
    return true
  }

  /** Takes these for all flows that a source has, as of the announcement with this number. */
  replace(
    source: number,
    announcements: readonly Announcement[],
    number: number,
    nowPs: number,
  ): void {
    const flows = this.#sources[source]!
    const since = new Map([...flows].map(([flow, { known }]) => [flow, known?.sincePs]))
    for (const flow of flows.keys()) this.changed.add(keyOf(source, flow))
    flows.clear()
    for (const a of announcements) {
      const known = flowOf(a, since.get(a.flow) ?? nowPs)
      flows.set(a.flow, { known, number, heardPs: nowPs })
      this.changed.add(keyOf(source, a.flow))
    }
  }

  /** Forgets a source that is gone, or ends that nothing can contradict any more. */
  forget(source: number): void {
    this.replace(source, [], 0, 0)
  }

  forgetEnds(beforePs: number): void {
    for (const flows of this.#sources) {
      for (const [flow, { known, heardPs }] of flows) {
        if (known === undefined && heardPs < beforePs) flows.delete(flow)
      }
    }
  }

  get(source: number, flow: number): KnownFlow | undefined {
    return this.#sources[source]?.get(flow)?.known
  }

  of(source: number): KnownFlow[] {
    return [...this.#sources[source]!.values()].flatMap(({ known }) => known ?? [])
  }

  all(): KnownFlow[] {
    return this.#sources.flatMap((_, source) => this.of(source))
  }

  digestOf(source: number): { count: number; hash: number } {
    const flows = this.of(source)
    return {
      count: flows.length,
      hash: flows.reduce((hash, flow) => (hash + hashOf(flow)) >>> 0, 0),
    }
  }

  /** The whole view as text, to set two of them side by side. */
  toString(): string {
    return this.all()
      .map(
        (f) =>
          `${f.source}/${f.flow}>${f.target} p${f.priority} w${f.weightCode} ${f.demandKbps} ` +
          `r${f.protocol}`,
      )
      .sort()
      .join('\n')
  }
}

export function keyOf(source: number, flow: number): number {
  return source * 65536 + flow
}

function flowOf(a: Announcement, sincePs: number): KnownFlow {
  const { source, target, flow, priority, protocol, demandKbps, weightCode } = a
  return { source, target, flow, priority, protocol, demandKbps, weightCode, sincePs }
}

function hashOf(f: KnownFlow): number {
  let h = 0x9e3779b9
  const demand = f.demandKbps === Infinity ? 0xffffffff : f.demandKbps
  for (const word of [f.flow, f.target, f.priority, f.protocol, demand, f.weightCode]) {
    h = Math.imul(h ^ word, 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
    h ^= h >>> 16
  }
  return h >>> 0
}
