/**
 * Racks in which things go wrong by chance: tori, meshes and folded Clos, broadcasts lost and
 * corrupted on every link, several links that die at once, nodes that die and are switched on
 * again, flows that begin and end in the middle of it. In every piece of the rack all views become
 * equal again, hold what there is and nothing else, and every flow moves. `CASES` (4 unless set)
 * says how many racks, `SEED` which; with it set, how long agreement took is printed.
 */
import { Random } from '@weir/engine'
import type { Channels } from '@weir/theory'
import { Cube } from '@weir/theory'
import { afterAll, describe, expect, it } from 'vitest'
import { rackConfig } from './config.ts'
import { clos } from './testing/clos.ts'
import { TestNetwork } from './testing/network.ts'

const CASES = Number(process.env['CASES'] ?? 0) || 4
const SEED = Number(process.env['SEED'] ?? 0) || 12
const US = 1e6
const MS = 1e9
const EVENTS = 80
/** A shared machine may be slow; nothing here depends on how slow. */
const PATIENCE_MS = 300_000

const FABRICS: readonly (readonly [name: string, make: () => Channels])[] = [
  ['a 4 x 4 torus', () => new Cube([4, 4])],
  ['a 3 x 3 x 3 torus', () => new Cube([3, 3, 3])],
  ['a 3 x 4 mesh', () => new Cube([3, 4], 'mesh')],
  ['a folded Clos', clos],
]

/** A rack, what has been done to it, and the flows that should be there. */
class Chaos {
  readonly network: TestNetwork
  readonly wiring: Channels
  readonly #random: Random
  readonly #dead = new Set<number>()
  readonly #down = new Set<string>()
  /** Open flows: source, number, target. */
  readonly #open: [number, number, number][] = []
  /** Those of them whose ends were in two pieces at some time. */
  readonly #cut = new Set<[number, number, number]>()
  /** When something was last done to it. */
  lastPs = 0

  constructor(wiring: Channels, seed: number) {
    this.wiring = wiring
    this.network = new TestNetwork(rackConfig(wiring), { loss: 0.05, corruption: 0.02 }, seed)
    this.#random = new Random(seed, 'chaos')
  }

  run(): void {
    for (let event = 0; event < EVENTS; event++) {
      const chance = this.#random.below(20)
      if (chance < 10) this.#openOne()
      else if (chance < 15) this.#closeOne()
      else if (chance < 17) for (let i = 0; i < 3; i++) this.#breakLink()
      else if (chance < 18) for (const ends of this.#down) this.#mendLink(ends)
      else if (chance < 19 && this.#dead.size < 2) this.#kill()
      else this.#revive()
      this.#noteCut()
      this.lastPs = this.network.nowPs
      this.network.runUntil(this.network.nowPs + this.#random.below(60) * US)
    }
  }

  #any(): number {
    return this.#random.below(this.wiring.nodes)
  }

  #openOne(): void {
    const [source, target] = [this.#any(), this.#any()]
    if (source === target || this.#dead.has(source)) return
    // A flow to where no way leads is nobody's business until one does.
    if (!this.network.nodes[source]!.view.isReachable(target)) return
    const flow = this.network.act(source, (node, now) => node.openFlow(target, now))
    this.#open.push([source, flow, target])
  }

  #closeOne(): void {
    if (this.#open.length === 0) return
    const [source, flow] = this.#open.splice(this.#random.below(this.#open.length), 1)[0]!
    if (!this.#dead.has(source)) this.network.act(source, (node, now) => node.closeFlow(flow, now))
  }

  #breakLink(): void {
    const channel = this.#random.below(this.wiring.count)
    const [a, b] = [this.wiring.from[channel]!, this.wiring.to[channel]!]
    if (this.#dead.has(a) || this.#dead.has(b)) return
    this.#down.add(nameOf(a, b))
    this.network.setLink(a, b, false)
  }

  #mendLink(ends: string): void {
    const [a, b] = ends.split('-').map(Number) as [number, number]
    if (this.#dead.has(a) || this.#dead.has(b)) return
    this.#down.delete(ends)
    this.network.setLink(a, b, true)
  }

  #kill(): void {
    const id = this.#any()
    if (this.#dead.has(id)) return
    this.#dead.add(id)
    this.network.kill(id)
    // What it had is gone with it.
    const kept = this.#open.filter(([source]) => source !== id)
    this.#open.splice(0, Infinity, ...kept)
  }

  #noteCut(): void {
    const pieces = this.pieces()
    for (const one of this.#open) {
      const [source, , target] = one
      const piece = pieces.find((nodes) => nodes.includes(source))!
      if (!piece.includes(target)) this.#cut.add(one)
    }
  }

  /** All its links come up with it, but those to the dead. */
  #revive(): void {
    const [id] = this.#dead
    if (id === undefined) return
    this.#dead.delete(id)
    for (const ends of [...this.#down]) {
      if (ends.split('-').map(Number).includes(id)) this.#down.delete(ends)
    }
    this.network.revive(id)
  }

  /** The pieces that the rack is in, of live nodes. */
  pieces(): number[][] {
    const { from, starts, to } = this.wiring
    const seen = new Set<number>(this.#dead)
    const pieces: number[][] = []
    for (let first = 0; first < this.wiring.nodes; first++) {
      if (seen.has(first)) continue
      seen.add(first)
      const piece = [first]
      for (const node of piece) {
        for (let c = starts[node]!; c < starts[node + 1]!; c++) {
          if (seen.has(to[c]!) || this.#down.has(nameOf(from[c]!, to[c]!))) continue
          seen.add(to[c]!)
          piece.push(to[c]!)
        }
      }
      pieces.push(piece)
    }
    return pieces
  }

  get agrees(): boolean {
    return this.pieces().every((piece) => {
      const texts = piece.map((id) => this.network.nodes[id]!.matrix.toString())
      return new Set(texts).size === 1
    })
  }

  /** Steps until all pieces have one view each. */
  settle(patiencePs: number): void {
    const untilPs = this.network.nowPs + patiencePs
    while (!this.agrees && this.network.nowPs < untilPs) {
      this.network.runUntil(this.network.nowPs + 50 * US)
    }
  }

  /** Flows of a piece that their sources have not ended. */
  standing(piece: readonly number[]): [number, number, number][] {
    return this.#open.filter(
      ([source, flow]) => piece.includes(source) && this.#isOpen(source, flow),
    )
  }

  /** Flows that there was a way for all the time, and that their sources have ended. */
  stranded(): string[] {
    return this.#open
      .filter((one) => !this.#cut.has(one) && !this.#isOpen(one[0], one[1]))
      .map(([source, flow, target]) => `${source}/${flow}>${target}`)
  }

  #isOpen(source: number, flow: number): boolean {
    return this.network.nodes[source]!.rateBps(flow) !== undefined
  }
}

function nameOf(a: number, b: number): string {
  return `${Math.min(a, b)}-${Math.max(a, b)}`
}

describe('a rack in which things go wrong', () => {
  const tookUs: number[] = []
  afterAll(() => {
    if (process.env['CASES'] === undefined) return
    const sorted = tookUs.sort((a, b) => a - b)
    const at = (part: number): number => sorted[Math.ceil(part * sorted.length) - 1]!
    process.stdout.write(
      `${sorted.length} racks agree again after a median of ${at(0.5)} us, 95th percentile ` +
        `${at(0.95)}, at most ${at(1)}\n`,
    )
  })
  for (let i = 0; i < CASES; i++) {
    const [name, make] = FABRICS[(SEED + i - 1) % FABRICS.length]!
    it(
      `is of one mind again: ${name}, ${SEED + i}`,
      () => {
        const chaos = new Chaos(make(), SEED + i)
        const { network } = chaos
        chaos.run()
        // As long as nodes have not all noticed the last failure, views may be equal by chance.
        network.runUntil(network.nowPs + 100 * US)
        chaos.settle(30 * MS)
        const tookPs = network.nowPs - chaos.lastPs
        tookUs.push(Math.round(tookPs / US))
        expect(tookPs).toBeLessThan(10 * MS)
        expect(chaos.stranded()).toEqual([])
        network.faults = { ...network.faults, loss: 0, corruption: 0 }
        network.runUntil(network.nowPs + 3 * MS)
        expect(chaos.agrees).toBe(true)
        for (const piece of chaos.pieces()) {
          const standing = chaos.standing(piece)
          const known = network.nodes[piece[0]!]!.matrix.all()
          const names = known.map(({ flow, source, target }) => `${source}/${flow}>${target}`)
          const wanted = standing.map(([source, flow, target]) => `${source}/${flow}>${target}`)
          expect(names.sort()).toEqual(wanted.sort())
          // None of them goes to another piece, and each delivers what it is given now.
          for (const { target } of known) expect(piece).toContain(target)
          const before = new Map(network.delivered)
          for (const [source, flow] of standing) {
            network.act(source, (node, now) => node.write(flow, new Uint8Array(3000), now))
          }
          network.runUntil(network.nowPs + 2 * MS)
          for (const key of wanted) {
            expect(network.delivered.get(key)! - (before.get(key) ?? 0), key).toBe(3000)
          }
        }
      },
      PATIENCE_MS,
    )
  }
})
