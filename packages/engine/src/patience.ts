/**
 * How long one that waits for others looks before it sleeps. Looking is quick where all have a core
 * of their own: the others come within microseconds. Where they share cores with other work, the
 * one that looks holds the core that the others want; it then looks a few times only, and finds out
 * now and then whether that has changed.
 */

/** Times that it looks, at the most and where looking has been in vain. */
export const MANY_LOOKS = 20_000
export const FEW_LOOKS = 200
/** What a wait counts for that many looks did not end, beside one that they did end. */
const VAIN = 4
/** From here on looking is held to be in vain; and the most that is counted. */
const ENOUGH = 16
const MOST = 32
/** Of waits with few looks, one in so many has many, to find out. */
const PROBES_EVERY = 32

export class Patience {
  #vain: number = 0
  #waits: number = 0

  /** How often to look in the wait that begins. */
  next(): number {
    if (this.#vain < ENOUGH) return MANY_LOOKS
    this.#waits = (this.#waits + 1) % PROBES_EVERY
    return this.#waits === 0 ? MANY_LOOKS : FEW_LOOKS
  }

  /** So many looks were allowed: have the others come within them? Few say nothing. */
  note(looks: number, haveCome: boolean): void {
    if (looks < MANY_LOOKS) return
    this.#vain = haveCome ? Math.max(0, this.#vain - 1) : Math.min(MOST, this.#vain + VAIN)
  }
}
