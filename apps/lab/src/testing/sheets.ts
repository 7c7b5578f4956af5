/**
 * Contact sheets of screenshots: rows of what is shown, columns of how it is seen, scaled down and
 * as WebP, each file small enough for the repository.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

export interface Sheet {
  readonly to: string
  /** By row and column: PNG files; those that do not exist are left out. */
  readonly rows: readonly (readonly string[])[]
  /** Width of each column, and the most of a picture's height that is kept, in widths. */
  readonly columns: readonly { readonly width: number; readonly tall: number }[]
}

const BYTES_MAX = 240_000
const GAP = 6

interface Placed {
  readonly url: string
  readonly x: number
  readonly width: number
  readonly tall: number
  readonly row: number
}

export async function writeSheet(page: Page, { to, rows, columns }: Sheet): Promise<void> {
  const placed: Placed[] = rows.flatMap((files, row) =>
    files.flatMap((file, i) => {
      if (!existsSync(file)) return []
      const before = columns.slice(0, i).reduce((sum, { width }) => sum + width + GAP, 0)
      const url = `data:image/png;base64,${readFileSync(file).toString('base64')}`
      return [{ url, x: before, row, ...columns[i]! }]
    }),
  )
  if (placed.length === 0) return
  const width = columns.reduce((sum, one) => sum + one.width + GAP, -GAP)
  for (let quality = 0.72; quality > 0.1; quality -= 0.12) {
    const bytes = Buffer.from(
      await page.evaluate(drawn, { placed, width, gap: GAP, quality }),
      'base64',
    )
    writeFileSync(to, bytes)
    if (bytes.length < BYTES_MAX) return
  }
}

/** Runs in the page: it must not use anything from outside itself. */
async function drawn(sheet: {
  readonly placed: readonly Placed[]
  readonly width: number
  readonly gap: number
  readonly quality: number
}): Promise<string> {
  const images = await Promise.all(
    sheet.placed.map(async ({ url }) => {
      const image = new Image()
      image.src = url
      await image.decode()
      return image
    }),
  )
  const heights: number[] = []
  const kept = sheet.placed.map(({ width, tall, row }, i) => {
    const { naturalWidth, naturalHeight } = images[i]!
    const share = Math.min(naturalHeight, tall * naturalWidth)
    heights[row] = Math.max(heights[row] ?? 0, (share * width) / naturalWidth)
    return share
  })
  const tops = heights.map((_, row) =>
    heights.slice(0, row).reduce((sum, height) => sum + Math.ceil(height) + sheet.gap, 0),
  )
  const canvas = document.createElement('canvas')
  canvas.width = sheet.width
  canvas.height = tops.at(-1)! + Math.ceil(heights.at(-1)!)
  const context = canvas.getContext('2d')!
  context.fillStyle = '#8a97a8'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  sheet.placed.forEach(({ x, width, row }, i) => {
    const { naturalWidth } = images[i]!
    const height = (kept[i]! * width) / naturalWidth
    context.drawImage(images[i]!, 0, 0, naturalWidth, kept[i]!, x, tops[row]!, width, height)
  })
  return canvas.toDataURL('image/webp', sheet.quality).split(',')[1]!
}
