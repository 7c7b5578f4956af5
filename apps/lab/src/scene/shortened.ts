/** As much of a name as there is room for. */
export function shortened(
  context: Pick<CanvasRenderingContext2D, 'measureText'>,
  name: string,
  roomPx: number,
): string {
  if (context.measureText(name).width <= roomPx) return name
  let kept = name.length - 1
  while (kept > 1 && context.measureText(`${name.slice(0, kept)}…`).width > roomPx) kept--
  return `${name.slice(0, kept)}…`
}
