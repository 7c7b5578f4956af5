/**
 * Every arrival in both simulators in the same words, for the hunt after the first packet that
 * differs: `<ps> <from>-><to> flow <i> data|ack <packet> <ce> <ece>`.
 */
import type { Flow } from '@weir/fabric'
import { createRun } from '@weir/sim'
import { ECHO, FLAGS, FLOW, KIND, DATA, MARKED, SEQ } from '../../packages/fabric/src/packets.ts'
import type { PeerInput } from './input.ts'
import { outcomeOf, weirSpec } from './weir-peer.ts'

export function weirTrace(input: PeerInput): string[] {
  const run = createRun(weirSpec(input))
  const { fabric, hosts } = run.network
  const { nodes } = fabric.graph
  const seen: { nowPs: number; where: string; flow: Flow | undefined; what: string }[] = []
  const arrive = fabric.arrive.bind(fabric)
  const latest = new Map<number, Flow>()
  fabric.arrive = (port, p, nowPs) => {
    const { int } = fabric.packets
    const flow = int[p + FLOW]!
    const sender = hosts.flows[flow]
    if (sender !== undefined) latest.set(flow, sender)
    const [from, to] = [port ^ 1, port].map((end) => nodes[fabric.ports.to[end]!]!.name)
    const where = `${from}->${to}`
    const kind = int[p + KIND] === DATA ? 'data' : 'ack'
    const flags = int[p + FLAGS]!
    const bits = `${flags & MARKED ? 1 : 0} ${flags & ECHO ? 1 : 0}`
    seen.push({ nowPs, where, flow: latest.get(flow), what: `${kind} ${int[p + SEQ]} ${bits}` })
    arrive(port, p, nowPs)
  }
  outcomeOf(run)
  // A flow has its row only once the run has heard of its start.
  return inOrder(
    seen.map(({ nowPs, where, flow, what }) => [
      nowPs,
      `${nowPs} ${where} flow ${flow?.row} ${what}`,
    ]),
  )
}

/** From what `ns3-peer <input> trace` prints. */
export function ns3Trace(input: PeerInput, text: string): string[] {
  const rowOf = rowsByStart(input)
  const lines = text.split('\n').flatMap((line): [number, string][] => {
    const words = line.split(' ')
    if (words[0] !== 'at') return []
    const [, ps = '', where = '', , flow, , seq, , ack, , payload, , ce, , ece] = words
    const isData = Number(payload) > 0
    const number = isData ? Number(seq) - 1 : Number(ack) - 1
    const packet = Math.ceil(number / input.mss)
    const what = `${isData ? 'data' : 'ack'} ${packet} ${ce} ${ece}`
    return [[Number(ps), `${ps} ${where} flow ${rowOf[Number(flow)]} ${what}`]]
  })
  return inOrder(lines)
}

/** Weir's rows are in the order of flows' starts. */
function rowsByStart(input: PeerInput): number[] {
  const order = input.flows.map((_, i) => i)
  order.sort((a, b) => input.flows[a]!.startPs - input.flows[b]!.startPs || a - b)
  return input.flows.map((_, i) => order.indexOf(i))
}

function inOrder(lines: [number, string][]): string[] {
  return lines.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)).map(([, line]) => line)
}
