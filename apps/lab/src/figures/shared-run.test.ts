/** Real threads in Chromium: workers that share a run, and one that dies or hangs in the middle. */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulate } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import { specOf } from '@weir/sim/testing'
import { hasChromium } from '../testing/browser.ts'

const PAGE = `
import { shareRun } from './shared-run.ts'
globalThis.share = (spec, threads, program, patience) =>
  shareRun(spec, threads, program, patience).then(JSON.stringify, (error) => error.message)
`
const THREAD = `
import { joinRun } from './shared-run.ts'
onmessage = ({ data }) => joinRun(data, (message) => postMessage(message))
`
/** The second thread has an accident at its twentieth meeting. */
const ACCIDENT = `
const store = Atomics.store
let meetings = 0
Atomics.store = (...args) => {
  if (globalThis.isSecond && ++meetings === 20) WHAT
  return store(...args)
}
addEventListener('message', ({ data }) => { globalThis.isSecond = data.share.me === 1 }, true);
`

function spec(): ValidSpec {
  return specOf({
    topology: { kind: 'leaf-spine', leaves: 4, spines: 2, hostsPerLeaf: 4 },
    workload: [{ generate: { arrivals: 'once', sizes: '100KB', pattern: 'permutation' } }],
    run: { until: '1ms' },
    scheme: 'hpcc',
  })
}

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, sourcefile: 'page.js' },
    ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2022' },
    ...{ minifySyntax: true, logLevel: 'silent' },
  })
  return outputFiles[0]!.text
}

describe.skipIf(!hasChromium)('a run that workers of a page share', { timeout: 180_000 }, () => {
  let server: Server
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const thread = await bundle(THREAD)
    const scripts: Record<string, string> = {
      '/page.js': await bundle(PAGE),
      '/thread.js': thread,
      '/falls.js': ACCIDENT.replace('WHAT', "throw new Error('it fell over')") + thread,
      '/hangs.js': ACCIDENT.replace('WHAT', 'for (;;) continue') + thread,
    }
    server = createServer(({ url = '' }, response) => {
      const script = scripts[url]
      response.setHeader('cross-origin-opener-policy', 'same-origin')
      response.setHeader('cross-origin-embedder-policy', 'require-corp')
      response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
      response.end(script ?? '<script src="page.js"></script>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
    })
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const share = (threads: number, program: string, patience: number): Promise<string> =>
    page.evaluate(
      ([given, count, script, looks]) => {
        const { share: there } = globalThis as unknown as {
          share: (...args: readonly unknown[]) => Promise<string>
        }
        return there(given, count, script, looks)
      },
      [spec(), threads, program, patience] as const,
    )

  it('has the bytes that one thread has in Node', async () => {
    const alone = JSON.stringify(simulate(spec()))
    for (const threads of [2, 3, 4]) {
      expect((await share(threads, 'thread.js', 60)) === alone, `${threads} threads`).toBe(true)
    }
  })

  it('ends with a sentence if a thread falls over or hangs', async () => {
    expect(await share(2, 'falls.js', 60)).toBe('it fell over')
    expect(await share(2, 'hangs.js', 3)).toMatch(/stuck/)
  })
})
