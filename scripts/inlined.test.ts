/**
 * The lanes of packets and ports are constants that the bundle has as numbers: the simulation runs
 * 1.2 times as fast. esbuild inlines those of files that begin with them; an import that runs, in
 * `ports.ts` or `packets.ts`, silently ends that.
 */
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const source = (path: string): string =>
  new URL(`../packages/fabric/src/${path}`, import.meta.url).pathname

it('the lanes that every hop touches are numbers in the bundle', async () => {
  const { outputFiles } = await build({
    entryPoints: [source('fabric.ts')],
    bundle: true,
    format: 'esm',
    minifySyntax: true,
    write: false,
  })
  const text = outputFiles[0]!.text
  const used = [...readFileSync(source('fabric.ts'), 'utf8').matchAll(/\+ ([A-Z][A-Z_]+)\]/g)]
  const lanes = new Set(used.map(([, lane]) => lane!))
  expect(lanes.size).toBeGreaterThan(15)
  for (const lane of lanes) expect(text, lane).not.toMatch(new RegExp(`\\+ ${lane}\\b`))
})
