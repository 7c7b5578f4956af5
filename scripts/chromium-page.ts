/** An empty page of Debian's Chromium, for tests that run the simulator in a browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'

export interface ChromiumPage {
  readonly page: Page
  close(): Promise<void>
}

/** A page that has run `script`; whoever opens it closes it. */
export async function openPage(executablePath: string, script: string): Promise<ChromiumPage> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-browser-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    headless: true,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  })
  const page = await context.newPage()
  await page.addScriptTag({ content: script })
  return {
    page,
    close: async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
