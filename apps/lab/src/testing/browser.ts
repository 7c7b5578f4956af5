/**
 * A real Chromium for the lab's tests, with the lab built and served on loopback beside it. Each
 * page notes what went wrong in it and every request that it made.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { labServer } from '../serve/lab-server.ts'

const CHROMIUM = '/usr/bin/chromium'

export const hasChromium: boolean = existsSync(CHROMIUM)

/** Said once, by the test file that cannot run. */
export const noChromium: string =
  `the lab's tests need Debian's Chromium at ${CHROMIUM} ` + '(apt-get install chromium): skipped'

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** What the lab is built of. */
const SOURCES = ['apps/lab', 'packages', 'experiments', 'docs/schemes']
const OLD_MS = 6 * 3600 * 1000

/**
 * The lab as its sources are now, in a folder that all files of tests share: built by the first
 * that asks, and again when a source has changed. Folders of long ago are removed.
 */
async function builtLab(): Promise<string> {
  const hash = createHash('sha256').update(ROOT)
  for (const source of SOURCES) {
    for (const path of readdirSync(join(ROOT, source), { recursive: true }).map(String).sort()) {
      if (/(^|\/)(node_modules|dist)(\/|$)|\.test\.ts$/u.test(path)) continue
      const { size, mtimeMs } = statSync(join(ROOT, source, path))
      hash.update(`${path} ${size} ${mtimeMs}\n`)
    }
  }
  hash.update(readFileSync(join(ROOT, 'package-lock.json')))
  const folder = join(tmpdir(), `weir-lab-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(join(folder, 'lab', 'built'))) return folder
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith('weir-lab-'))) {
    const old = join(tmpdir(), name)
    const age = Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > OLD_MS) rmSync(old, { recursive: true, force: true })
  }
  const { buildLab } = (await import(join(ROOT, 'apps/lab/build.mjs'))) as {
    buildLab(folder: string): Promise<void>
  }
  await buildLab(join(folder, 'lab'))
  return folder
}

export interface LabPage {
  readonly page: Page
  /** Errors on the console, uncaught errors, and crashes. */
  readonly errors: string[]
  readonly requests: string[]
  /** Bytes over the wire, by URL. */
  readonly bytes: Map<string, number>
}

export class LabBrowser {
  readonly url: string
  readonly browser: Browser
  readonly #server: Server
  /** Where it was built. */
  readonly folder: string

  private constructor(server: Server, browser: Browser, folder: string) {
    this.#server = server
    this.browser = browser
    this.folder = folder
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  static async start(): Promise<LabBrowser> {
    const folder = await builtLab()
    const server = labServer(join(folder, 'lab'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
    return new LabBrowser(server, browser, folder)
  }

  async end(): Promise<void> {
    await this.browser.close()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** A page in a profile of its own, opened at a hash. */
  async open(
    hash: string = '',
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<LabPage & { readonly context: BrowserContext }> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const errors: string[] = []
    const requests: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('crash', () => errors.push('the page crashed'))
    const bytes = new Map<string, number>()
    page.on('response', (response) => {
      if (!response.url().startsWith(this.url)) return
      bytes.set(response.url(), Number(response.headers()['content-length'] ?? 0))
    })
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(this.url + hash)
    return { page, context, errors, requests, bytes }
  }
}

/** Waits until every lane has its result and gives the fingerprints, in order. */
export async function fingerprintsOf(page: Page, lanes: number = 1): Promise<string[]> {
  const cells = page.locator('#results .print')
  for (;;) {
    await cells.nth(lanes - 1).waitFor({ timeout: 60_000 })
    const prints = await cells.allTextContents()
    // A run that begins in between has taken the last one's away: wait for its own.
    if (prints.length >= lanes) return prints
  }
}

const ANSWER_MS = 5_000

/** Whether a page still runs its program, and whether Chromium still gives it pictures to draw. */
async function stateOf(page: Page): Promise<string> {
  const inTime = async (answer: Promise<unknown>): Promise<boolean> =>
    Promise.race([
      answer.then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, ANSWER_MS, false)),
    ])
  const isAwake = await inTime(page.evaluate(() => 0))
  const isDrawn = await inTime(page.evaluate(async () => new Promise(requestAnimationFrame)))
  return `the page ${isAwake ? 'answers' : 'does not answer'} and is ${isDrawn ? '' : 'not '}drawn`
}

/**
 * A lab for the tests of a file, or of a `describe`: built and started before, ended after. Pages
 * are closed when the test that opened them is over.
 */
export function useLab(): Pick<LabBrowser, 'url' | 'folder' | 'open'> {
  let lab: LabBrowser | undefined
  beforeAll(async () => {
    lab = await LabBrowser.start()
  }, 120_000)
  // A page that a failed test left open would go on playing, at the cost of the next.
  afterEach(async ({ task }) => {
    const contexts = lab?.browser.contexts() ?? []
    if (task.result?.state === 'fail') {
      for (const page of contexts.flatMap((context) => context.pages()))
        console.warn(`after '${task.name}' failed: ${await stateOf(page)}`)
    }
    await Promise.all(contexts.map((context) => context.close()))
  }, 60_000)
  afterAll(async () => {
    await lab?.end()
  }, 60_000)
  return {
    get url() {
      return lab!.url
    },
    get folder() {
      return lab!.folder
    },
    open: (hash, options) => lab!.open(hash, options),
  }
}
