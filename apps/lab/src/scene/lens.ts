/** The part of a picture that is looked at: `scale` times as large, moved by so many pixels. */
export class Lens {
  scale: number = 1
  dx: number = 0
  dy: number = 0

  get isWhole(): boolean {
    return this.scale === 1
  }

  /** About a point that stays where it is; the picture always fills its frame. */
  zoom(factor: number, x: number, y: number, width: number, height: number): void {
    const scale = Math.min(LARGEST, Math.max(1, this.scale * factor))
    const by = scale / this.scale
    this.scale = scale
    this.dx = x - (x - this.dx) * by
    this.dy = y - (y - this.dy) * by
    this.move(0, 0, width, height)
  }

  move(dx: number, dy: number, width: number, height: number): void {
    this.dx = Math.min(0, Math.max(width * (1 - this.scale), this.dx + dx))
    this.dy = Math.min(0, Math.max(height * (1 - this.scale), this.dy + dy))
  }

  reset(): void {
    Object.assign(this, { scale: 1, dx: 0, dy: 0 })
  }

  /** Where in the whole picture a point of the frame lies. */
  inside(x: number, y: number): { x: number; y: number } {
    return { x: (x - this.dx) / this.scale, y: (y - this.dy) / this.scale }
  }
}

const LARGEST = 12
