/**
 * One case of the benchmark in this process: the first part of the simulated time warms up the
 * compiler and fills the fabric and is not counted; the rest, a fixed span of simulated time, is.
 * Both clocks are read: what a person waits, and what the processor spent, which neighbours on the
 * same machine disturb less.
 */
import process from 'node:process'

export interface Measured {
  readonly name: string
  readonly events: number
  /** Every packet, ACKs and control too, over every link. */
  readonly packetHops: number
  readonly eventsPerHop: number
  readonly seconds: number
  /** User and system time of all threads, so that the compiler and the collector count. */
  readonly cpuSeconds: number
  readonly packetHopsPerSecond: number
  /** Of several rounds; of one, its own. */
  readonly slowestPacketHopsPerSecond: number
  readonly packetHopsPerCpuSecond: number
  readonly peakRssBytes: number
}

/** Something that is advanced in simulated time: a run, or the yardstick. */
export interface Steppable {
  readonly events: number
  readonly packetHops: number
  step(untilPs: number): unknown
}

export function measure(name: string, run: Steppable, warmUpPs: number, untilPs: number): Measured {
  run.step(warmUpPs)
  const { events, packetHops } = run
  const start = process.hrtime.bigint()
  const cpuStart = process.cpuUsage()
  run.step(untilPs)
  const { user, system } = process.cpuUsage(cpuStart)
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const cpuSeconds = (user + system) / 1e6
  const hops = run.packetHops - packetHops
  return {
    name,
    events: run.events - events,
    packetHops: hops,
    eventsPerHop: (run.events - events) / hops,
    seconds,
    cpuSeconds,
    packetHopsPerSecond: Math.round(hops / seconds),
    slowestPacketHopsPerSecond: Math.round(hops / seconds),
    packetHopsPerCpuSecond: Math.round(hops / cpuSeconds),
    // Linux and macOS as Node reports them: kilobytes.
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  }
}

/**
 * Of several rounds of one case, the one that the machine disturbed least: the same work was done
 * in each, and neighbours only ever take time away. Memory is the largest peak seen.
 */
export function fastest(rounds: readonly Measured[]): Measured {
  const speeds = rounds.map(({ packetHopsPerSecond }) => packetHopsPerSecond)
  const best = rounds[speeds.indexOf(Math.max(...speeds))]!
  return {
    ...best,
    slowestPacketHopsPerSecond: Math.min(...speeds),
    peakRssBytes: Math.max(...rounds.map(({ peakRssBytes }) => peakRssBytes)),
  }
}
