/**
 * Time series: at every interval, the value of each series that the spec asks for. A sample at t
 * sees everything before t and nothing at t, and never changes a trajectory.
 *
 * `rate.<flow>` payload delivered in the interval; `queue.<a>-><b>.c<class>` bytes held;
 * `utilisation.<a>-><b>` share of the interval in which the link carried bits;
 * `paused.<a>-><b>.c<class>` share in which it was paused; `<scheme>.<variable>.<flow or port>` the
 * scheme's inside. Endless flows' rates are always kept: convergence is judged by them.
 */
import type { Account } from '@weir/engine'
import type { Flow } from '@weir/fabric'
import { Histogram } from '@weir/metrics'
import { Carriable } from './carriable.ts'
import { Patterns } from './glob.ts'
import type { Network } from './network.ts'
import type { Series } from './result.ts'
import type { Share } from './threads/share.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

/** More series than this are not kept; a warning says so. */
const SERIES_MAX = 4000
/** Nor more values in all: of finer samples there are fewer series. */
const VALUES_MAX = 40_000_000

const KINDS =
  'there are rate.<flow>, queue.<port>.c<class>, paused.<port>.c<class>, utilisation.<port>, ' +
  "and the scheme's own"

interface Track {
  readonly name: string
  readonly unit: Series['unit']
  readonly startPs: number
  readonly values: number[]
  isAsked: boolean
  read(nowPs: number): number
  isMine(share: Share | undefined): boolean
}

export class Sampler {
  readonly queues: Histogram
  /** Series that were asked for beyond the bound. */
  left: number = 0
  readonly seriesMax: number
  readonly #network: Network
  readonly #intervalPs: number
  /** When the last samples were taken: a flow that starts now has its first one interval later. */
  #sampledPs: number = 0
  #isClosed: boolean = false
  readonly #asked: Patterns
  /** The first name of each kind (`queue`, `rate`), for those who misspell one. */
  readonly #examples: Map<string, string> = new Map()
  readonly #schemeName: string
  readonly #ports: Track[] = []
  readonly #flows: Map<Flow, Track[]> = new Map()
  readonly #done: Track[] = []
  readonly #carriable: Carriable
  /** By port: sum over samples of the bytes that it held. */
  readonly #queueBytes: Float64Array
  #samples: number = 0

  /** Of a run that several threads share: whose flows and ports are read. */
  share: Share | undefined = undefined

  constructor(network: Network, spec: ValidSpec) {
    this.#network = network
    this.#carriable = new Carriable(network.graph, spec)
    this.#intervalPs = spec.metrics.intervalPs
    const samples = Math.max(1, spec.run.untilPs / Math.max(1, spec.metrics.intervalPs))
    this.seriesMax = Math.min(SERIES_MAX, Math.ceil(VALUES_MAX / samples))
    this.#asked = new Patterns(spec.metrics.series)
    this.#schemeName = spec.scheme.name
    this.#queueBytes = new Float64Array(network.fabric.ports.count)
    this.queues = new Histogram(Math.max(1e9, spec.fabric.buffer.bytes * 2))
    if (spec.metrics.intervalPs > 0 && spec.metrics.series.length > 0) this.#trackPorts()
  }

  #trackPorts(): void {
    const { fabric, graph, control, classesUsed, observer } = this.#network
    const { ports } = fabric
    for (let port = 0; port < ports.count; port++) {
      const name = `${graph.nodes[ports.from[port]].name}->${graph.nodes[ports.to[port]].name}`
      const isMine = (share: Share | undefined): boolean => share?.isMyPort(port) ?? true
      for (const c of classesUsed) {
        const queue = (atPs: number): number => observer.queueBytes(port, c, atPs)
        this.#track(this.#ports, `queue.${name}.c${c}`, 'bytes', 0, queue, isMine)
        const pausedShare = this.#share((atPs) => observer.pausedPs(port, c, atPs), 1)
        this.#track(this.#ports, `paused.${name}.c${c}`, 'fraction', 0, pausedShare, isMine)
      }
      const bitsShare = this.#bitsShare(port)
      this.#track(this.#ports, `utilisation.${name}`, 'fraction', 0, bitsShare, isMine)
      const point = fabric.contention[port]
      control.portInternals.forEach((variable, i) => {
        const full = `${this.#schemeName}.${variable}.${name}`
        if (point === undefined) return
        this.#track(this.#ports, full, '', 0, () => point.observe(i), isMine)
      })
    }
  }

  #bitsShare(port: number): (nowPs: number) => number {
    const { fabric, observer } = this.#network
    const bytes = (atPs: number): number => observer.departedBytes(port, atPs)
    if (!this.#carriable.changes(port)) return this.#share(bytes, 8e12 / fabric.ports.rateBps[port])
    let before = 0
    return (nowPs) => {
      const now = bytes(nowPs)
      const room = this.#carriable.room(port, nowPs - this.#intervalPs, nowPs)
      const share = ((now - before) * 8e12) / room
      before = now
      return share
    }
  }

  /** Growth of a total over the interval, in units of `scale` per picosecond. */
  #share(total: (nowPs: number) => number, scale: number): (nowPs: number) => number {
    let before = 0
    return (nowPs) => {
      const now = total(nowPs)
      const share = ((now - before) * scale) / this.#intervalPs
      before = now
      return share
    }
  }

  #track(
    list: Track[],
    name: string,
    unit: Series['unit'],
    startPs: number,
    read: (nowPs: number) => number,
    isMine: (share: Share | undefined) => boolean,
    isKept: boolean = false,
  ): void {
    const isAsked = this.#asked.matches(name)
    const kind = kindOf(name)
    if (!this.#examples.has(kind)) this.#examples.set(kind, name)
    if (!isAsked && !isKept) return
    if (this.#ports.length + this.#flows.size + this.#done.length >= this.seriesMax) {
      this.left++
      return
    }
    list.push({ name, unit, startPs, values: [], isAsked, read, isMine })
  }

  /** Of a drain nothing is sampled: every scheme's series end at the same time. */
  close(): void {
    this.#isClosed = true
  }

  onFlowStart(flow: Flow, name: string): void {
    if (this.#intervalPs === 0 || this.#isClosed) return
    const tracks: Track[] = []
    const isEndless = flow.sizeBytes === Infinity
    const startPs = this.#sampledPs
    const receives = (share: Share | undefined): boolean => share?.isMyHost(flow.target) ?? true
    const sends = (share: Share | undefined): boolean => share?.isMyHost(flow.source) ?? true
    const rate = this.#share(() => flow.receiver.deliveredBytes, 8e12)
    this.#track(tracks, `rate.${name}`, 'bit/s', startPs, rate, receives, isEndless)
    const { reaction } = flow
    this.#network.control.flowInternals.forEach((variable, i) => {
      const full = `${this.#schemeName}.${variable}.${name}`
      this.#track(tracks, full, '', startPs, () => reaction.observe(i), sends)
    })
    if (tracks.length > 0) this.#flows.set(flow, tracks)
  }

  onFlowEnd(flow: Flow, nowPs: number): void {
    const tracks = this.#flows.get(flow)
    if (tracks === undefined || this.#isClosed) return
    for (const track of tracks) this.#take(track, nowPs)
    this.#done.push(...tracks)
    this.#flows.delete(flow)
  }

  sample(nowPs: number): void {
    this.#sampledPs = nowPs
    const { fabric, observer } = this.#network
    for (const track of this.#ports) this.#take(track, nowPs)
    for (const tracks of this.#flows.values()) for (const track of tracks) this.#take(track, nowPs)
    this.#samples++
    for (let port = 0; port < this.#queueBytes.length; port++) {
      const held = observer.heldBytes(port, nowPs)
      this.#queueBytes[port] += held
      if (fabric.ports.fromHost[port] === 1 || this.share?.isMyPort(port) === false) continue
      this.queues.add(held, 1)
    }
  }

  #take(track: Track, nowPs: number): void {
    track.values.push(track.isMine(this.share) ? track.read(nowPs) : 0)
  }

  /** What has been sampled, for the thread that puts it together. */
  accounts(): Account[] {
    const tracks = [...this.#ports, ...this.#done, ...[...this.#flows.values()].flat()]
    const sums = this.#queueBytes
    return [
      { read: () => this.queues.words(), add: (words) => this.queues.addWords(words) },
      { read: () => sums, add: (words) => words.forEach((word, i) => (sums[i] += word)) },
      {
        read: () => tracks.flatMap(({ values }) => values),
        add: (words) => {
          let at = 0
          for (const { values } of tracks) {
            for (let i = 0; i < values.length; i++) values[i] += words[at++]
          }
        },
      },
    ]
  }

  /** Of the samples of what a port held; NaN: there are none. */
  queueBytesMean(port: number): number {
    return this.#samples === 0 ? NaN : this.#queueBytes[port] / this.#samples
  }

  /** Patterns that met no series, in words. */
  unmet(): string[] {
    if (this.#intervalPs === 0) return []
    return [...this.#asked.unmet].map((pattern) => {
      const example = this.#examples.get(kindOf(pattern))
      const hint = example === undefined ? KINDS : `there are names such as ${example}`
      return `metrics.series: nothing is called '${pattern}'; ${hint}`
    })
  }

  /** Rate series by flow name, asked for or not. */
  rates(): Map<string, Series> {
    const rates = new Map<string, Series>()
    for (const track of [...this.#done, ...[...this.#flows.values()].flat()]) {
      if (track.name.startsWith('rate.')) rates.set(track.name.slice(5), this.#seriesOf(track))
    }
    return rates
  }

  series(): Series[] {
    const flows = [...this.#done, ...[...this.#flows.values()].flat()]
    return [...flows, ...this.#ports]
      .filter((track) => track.isAsked && track.values.length > 0)
      .map((track) => this.#seriesOf(track))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }

  /** The value at a sample is that of the interval before it: times are the intervals' ends. */
  #seriesOf({ name, unit, startPs, values }: Track): Series {
    const intervalPs = this.#intervalPs
    return { name, unit, startPs: startPs + intervalPs, intervalPs, values: [...values] }
  }
}

/** What a series is of: the first word of its name. */
function kindOf(name: string): string {
  return name.split('.', 1)[0]
}
