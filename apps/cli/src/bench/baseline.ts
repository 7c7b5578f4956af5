/** The committed speed of a known machine, with which a change is compared as a ratio. */
import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { treeRoot } from '../root.ts'
import { writeWhole } from '../write-file.ts'
import type { Measured } from './measure.ts'

export interface Baseline {
  readonly machine: string
  readonly node: string
  readonly isQuick: boolean
  readonly cases: readonly Measured[]
}

export function readBaseline(): Baseline | undefined {
  const path = baselinePath()
  if (!existsSync(path)) return undefined
  return JSON.parse(readFileSync(path, 'utf8')) as Baseline
}

export function saveBaseline(cases: readonly Measured[], isQuick: boolean): string {
  const processors = cpus()
  const machine = `${processors[0]?.model ?? 'unknown'}, ${processors.length} cores`
  const baseline: Baseline = { machine, node: process.version, isQuick, cases }
  writeWhole(baselinePath(), JSON.stringify(baseline, null, 2) + '\n')
  return baselinePath()
}

/** How many times as fast as the baseline by CPU time; NaN where the baseline has no such case. */
export function speedRatio(measured: Measured, baseline: Baseline): number {
  const before = baseline.cases.find((candidate) => candidate.name === measured.name)
  if (before === undefined) return NaN
  return measured.packetHopsPerCpuSecond / before.packetHopsPerCpuSecond
}

function baselinePath(): string {
  return join(treeRoot(), 'bench', 'baseline.json')
}
