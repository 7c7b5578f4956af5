/**
 * One case of the benchmark in this process: the first part of the simulated time warms up the
 * compiler and fills the fabric and is not counted; the rest, a fixed span of simulated time, is.
 */
import process from 'node:process'
import type { ValidSpec } from '@weir/sim'

export interface Measured {
  readonly name: string
  readonly events: number
  readonly packetHops: number
  readonly seconds: number
  readonly packetHopsPerSecond: number
  readonly peakRssBytes: number
}

export async function measure(name: string, spec: ValidSpec, warmUpPs: number): Promise<Measured> {
  const { createRun } = await import('@weir/sim')
  const run = createRun(spec)
  run.step(warmUpPs)
  const { events, packetHops } = run
  const start = process.hrtime.bigint()
  run.step(spec.run.untilPs)
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const hops = run.packetHops - packetHops
  return {
    name,
    events: run.events - events,
    packetHops: hops,
    seconds,
    packetHopsPerSecond: Math.round(hops / seconds),
    // Linux and macOS as Node reports them: kilobytes.
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  }
}
