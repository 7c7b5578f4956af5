/** Fingers on an element: two zoom and move, one moves; and a trackpad that pinches. */

export interface Touched {
  /** So many times larger about a point of the element, which itself moved. */
  pinch(factor: number, x: number, y: number, dx: number, dy: number): void
  /** One finger moved; `undefined`: it is somebody else's. */
  drag?: (dx: number, dy: number) => unknown
}

interface Finger {
  x: number
  y: number
}

export function followTouch(element: HTMLElement, touched: Touched): () => void {
  const fingers = new Map<number, Finger>()
  const placeOf = (event: PointerEvent): Finger => {
    const { left, top } = element.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const onDown = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') fingers.set(event.pointerId, placeOf(event))
  }
  const onMove = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId)
    if (before === undefined) return
    const now = placeOf(event)
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
    fingers.set(event.pointerId, now)
    if (other === undefined) {
      touched.drag?.(now.x - before.x, now.y - before.y)
      return
    }
    const apart = (one: Finger): number => Math.hypot(one.x - other.x, one.y - other.y)
    const factor = apart(now) / Math.max(1, apart(before))
    const [dx, dy] = [(now.x - before.x) / 2, (now.y - before.y) / 2]
    touched.pinch(factor, (now.x + other.x) / 2, (now.y + other.y) / 2, dx, dy)
  }
  const onUp = (event: PointerEvent): void => {
    fingers.delete(event.pointerId)
  }
  const onWheel = (event: WheelEvent): void => {
    // A pinch on a trackpad comes as a wheel with the control key.
    if (!event.ctrlKey) return
    event.preventDefault()
    const { left, top } = element.getBoundingClientRect()
    touched.pinch(Math.exp(-event.deltaY / 100), event.clientX - left, event.clientY - top, 0, 0)
  }
  element.addEventListener('pointerdown', onDown)
  element.addEventListener('pointermove', onMove)
  element.addEventListener('pointerup', onUp)
  element.addEventListener('pointercancel', onUp)
  element.addEventListener('wheel', onWheel, { passive: false })
  return () => {
    element.removeEventListener('pointerdown', onDown)
    element.removeEventListener('pointermove', onMove)
    element.removeEventListener('pointerup', onUp)
    element.removeEventListener('pointercancel', onUp)
    element.removeEventListener('wheel', onWheel)
  }
}
