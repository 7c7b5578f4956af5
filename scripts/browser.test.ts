/**
 * A run is the same in a browser as in Node, to the byte: the simulator is bundled for a page, with
 * no help from Node, and its whole result is held against the one that this process makes.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpec, scenarioByName, simulate, type Result } from '@weir/sim'
import { openPage, type ChromiumPage } from './chromium-page.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const CHROMIUM = '/usr/bin/chromium'
const hasChromium = existsSync(CHROMIUM)

/** What the page runs; `resultOf` below is its twin in this process. */
const PAGE_PROGRAM = `
import { loadSpec, scenarioByName, simulate } from '@weir/sim'
globalThis.weirResult = (name, settings) => {
  const text = scenarioByName(name).text
  const spec = loadSpec({ text, sourceName: name, files: () => undefined, settings })
  return JSON.stringify(simulate(spec))
}
`

function resultOf(name: string, settings: readonly string[]): string {
  const text = scenarioByName(name)?.text ?? ''
  return JSON.stringify(
    simulate(loadSpec({ text, sourceName: name, files: () => undefined, settings })),
  )
}

async function bundleForPage(): Promise<{ text: string; inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: PAGE_PROGRAM, resolveDir: root, sourcefile: 'page.js' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minifySyntax: true,
    logLevel: 'silent',
  })
  return { text: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) }
}

describe('the simulator in a browser', { timeout: 120_000 }, () => {
  let opened: ChromiumPage | undefined
  let page: Page

  beforeAll(async () => {
    if (!hasChromium) return
    opened = await openPage(CHROMIUM, (await bundleForPage()).text)
    ;({ page } = opened)
  }, 120_000)

  afterAll(async () => {
    await opened?.close()
  })

  it('is bundled for a page without a module of Node', async () => {
    // esbuild refuses what a page cannot load: a build that ends is the proof.
    const { inputs } = await bundleForPage()
    expect(inputs.some((path) => path.startsWith('packages/sim/'))).toBe(true)
    expect(inputs.filter((path) => path.startsWith('apps/') || /^node:/.test(path))).toEqual([])
  })

  for (const name of ['incast', 'parking-lot']) {
    for (const scheme of ['none', 'dcqcn']) {
      // Without Chromium (apt-get install chromium) there is nothing to hold Node against.
      it.skipIf(!hasChromium)(`gives ${name} under ${scheme} as Node does`, async () => {
        const settings = [`scheme=${scheme}`, 'seed=7']
        const there = await page.evaluate(
          ([which, set]) =>
            (
              globalThis as unknown as { weirResult: (name: unknown, set: unknown) => string }
            ).weirResult(which, set),
          [name, settings] as const,
        )
        const here = resultOf(name, settings)
        const { fingerprint } = JSON.parse(here) as Result
        expect((JSON.parse(there) as Result).fingerprint).toBe(fingerprint)
        // Compared as a truth value: a difference would print megabytes.
        expect(there === here).toBe(true)
      })
    }
  }
})
