/**
 * What can never move, detail by detail: what of the definition decides a verdict only now and
 * then, and is left to chance in random networks.
 */
import { CLASSES, InputBuffered, SharedMemory } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { findStuck } from './deadlock.ts'
import { createRun } from './run.ts'
import type { Run } from './run.ts'
import { stuckAtInputs } from './stuck-at-inputs.ts'
import { graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

/** Three hosts at one switch, whose memory has 10 KB besides what is set aside. */
class OneSwitch {
  readonly switches: InputBuffered | SharedMemory
  readonly #stuckBytes: Float64Array
  readonly #links: readonly number[]

  constructor(flowControl: Tree, reserveBytes: number = 0, more: Tree = {}) {
    const { network } = createRun(
      specOf({
        topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0']),
        fabric: {
          buffer: `${3 * (6_000 + reserveBytes) + 10_000}B`,
          flowControl: {
            kind: 'pfc',
            xonGap: '0B',
            headroom: '6KB',
            reserve: `${reserveBytes}B`,
            ...flowControl,
          },
          classes: 1,
          ...more,
        },
        workload: [{ flows: [{ from: 'h0', to: 'h1' }] }],
        run: { until: '1us' },
      }),
    )
    const { fabric, graph, switches } = network
    this.switches = switches as InputBuffered | SharedMemory
    this.#stuckBytes = new Float64Array(fabric.ports.count * CLASSES)
    this.#links = ['h0', 'h1', 'h2'].map((host) => {
      return fabric.portsOf[graph.nodes.findIndex(({ name }) => name === host)]![0]!
    })
  }

  /** The ingress of a host is off, and of what it holds so much will stay. */
  hold(host: number, shared: number, headroom: number, stays: number): this {
    const i = this.#links[host]! * CLASSES
    this.switches.pauses.isOff[i] = 1
    this.#stuckBytes[i] = stays
    if (this.switches instanceof SharedMemory) {
      this.switches.sharedBytes[i] = shared
      this.switches.headroomBytes[i] = headroom
    }
    return this
  }

  /** The ingress of a host is on again. */
  goOn(host: number): this {
    this.switches.pauses.isOff[this.#links[host]! * CLASSES] = 0
    return this
  }

  /** May the ingress of h0 have sent XON, when all has left that can? */
  get canResume(): boolean {
    const link = this.#links[0]!
    const { switches } = this
    return switches instanceof SharedMemory
      ? switches.canResume(link * CLASSES, this.#stuckBytes)
      : this.#stuckBytes[link * CLASSES]! <= switches.resumeBytes(link, 0)
  }
}

describe('XON follows', () => {
  const fixed = { xoff: '4KB', xonGap: '1KB' }
  const byAlpha = (alpha: string): Tree => ({ xoff: { kind: 'dynamic', alpha } })

  it('as far below XOFF as its gap, and no less', () => {
    expect(new OneSwitch(fixed).hold(0, 4000, 0, 3000).canResume).toBe(true)
    expect(new OneSwitch(fixed).hold(0, 4000, 0, 3001).canResume).toBe(false)
  })

  it('at an input buffer by the same rule', () => {
    const inputs = { switch: 'input-buffered', buffer: '64KB' }
    for (const [stays, canResume] of [
      [3000, true],
      [3001, false],
    ] as const) {
      const one = new OneSwitch(fixed, 0, inputs).hold(0, 0, 0, stays)
      expect(one.switches).toBeInstanceOf(InputBuffered)
      expect(one.canResume).toBe(canResume)
    }
  })

  it('only where something leaves: bytes that all stay never ask for it', () => {
    expect(new OneSwitch(byAlpha('1')).hold(0, 500, 0, 500).canResume).toBe(false)
    expect(new OneSwitch(byAlpha('1')).hold(0, 500, 0, 499).canResume).toBe(true)
    expect(new OneSwitch(byAlpha('1')).hold(0, 400, 100, 500).canResume).toBe(false)
  })

  it('only once the headroom is empty, which is what leaves first', () => {
    expect(new OneSwitch(byAlpha('1')).hold(0, 2000, 1500, 2000).canResume).toBe(true)
    expect(new OneSwitch(byAlpha('1')).hold(0, 2000, 1500, 2001).canResume).toBe(false)
    expect(new OneSwitch(byAlpha('1')).hold(0, 2000, 500, 1500).canResume).toBe(true)
  })

  it('and has followed where an ingress is on, whatever stays there', () => {
    expect(new OneSwitch(fixed).hold(0, 4000, 0, 4000).canResume).toBe(false)
    expect(new OneSwitch(fixed).hold(0, 4000, 0, 4000).goOn(0).canResume).toBe(true)
  })

  it('against the dynamic level of what stays, not of what is held now', () => {
    const beside = (shared: number, headroom: number, stays: number): boolean =>
      new OneSwitch(byAlpha('1/2')).hold(0, 3000, 0, 2000).hold(1, shared, headroom, stays)
        .canResume
    // Half of the 10 KB that 2 KB here and 4 or 5 KB beside it leave: 2,000 or 1,500 B.
    expect(beside(8000, 0, 4000)).toBe(true)
    expect(beside(8000, 0, 5000)).toBe(false)
    // What stays in another's headroom takes nothing of what is shared.
    expect(beside(4000, 1000, 5000)).toBe(true)
  })

  it('against the level of its own switch, whatever stays at the next one', () => {
    const { fabric, switches } = createRun(
      specOf({
        topology: graphOf(['s1 s0', 'h0 s0', 'h1 s1']),
        fabric: {
          buffer: '22KB',
          flowControl: { kind: 'pfc', xonGap: '0B', headroom: '6KB', ...byAlpha('1/2') },
          classes: 1,
        },
        workload: [{ flows: [{ from: 'h0', to: 'h1' }] }],
      }),
    ).network
    const memory = switches as SharedMemory
    const stuckBytes = new Float64Array(fabric.ports.count * CLASSES)
    /** Links into s0: from s1, which is 0, and from h0, which is 2; into s1: 1 and 4. */
    const stay = (link: number, bytes: number): void => {
      memory.sharedBytes[link * CLASSES] = bytes + 1
      stuckBytes[link * CLASSES] = bytes
    }
    const ingress = 2 * CLASSES
    memory.pauses.isOff[ingress] = 1
    stay(2, 2000)
    stay(1, 8000)
    stay(4, 8000)
    expect(memory.canResume(ingress, stuckBytes)).toBe(true)
    stay(0, 8000)
    expect(memory.canResume(ingress, stuckBytes)).toBe(false)
  })

  it('in any case for what its own reserve covers, which counts against nobody', () => {
    const far = { ...byAlpha('1/8'), xonGap: '5KB' }
    expect(new OneSwitch(far, 1000).hold(0, 3000, 0, 1000).canResume).toBe(true)
    expect(new OneSwitch(far, 1000).hold(0, 3000, 0, 1001).canResume).toBe(false)
    // 1,000 B here and 7,000 B beside it are beyond their reserve: the level is 1,000 B.
    const two = new OneSwitch(byAlpha('1/2'), 1000).hold(0, 3000, 0, 2000).hold(1, 9000, 0, 8000)
    expect(two.canResume).toBe(true)
  })
})

/** Three switches in a ring, locked in class 0; their links are 10 us long. */
function lockedRing(more: readonly Tree[] = []): Run {
  const path = (at: number): string[] => [at, at + 1, at + 2].map((i) => `s${i % 3}`)
  const flows = [0, 1, 2].map((at) => {
    return { from: `h${at}`, to: `h${(at + 2) % 3}`, path: path(at), class: 0 }
  })
  return createRun(
    specOf({
      topology: graphOf(['h0 s0', 'h1 s1', 'h2 s2', 's0 s1', 's1 s2', 's2 s0'], { delay: '10us' }),
      fabric: { flowControl: { kind: 'pfc', xoff: '4KB', xonGap: '1KB' }, classes: 2 },
      hosts: { ack: 'none' },
      workload: [
        { flows: [...flows, ...more.flatMap((one) => flows.map((flow) => ({ ...flow, ...one })))] },
      ],
      run: { until: '3ms' },
    }),
  )
}

function portOf({ network }: Run, from: string, to: string): number {
  const { fabric, graph } = network
  const node = (name: string): number => graph.nodes.findIndex((one) => one.name === name)
  return [...fabric.portsOf[node(from)]!].find((port) => fabric.ports.to[port] === node(to))!
}

/** Stuck outputs of a class, by name of their ports. */
function stuckOf(run: Run, trafficClass: number): string[] {
  const { fabric, graph } = run.network
  return [...findStuck(run.network).keys()]
    .filter((key) => key % CLASSES === trafficClass)
    .map((key) => {
      const port = Math.floor(key / CLASSES)
      const end = (node: number): string => graph.nodes[node]!.name
      return `${end(fabric.ports.from[port]!)}->${end(fabric.ports.to[port]!)}`
    })
    .sort()
}

const RING = ['s0->s1', 's1->s2', 's2->s0']
const FRAME_BYTES = 64

describe('a port that may still send', () => {
  it('is not stuck while an XON is on its way, though its far end is off again', () => {
    const run = lockedRing()
    while (run.advance(1e6)) continue
    const port = portOf(run, 's0', 's1')
    const send = (trafficClass: number, isOff: boolean): void => {
      const { fabric, windows } = run.network
      fabric.sendPause(port, trafficClass, isOff, FRAME_BYTES, windows.nowPs)
    }
    expect(stuckOf(run, 0)).toEqual(RING)
    // Of another class, or an XOFF: it stays as it is.
    send(1, false)
    expect(stuckOf(run, 0)).toEqual(RING)
    send(0, true)
    expect(stuckOf(run, 0)).toEqual(RING)
    // One packet goes on, and with it all of the ring.
    send(0, false)
    expect(stuckOf(run, 0)).toEqual([])
  })

  it('is not stuck either if the XON has left and is on the wire', () => {
    const run = lockedRing()
    while (run.advance(1e6)) continue
    const { fabric, windows } = run.network
    fabric.sendPause(portOf(run, 's1', 's2'), 0, false, FRAME_BYTES, windows.nowPs)
    expect(stuckOf(run, 0)).toEqual([])
  })

  it('is not stuck while an XOFF is on its way, though another class of it is', () => {
    const startUs = 500
    const run = lockedRing([{ class: 1, start: `${startUs}us` }])
    const { fabric, switches } = run.network
    const { ports } = fabric
    const ring = RING.map((name) => portOf(run, ...(name.split('->') as [string, string])))
    let onTheirWay = 0
    for (let us = startUs; us < startUs + 200; us++) {
      run.step(us * 1e6)
      expect(stuckOf(run, 0)).toEqual(RING)
      const isOpen = ring.filter((port) => ((ports.paused[port]! >> 1) & 1) === 0)
      const isOff = (port: number): boolean =>
        (switches as SharedMemory).pauses.isOff[port * CLASSES + 1] === 1
      if (ring.every(isOff) && isOpen.length > 0) {
        onTheirWay++
        expect(stuckOf(run, 1)).toEqual([])
      }
    }
    expect(onTheirWay).toBeGreaterThan(0)
    expect(stuckOf(run, 1)).toEqual(RING)
  })
})

describe("a packet in an output's FIFO", () => {
  it('is stuck though nothing more waits for that output at its inputs', () => {
    // Nine packets come by s3 and lock the ring: three got by, s0 has room for four, two stay.
    const flows = [
      { from: 'h0', to: 'h2', path: ['s0', 's1', 's2'] },
      { from: 'h1', to: 'h0', path: ['s1', 's2', 's0'] },
      { from: 'h2', to: 'h1', path: ['s2', 's0', 's1'] },
      { from: 'h3', to: 'h2', path: ['s3', 's0', 's1', 's2'], size: '9KB', start: '200us' },
    ]
    const links = ['h0 s0', 'h1 s1', 'h2 s2', 'h3 s3', 's3 s0', 's0 s1', 's1 s2', 's2 s0']
    const run = createRun(
      specOf({
        topology: graphOf(links),
        fabric: {
          switch: 'input-buffered',
          buffer: { size: '5000B', outputQueue: '2100B' },
          flowControl: 'credits',
          classes: 1,
        },
        hosts: { ack: 'none' },
        workload: [{ flows }],
        run: { until: '1ms' },
      }),
    )
    while (run.advance(1e6)) continue
    const { switches } = run.network
    const atInput = (switches as InputBuffered).inputBytes[portOf(run, 'h3', 's3') * CLASSES]
    expect([stuckOf(run, 0), atInput]).toEqual([[...RING, 's3->s0'], 0])
  })
})

/** s0, s1 and s2 are a ring that is locked, and s3 sends to s0; all buffers have 5,000 B. */
class WrittenDown {
  readonly #run: Run
  readonly #words: number[] = []
  #queues = 0

  constructor(outputQueue: string) {
    const links = ['h0 s0', 'h1 s1', 'h2 s2', 'h3 s3', 's3 s0', 's0 s1', 's1 s2', 's2 s0']
    this.#run = createRun(
      specOf({
        topology: graphOf(links),
        fabric: {
          switch: 'input-buffered',
          buffer: { size: '5000B', outputQueue },
          flowControl: 'credits',
          classes: 1,
        },
        workload: [{ flows: [{ from: 'h0', to: 'h1' }] }],
        run: { until: '1us' },
      }),
    )
  }

  #port(name: string): number {
    return portOf(this.#run, ...(name.split('->') as [string, string]))
  }

  /** Packets that came by a link wait for outputs, in order: how long each is, and for which. */
  input(link: string, ...packets: readonly (readonly [number, string])[]): this {
    const held = packets.flatMap(([bytes, output]) => [bytes, this.#port(output) * CLASSES, 0])
    return this.#write(1, this.#queues++, this.#port(link) * CLASSES, ...held)
  }

  /** Packets in the FIFO of an output: what a switch sends of its own came by no link. */
  fifo(output: string, ...packets: readonly (readonly [number, 'crossed' | 'own'])[]): this {
    const i = this.#port(output) * CLASSES
    return this.#write(
      2,
      i,
      ...packets.flatMap(([bytes, how]) => [bytes, i, how === 'own' ? -1 : 0]),
    )
  }

  servedLast(output: string, input: number): this {
    return this.#write(3, this.#port(output), input)
  }

  #write(kind: number, ...numbers: readonly number[]): this {
    this.#words.push(numbers.length + 2, kind, ...numbers)
    return this
  }

  get stuck(): string[] {
    const { fabric, graph, switches } = this.#run.network
    const keys = stuckAtInputs(fabric, switches as InputBuffered, [0], this.#words).keys()
    const name = (node: number): string => graph.nodes[node]!.name
    const { from, to } = fabric.ports
    return [...keys]
      .map((key) => `${name(from[key / CLASSES]!)}->${name(to[key / CLASSES]!)}`)
      .sort()
  }
}

/** So many packets of a length for an output. */
function packets(count: number, bytes: number, output: string): (readonly [number, string])[] {
  return Array.from({ length: count }, () => [bytes, output] as const)
}

describe('of what waits at inputs', () => {
  /** s0 -> s1 may send another 500 B, the two others nothing. */
  const locked = (outputQueue: string): WrittenDown =>
    new WrittenDown(outputQueue)
      .input('s0->s1', ...packets(5, 900, 's1->s2'))
      .input('s1->s2', ...packets(5, 1000, 's2->s0'))
      .input('s2->s0', ...packets(5, 1000, 's0->s1'))
      .input('h3->s3', [1000, 's3->s0'])

  it('each input has its turn: a long packet keeps back no short one behind it', () => {
    // From h0 a short packet and a long one, from s3 a short one, and 4,600 B for h0.
    const stuck = (first: number): string[] =>
      locked('none')
        .input('h0->s0', [400, 's0->s1'], [1000, 's0->s1'])
        .input('s3->s0', [400, 's0->s1'], ...packets(4, 1150, 's0->h0'))
        .servedLast('s0->s1', first).stuck
    // The outputs of s0 are to h0, s3, s1 and s2, and after the last comes the first.
    expect(stuck(3)).toEqual(RING)
    expect(stuck(2)).toEqual([...RING, 's3->s0'])
  })

  it.each([
    ['2000B', RING],
    ['1999B', [...RING, 's3->s0']],
  ])("crosses what fits an output's FIFO to the byte (of %s)", (outputQueue, expected) => {
    expect(behindFifo(outputQueue).stuck).toEqual(expected)
  })

  it("crosses though the switch's own message is in the FIFO, which counts for nothing", () => {
    expect(behindFifo('2000B', [64, 'own']).stuck).toEqual(RING)
  })

  /** From s3 a packet that may cross to s0 -> s1, where one is, and 4,000 B for h0 behind it. */
  function behindFifo(
    outputQueue: string,
    ...own: readonly (readonly [number, 'own'])[]
  ): WrittenDown {
    return locked(outputQueue)
      .fifo('s0->s1', [1000, 'crossed'], ...own)
      .fifo('s1->s2', [1000, 'crossed'], [999, 'crossed'])
      .fifo('s2->s0', [1000, 'crossed'], [999, 'crossed'])
      .input('s3->s0', [1000, 's0->s1'], ...packets(4, 1000, 's0->h0'))
      .servedLast('s0->s1', 0)
  }
})
