/**
 * Weir beside ns-3, flow by flow (docs/peers.md):
 *
 *     run.mjs random [networks] [transport] [traffic] [first] a table; seeds from `first`, 1, on
 *     run.mjs part [networks] <transport> <traffic> [first]  at which of ns-3's choices flows part
 *     run.mjs input <seed> <transport> <traffic>             prints one of them
 *     run.mjs one <input>                                    both sides, flow by flow
 *     run.mjs trace <input> [lines]                          the first packet that differs
 *     run.mjs record <input> <file>                          ns-3's answer, for the test
 *     run.mjs speed <input> [turns]                          packet-hops per CPU second
 *
 * WEIR_PEERS_MORE changes every input: '{"mended": "all"}', '{"sack": true}'.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { median, spreadOf } from './agreement.ts'
import type { Spread } from './agreement.ts'
import { partingChoice } from './attribution.ts'
import { parseInput, perturbedInput, printInput, printOutcome } from './input.ts'
import type { PeerInput, PeerOutcome, Transport } from './input.ts'
import { buildNs3, hasNs3, MISSING, runNs3, traceNs3 } from './ns3.ts'
import { randomInput } from './random-input.ts'
import type { Traffic } from './random-input.ts'
import { ns3Trace, weirTrace } from './trace.ts'
import { runWeir } from './weir-peer.ts'

interface Four {
  readonly weir: PeerOutcome
  readonly weirMoved: PeerOutcome
  readonly ns3: PeerOutcome
  readonly ns3Moved: PeerOutcome
}

const folder = process.env['WEIR_PEERS_FOLDER'] ?? '.'
const more = JSON.parse(process.env['WEIR_PEERS_MORE'] ?? '{}') as Partial<PeerInput>
const [command = '', ...words] = process.argv.slice(2)

function program(): string {
  return buildNs3(join(folder, 'ns3-peer.cc'), join(folder, '..', '..', 'dist', 'ns3-peer'))
}

function inputOf(seed: number, transport: Transport, traffic: Traffic): PeerInput {
  return { ...randomInput(seed, transport, traffic), ...more }
}

function read(path: string | undefined): PeerInput {
  return { ...parseInput(readFileSync(path ?? '', 'utf8')), ...more }
}

function fourOf(ns3: string, input: PeerInput): Four {
  const moved = perturbedInput(input)
  return {
    weir: runWeir(input),
    weirMoved: runWeir(moved),
    ns3: runNs3(ns3, input),
    ns3Moved: runNs3(ns3, moved),
  }
}

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0)

function spreadText(s: Spread): string {
  const ratios = [s.p5, s.p50, s.p95].map((ratio) => ratio.toFixed(4)).join(' ')
  const distances = [s.distanceP50, s.distanceP95, s.worst].map((one) => one.toExponential(1))
  return `ratio p5, p50, p95 ${ratios}; |ratio - 1| p50, p95, worst ${distances.join(' ')}`
}

/** Flows in which Weir and the peer differ by no more than either moves with 1 ns per link. */
function withinNoise({ weir, weirMoved, ns3, ns3Moved }: Four): number {
  return weir.fctPs.filter((fctPs, i) => {
    const noise = Math.max(
      Math.abs(weirMoved.fctPs[i]! - fctPs),
      Math.abs(ns3Moved.fctPs[i]! - ns3.fctPs[i]!),
    )
    return Math.abs(ns3.fctPs[i]! - fctPs) <= noise
  }).length
}

function random(count: number, transport: Transport, traffic: Traffic, first: number): void {
  const ns3 = program()
  const fours: Four[] = []
  for (let seed = first; seed < first + count; seed++) {
    const four = fourOf(ns3, inputOf(seed, transport, traffic))
    fours.push(four)
    if (process.env['WEIR_PEERS_EACH'] !== '1') continue
    const { p50, worst, flows, equal } = spreadOf([[four.weir, four.ns3]])
    console.log(
      `  ${seed}: ${equal} of ${flows} equal, median ${p50.toFixed(4)}, worst ` +
        `${worst.toFixed(4)}, drops ${four.weir.drops} / ${four.ns3.drops}, ` +
        `marks ${four.weir.marks} / ${four.ns3.marks}`,
    )
  }
  const both = spreadOf(fours.map((four) => [four.weir, four.ns3]))
  console.log(`${transport}, ${traffic}: ${count} networks, ${both.flows} flows ended in both`)
  console.log(
    `  equal to the picosecond ${both.equal}, within the noise ${total(fours.map(withinNoise))}, ` +
      `ended in one only ${both.unmatched}`,
  )
  console.log(`  ns-3 / Weir   ${spreadText(both)}`)
  console.log(`  Weir + 1 ns   ${spreadText(spreadOf(fours.map((f) => [f.weir, f.weirMoved])))}`)
  console.log(`  ns-3 + 1 ns   ${spreadText(spreadOf(fours.map((f) => [f.ns3, f.ns3Moved])))}`)
  const sums = (of: (outcome: PeerOutcome) => number): string =>
    `${total(fours.map((f) => of(f.weir)))} / ${total(fours.map((f) => of(f.ns3)))}`
  console.log(
    `  Weir / ns-3: drops ${sums((o) => o.drops)}, marks ${sums((o) => o.marks)}, ` +
      `sent again ${sums((o) => total(o.again))}, packet-hops ${sums((o) => o.hops)}, ` +
      `bytes delivered ${sums((o) => total(o.delivered))}`,
  )
}

/** By choice: networks that part there, their flows, and those not within the noise. */
function part(count: number, transport: Transport, traffic: Traffic, first: number): void {
  const ns3 = program()
  const rows = new Map<string, [number, number, number]>()
  for (let seed = first; seed < first + count; seed++) {
    const input = inputOf(seed, transport, traffic)
    const choice = partingChoice(ns3, input)
    const four = choice === '' ? undefined : fourOf(ns3, input)
    const apart = four === undefined ? 0 : input.flows.length - withinNoise(four)
    const row = rows.get(choice) ?? [0, 0, 0]
    rows.set(choice, [row[0] + 1, row[1] + input.flows.length, row[2] + apart])
    if (process.env['WEIR_PEERS_EACH'] === '1') console.log(`  ${seed}: ${choice}, ${apart} apart`)
  }
  for (const [choice, row] of [...rows].sort(([, a], [, b]) => b[2] - a[2])) {
    console.log(`${choice || 'none'}: ${row.join(' ')}`)
  }
}

function one(input: PeerInput): void {
  const { weir, ns3, weirMoved, ns3Moved } = fourOf(program(), input)
  console.log('flow, bytes; FCT in ps: Weir, ns-3, both with 1 ns more; delivered; sent again')
  input.flows.forEach(({ bytes }, i) => {
    const times = [weir, ns3, weirMoved, ns3Moved].map((outcome) => outcome.fctPs[i])
    const came = `${weir.delivered[i]} ${ns3.delivered[i]}; ${weir.again[i]} ${ns3.again[i]}`
    console.log(`${i}, ${bytes}; ${times.join(' ')}; ${came}`)
  })
  for (const key of ['drops', 'marks', 'hops'] as const) console.log(key, weir[key], ns3[key])
}

function trace(input: PeerInput, lines: number): void {
  const ours = weirTrace(input)
  const theirs = ns3Trace(input, traceNs3(program(), input))
  const at = ours.findIndex((line, i) => line !== theirs[i])
  const counts = `${ours.length} arrivals in Weir, ${theirs.length} in ns-3`
  if (at < 0) return console.log(`${counts}: no packet differs`)
  console.log(`${counts}: the first ${at} are the same; then Weir, and ns-3:`)
  // The one that the other lacks is the earlier of the two.
  const lacking = [ours[at], theirs[at]].flatMap((line) => (line === undefined ? [] : [line]))
  lacking.sort((a, b) => parseInt(a) - parseInt(b) || (a < b ? -1 : 1))
  const flow = / flow \d+ /.exec(lacking[0] ?? '')?.[0] ?? ''
  for (const side of [ours, theirs]) {
    const before = side.slice(0, at).filter((line) => line.includes(flow))
    const after = side.slice(at).filter((line) => line.includes(flow))
    console.log([...before.slice(-lines), '--', ...after.slice(0, lines), ''].join('\n'))
  }
}

/** In turns; Weir in this process, where the first turn warms up the compiler. */
function speed(input: PeerInput, turns: number): void {
  const ns3 = program()
  const rates = Array.from({ length: turns }, () => {
    const [ours, theirs] = [runWeir(input), runNs3(ns3, input)]
    return [ours.hops / ours.seconds, theirs.hops / theirs.seconds] as const
  })
  for (const [ours, theirs] of rates) {
    console.log(`${ours.toExponential(2)} ${theirs.toExponential(2)} ${(ours / theirs).toFixed(1)}`)
  }
  const ratio = median(rates.map(([ours, theirs]) => ours / theirs))
  console.log(`median: Weir does ${ratio.toFixed(1)} times the packet-hops per CPU second of ns-3`)
}

function run(): void {
  const [first, second, third, fourth] = words
  switch (command) {
    case 'random':
      for (const transport of second === undefined ? ['udp', 'reno', 'dctcp'] : [second]) {
        for (const traffic of third === undefined ? ['one-way', 'mixed'] : [third]) {
          random(
            Number(first ?? 50),
            transport as Transport,
            traffic as Traffic,
            Number(fourth ?? 1),
          )
        }
      }
      return
    case 'part':
      return part(Number(first ?? 50), second as Transport, third as Traffic, Number(fourth ?? 1))
    case 'input':
      return console.log(printInput(inputOf(Number(first), second as Transport, third as Traffic)))
    case 'one':
      return one(read(first))
    case 'trace':
      return trace(read(first), Number(second ?? 12))
    case 'record': {
      const input = read(first)
      const answer = printOutcome(runNs3(program(), input))
      return writeFileSync(second ?? '', `${printInput(input)}---\n${answer}`)
    }
    case 'speed':
      return speed(read(first), Number(second ?? 5))
    default:
      throw new Error(
        `'${command}' is no command; write random, input, one, trace, record or speed`,
      )
  }
}

if (hasNs3()) run()
else {
  console.error(MISSING)
  process.exitCode = 1
}
