/** The plots as one PNG at twice the size: the SVG, drawn by the browser. */
import type { PlotRow } from '../view/plots.ts'
import { svgOf } from './svg.ts'

const SCALE = 2

export async function pngOf(rows: readonly PlotRow[]): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(rows))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * SCALE
  canvas.height = image.naturalHeight * SCALE
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser made no picture'))
      else resolve(blob)
    })
  })
}
