/**
 * Random specs give the same bytes in Chromium as in Node: under every scheme, with programs of
 * messages, by one thread and by several that take turns, with nodes in their order and shuffled in
 * every window. A few in the suite; `WEIR_FUZZ=2000` tries as many, from a seed of their own.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulate, type ValidSpec } from '@weir/sim'
import { anyRunSpec, anySchemeSpec, anySpec } from '@weir/sim/testing'
import { openPage, type ChromiumPage } from './chromium-page.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const CHROMIUM = '/usr/bin/chromium'
const hasChromium = existsSync(CHROMIUM)
const ASKED = Number(process.env.WEIR_FUZZ ?? 0)
const CASES = ASKED || 20
const SEED = ASKED === 0 ? 12 : Number(process.env.SEED ?? 0) || Date.now() % 1e9
const AT_A_TIME = 20
/** Milliseconds for one case, on a machine that has much else to do. */
const CASE_MS = 5_000

/** What the page runs: all ways of running a spec, of which it says whether they agree. */
const PAGE_PROGRAM = `
import { simulate } from '@weir/sim'
import { runShuffled } from './packages/sim/src/testing/shuffled.ts'
import { simulateTogether } from './packages/sim/src/testing/together.ts'
globalThis.weirResults = (cases) => cases.map(({ spec, threads, seed }) => {
  const alone = JSON.stringify(simulate(spec))
  const isOne = [simulateTogether(spec, threads), runShuffled(spec, seed)]
    .every((result) => JSON.stringify(result) === alone)
  return isOne ? alone : 'threads or another order of nodes gave another result'
})
`

interface Case {
  readonly spec: ValidSpec
  readonly threads: number
  readonly seed: number
}

describe('random specs in a browser', { timeout: 120_000 + CASES * CASE_MS }, () => {
  let opened: ChromiumPage | undefined
  let page: Page

  beforeAll(async () => {
    if (!hasChromium) return
    const { outputFiles } = await build({
      stdin: { contents: PAGE_PROGRAM, resolveDir: root, sourcefile: 'page.js' },
      ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2022' },
      ...{ minifySyntax: true, logLevel: 'silent' },
    })
    opened = await openPage(CHROMIUM, outputFiles[0]!.text)
    ;({ page } = opened)
  }, 120_000)

  afterAll(async () => {
    await opened?.close()
  })

  const resultsThere = (cases: readonly Case[]): Promise<string[]> =>
    page.evaluate((given) => {
      const { weirResults } = globalThis as unknown as {
        weirResults: (cases: readonly unknown[]) => string[]
      }
      return weirResults(given)
    }, cases as unknown[])

  // Without Chromium (apt-get install chromium) there is nothing to hold Node against.
  it.skipIf(!hasChromium)('give the bytes that Node gives', async () => {
    const one = fc.record({
      spec: fc.oneof(
        { weight: 1, arbitrary: anySpec() },
        { weight: 2, arbitrary: anySchemeSpec() },
        { weight: 2, arbitrary: anyRunSpec() },
      ),
      threads: fc.integer({ min: 2, max: 4 }),
      seed: fc.nat(),
    })
    const endings = new Set<string>()
    for (let done = 0; done < CASES; done += AT_A_TIME) {
      const numRuns = Math.min(AT_A_TIME, CASES - done)
      const cases = fc.sample(one, { numRuns, seed: SEED + done })
      const there = await resultsThere(cases)
      cases.forEach(({ spec }, i) => {
        const here = JSON.stringify(simulate(spec))
        endings.add((JSON.parse(here) as { ended: { why: string } }).ended.why)
        // Compared as a truth value: a difference would print megabytes.
        const which = `SEED=${SEED + done}, case ${i}: ${there[i]!.slice(0, 200)}`
        expect(there[i] === here, which).toBe(true)
      })
    }
    expect(endings).toContain('completed')
  })
})
