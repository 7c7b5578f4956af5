/**
 * Claims of many gains ('always', 'at every load') that few flows leave open: schemes are near each
 * other, and where no more intervals lie on the wrong side than chance puts there nobody is behind.
 */
import type { Check } from '../figure.ts'
import { isAbove } from './completion.ts'
import type { Estimate } from './completion.ts'

const RARE = 0.05

/** The check of such a claim, and how many of its gains are losses beyond their intervals. */
export interface ManyCheck {
  readonly check: Check
  readonly lost: number
  readonly of: number
}

export function unlessOpen({ check, lost, of }: ManyCheck): Check {
  const isOpen = check.verdict === 'differs' && chanceOf(lost, of) > RARE
  return isOpen ? { ...check, verdict: 'needs --full' } : check
}

/** That as many or more of so many 95% intervals are below zero though nobody is behind. */
export function chanceOf(lost: number, of: number): number {
  const p = 0.025
  let term = (1 - p) ** of
  let below = 0
  for (let i = 0; i < lost; i++) {
    below += term
    term *= ((of - i) / (i + 1)) * (p / (1 - p))
  }
  return 1 - below
}

export function lossesOf(gains: readonly { readonly gain: Estimate }[]): Omit<ManyCheck, 'check'> {
  return { lost: gains.filter(({ gain }) => isLoss(gain)).length, of: gains.length }
}

export function isLoss(gain: Estimate): boolean {
  return isAbove({ ...gain, value: -gain.value })
}
