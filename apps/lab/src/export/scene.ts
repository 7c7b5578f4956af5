/** The pictures of the network as they stand, lane beside lane, as one PNG. */
export async function sceneOf(): Promise<Blob> {
  const scenes = [...document.querySelectorAll<HTMLCanvasElement>('canvas.scene')]
  const canvas = document.createElement('canvas')
  canvas.width = scenes.reduce((sum, { width }) => sum + width, 0)
  canvas.height = Math.max(1, ...scenes.map(({ height }) => height))
  const context = canvas.getContext('2d')!
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--card')
  context.fillRect(0, 0, canvas.width, canvas.height)
  let left = 0
  for (const scene of scenes) {
    context.drawImage(scene, left, 0)
    left += scene.width
  }
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser made no picture'))
      else resolve(blob)
    })
  })
}
