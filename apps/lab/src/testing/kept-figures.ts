/**
 * Results of figures, kept in a folder between two takings of pictures: what draws them is looked
 * at again in seconds. They are those of the sources by which they were measured: whoever changes a
 * figure's program removes its file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

interface KeptWindow {
  keptFigure(name: string): Promise<unknown>
  keepFigure(name: string, result: unknown): Promise<void>
}

export async function keepFigures(page: Page, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const pathOf = (name: string): string => join(folder, `${name}.json`)
  await page.exposeFunction('keptFigure', (name: string): unknown => {
    const path = pathOf(name)
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8'), revive) : undefined
  })
  await page.exposeFunction('keepFigure', (name: string, result: unknown): void => {
    writeFileSync(pathOf(name), JSON.stringify(result, replace))
  })
  await page.addInitScript(() => {
    const { keptFigure, keepFigure } = window as unknown as KeptWindow
    const post = Reflect.get(Worker.prototype, 'postMessage') as (order: unknown) => void
    Worker.prototype.postMessage = function (this: Worker, order: { id?: string; size?: string }) {
      if (order.id === undefined || order.size === undefined) return post.call(this, order)
      const name = `${order.id.replace('/', '-')}-${order.size}`
      void keptFigure(name).then((result) => {
        if (result) {
          this.dispatchEvent(new MessageEvent('message', { data: { type: 'done', result } }))
          return
        }
        this.addEventListener(
          'message',
          ({ data }: MessageEvent<{ type: string; result: unknown }>) => {
            if (data.type === 'done') void keepFigure(name, data.result)
          },
        )
        post.call(this, order)
      })
    }
  })
  await page.reload()
}

/** JSON has no NaN and no infinity, and a check may have measured one. */
function replace(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value
}

function revive(_: string, value: unknown): unknown {
  const isNumber = typeof value === 'object' && value !== null && 'number' in value
  return isNumber && Object.keys(value).length === 1 ? Number(value.number) : value
}
