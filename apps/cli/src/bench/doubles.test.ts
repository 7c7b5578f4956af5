/**
 * A field that is first a small whole number and later a double outdates all objects of its class,
 * and V8 compiles in vain for flows that hold one (`ReactionPoint`, bench/README.md). V8 itself
 * says which fields those are: all built-in schemes are run in a process that is asked to.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'weir-doubles-'))
const program = join(folder, 'program.mjs')
/** In its form that a bundle can hold, as the command line has it. */
const YAML = join(root, 'node_modules/yaml/browser/dist/index.js')

/** Sixteen hosts, each of which sends to one other, and four of them to the first one as well. */
const PROGRAM = `
import { schemes } from '@weir/schemes'
import { createRun, loadSpec } from '@weir/sim'
const spec = (scheme, fabric) => \`
name: doubles
topology: { kind: fat-tree, k: 4, rate: 25Gbps, delay: 1us }
fabric: \${fabric}
hosts: { mtu: 1000B, ack: { every: 1 } }
workload:
  - generate: { arrivals: once, sizes: 1GB, pattern: permutation }
  - flows: [{ from: h1, to: h0, size: 1GB }, { from: h6, to: h0, size: 1GB }]
  - flows: [{ from: h9, to: h0, size: 1GB }, { from: h12, to: h0, size: 1GB }]
scheme: \${scheme}
run: { until: 400us }
metrics: { interval: none }
\`
for (const { name, needs } of schemes) {
  const credits = '{ switch: input-buffered, buffer: 64KB, flowControl: credits }'
  const text = spec(name, needs.includes('credits') ? credits : '{ flowControl: pfc }')
  createRun(loadSpec({ text, sourceName: name, files: () => undefined, settings: [] })).step(4e8)
}
`

beforeAll(async () => {
  const { bundled } = (await import(join(root, 'scripts/build.mjs'))) as {
    bundled: () => BuildOptions
  }
  const stdin = { contents: PROGRAM, resolveDir: root }
  const one = { splitting: false, sourcemap: false, alias: { yaml: YAML } }
  await build({ ...bundled(), ...one, stdin, outfile: program })
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true }))

/** Of a flow, or of a scheme's points, which extend a class of the fabric. */
const OF_MANY = /^(?:servedBytes|packetClass)$|\$[A-Z]\w*$/

it('fields of flows, and of the points of all schemes, are doubles from the first on', () => {
  const flags = ['--no-sparkplug', '--trace-generalization']
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const said = execFileSync(process.execPath, [...flags, program], options)
  const lines = said.matchAll(/^\[generalizing\]([\w$]+):s\{[^}]*\}->d/gm)
  const fields = [...lines].map(([, field]) => field!)
  // The time of a run, which begins at 0: V8 is heard.
  expect(fields).toContain('nowPs')
  expect(fields.filter((field) => OF_MANY.test(field))).toEqual([])
}, 120_000)
