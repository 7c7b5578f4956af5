/** As much of a name as there is room for; a number at its end, by which it is known, stays. */
export function shortened(
  context: Pick<CanvasRenderingContext2D, 'measureText'>,
  name: string,
  roomPx: number,
): string {
  const isWide = (text: string): boolean => context.measureText(text).width > roomPx
  if (!isWide(name)) return name
  const number = /[^a-z\d]?\d{1,6}$/iu.exec(name)?.[0] ?? ''
  for (const tail of [number, '']) {
    for (let kept = name.length - tail.length - 1; kept > 0; kept--) {
      const text = `${name.slice(0, kept)}…${tail}`
      if (!isWide(text)) return text
    }
  }
  return `${name.slice(0, 1)}…`
}
