/** Hands a file to the browser's own saving. */
export async function save(
  name: string,
  content: string | Promise<Blob>,
  type: string = 'image/png',
): Promise<void> {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : await content
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(blob)
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000)
}
