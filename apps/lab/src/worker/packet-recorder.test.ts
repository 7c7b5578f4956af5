/** Packets that are no flow's: all that there are, in bounded room, and without a trace. */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import type { Run } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { PacketLog } from '../model/packet-log.ts'
import type { PacketNote } from '../model/packet-log.ts'
import { CREDIT, DIGEST, FINISH, NOTES_MAX, START } from './protocol.ts'
import { Recorder } from './recorder.ts'

const RACK = `name: rack
title: Sixteen servers
description: Two flows in a small rack.
topology: {kind: torus, dimensions: [4, 4], rate: 10Gbps, delay: 100ns}
routing: packet-spray
hosts: {reliability: unordered}
workload:
  - flows:
      - {name: f1, from: h0, to: h5}
      - {name: f2, from: h3, to: h9, size: 40KB, start: 20us}
scheme: {name: r2c2, params: {rho: 50us}}
run: {until: 120us}
`
const TESTBED = scenarioByName('infiniband-testbed')!.text
/** All five flows at once, for so long. */
const bed = (until: string): string[] => [
  `run.until=${until}`,
  ...[1, 2, 3, 4].map((flow) => `workload[0].flows[${flow}].start=0us`),
]

function watched(
  text: string,
  settings: string[],
  hasPackets: boolean,
): [Run, PacketNote[], PacketLog] {
  const run = createRun(loadSpec({ text, settings }))
  const recorder = new Recorder(run, hasPackets)
  const log = new PacketLog()
  for (let nextPs = recorder.intervalPs, goesOn = true; goesOn; nextPs += recorder.intervalPs) {
    goesOn = run.step(nextPs)
    recorder.take(Math.min(nextPs, run.nowPs))
    const noted = recorder.packets?.hand(run.nowPs)
    if (noted !== undefined) log.add(noted)
  }
  const notes: PacketNote[] = []
  for (const port of log.ports) log.each(port, -1, Infinity, (note) => notes.push(note))
  return [run, notes, log]
}

describe('packets that are no flow’s', () => {
  it('are a broadcast’s tree, link by link, to every node', () => {
    const [{ network }, notes] = watched(RACK, [], true)
    const { from, to, fromHost } = network.fabric.ports
    const [source] = network.fabric.hostNodes
    const start = notes.filter((note) => note.kind === START && note.source === source)
    // Fifteen links between nodes, and the injection link of each of the sixteen, one of them up.
    expect(start).toHaveLength(15 + 16)
    expect(start.filter(({ port }) => fromHost[port] === 1)).toHaveLength(1)
    expect(new Set(start.map(({ port }) => to[port])).size).toBe(31)
    // Nobody passes on what has not come.
    const cameAt = new Map(start.map(({ port, atPs }) => [to[port], atPs]))
    for (const { port, atPs } of start) {
      if (from[port] !== source) expect(cameAt.get(from[port]!)!).toBeLessThan(atPs)
    }
    expect(Math.max(...start.map(({ atPs }) => atPs))).toBeLessThan(2e6)
    const kinds = new Set(notes.map(({ kind }) => kind))
    expect([...kinds]).toEqual(expect.arrayContaining([START, FINISH]))
  })

  it('are credits, as many as packets were taken in', () => {
    const [{ network }, notes] = watched(TESTBED, bed('200us'), true)
    const { ports } = network.fabric
    const port = Array.from(ports.from).findIndex(
      (node, p) =>
        network.graph.nodes[node]!.name === 'S1' &&
        network.graph.nodes[ports.to[p]!]!.name === 'S2',
    )
    const back = notes.filter((note) => note.port === (port ^ 1))
    expect(back.every(({ kind }) => kind === CREDIT)).toBe(true)
    const credits = back.reduce((sum, { count }) => sum + count, 0)
    const { mtuBytes, headerBytes } = loadSpec({ text: TESTBED }).hosts
    const packets = network.observer.departedBytes(port, 200e6) / (mtuBytes + headerBytes)
    expect(packets).toBeGreaterThan(50)
    expect(credits).toBeGreaterThan(0.9 * packets)
    expect(credits).toBeLessThanOrEqual(Math.ceil(packets) + 1)
  })

  it.each([
    ['a rack', RACK, [] as string[]],
    ['a testbed', TESTBED, bed('300us')],
  ])('leave the result of %s as it is, and are not noted unasked', (_, text, settings) => {
    const [seen, some] = watched(text, settings, true)
    const [unseen, none] = watched(text, settings, false)
    expect(some.length).toBeGreaterThan(50)
    expect(none).toEqual([])
    expect(seen.result()).toEqual(unseen.result())
    expect(new Recorder(createRun(unseen.spec)).scene('', '').packets).toBe('possible')
  })

  it('have a bound', () => {
    const often = ['scheme.params.digestPeriod=10us', 'run.until=1300us']
    const [, digests, log] = watched(RACK, often, true)
    expect(digests.filter(({ kind }) => kind === DIGEST).length).toBeGreaterThan(NOTES_MAX * 0.9)
    expect(digests.length).toBe(NOTES_MAX)
    // Where it is full is known: the last that is noted, and the first that is not.
    const lastPs = Math.max(...digests.map(({ atPs }) => atPs))
    expect(log.agentsCutPs).toBeGreaterThan(lastPs - 1e6)
    expect(log.agentsCutPs).toBeLessThan(1300e6)
    expect(log.creditsCutPs).toBe(Infinity)
    expect(watched(RACK, [], true)[2].agentsCutPs).toBe(Infinity)
    const [, credits] = watched(TESTBED, bed('8ms'), true)
    expect(credits.length).toBeLessThanOrEqual(NOTES_MAX)
    expect(credits.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(credits.length)
  })
})
