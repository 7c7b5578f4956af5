/**
 * DCQCN's sender as the paper has it: each CNP acts at once (Eq. 1), and alpha decays after each
 * interval without one (Eq. 2; SIGCOMM 2015, section 3.1).
 *
 * Departs from the paper: the decay has no timer of its own but is computed when alpha is needed,
 * with the same result.
 */
import { decay } from './decay.ts'
import { DcqcnReaction } from './reaction.ts'

export class AtOnceReaction extends DcqcnReaction {
  /** The last CNP, from which alpha's intervals are counted. NaN: none yet. */
  #cnpPs: number = NaN

  protected override onCongestion(nowPs: number): void {
    this.#decayAlpha(nowPs)
    this.decrease(nowPs)
    const { g } = this.values
    this.alpha = (1 - g) * this.alpha + g // Eq. 1
    this.#cnpPs = nowPs
  }

  /** Eq. 2 for every interval that has passed since the last CNP. */
  #decayAlpha(nowPs: number): void {
    const { alphaInterval, g } = this.values
    const intervals = Math.floor((nowPs - this.#cnpPs) / alphaInterval)
    if (intervals > 0) this.alpha *= decay(1 - g, intervals)
  }
}
