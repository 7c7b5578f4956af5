/** Links whose load may have changed since `forget`, if anybody asks: the next priority does. */
export class ChangedLinks {
  readonly links: number[] = []
  isWatched = false
  readonly #isIn: Uint8Array

  constructor(links: number) {
    this.#isIn = new Uint8Array(links)
  }

  note(link: number): void {
    if (!this.isWatched || this.#isIn[link] === 1) return
    this.#isIn[link] = 1
    this.links.push(link)
  }

  forget(): void {
    for (const link of this.links) this.#isIn[link] = 0
    this.links.length = 0
  }
}
