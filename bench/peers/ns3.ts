/** ns-3's side: builds `ns3-peer.cc` against Debian's libraries, once, and asks it. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseOutcome, printInput } from './input.ts'
import type { PeerInput, PeerOutcome } from './input.ts'

const MODULES = ['core', 'network', 'internet', 'point-to-point', 'applications', 'traffic-control']
export const MISSING: string =
  'ns-3 is not on this machine: `apt-get install libns3-dev g++` (Debian 12: ns-3.37), then again.'

export function hasNs3(): boolean {
  return existsSync('/usr/include/ns3/core-module.h')
}

/** The program, built anew if its source is newer. */
export function buildNs3(source: string, program: string): string {
  const mended = join(dirname(source), 'mended')
  const sources = [source, ...readdirSync(mended).map((name) => join(mended, name))]
  const newestMs = Math.max(...sources.map((path) => statSync(path).mtimeMs))
  if (existsSync(program) && statSync(program).mtimeMs >= newestMs) return program
  mkdirSync(dirname(program), { recursive: true })
  const libraries = MODULES.map((name) => `-lns3-${name}`)
  execFileSync('g++', ['-O2', '-std=c++17', '-Wall', '-o', program, source, ...libraries], {
    stdio: 'inherit',
  })
  return program
}

export function runNs3(program: string, input: PeerInput): PeerOutcome {
  return parseOutcome(ask(program, input))
}

/** Every packet's every arrival, in text, for the hunt after the first that differs. */
export function traceNs3(program: string, input: PeerInput): string {
  return ask(program, input, 'trace')
}

function ask(program: string, input: PeerInput, ...more: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-peer-'))
  try {
    const path = join(folder, 'input.txt')
    writeFileSync(path, printInput(input))
    return execFileSync(program, [path, ...more], { encoding: 'utf8', maxBuffer: 2 ** 30 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
