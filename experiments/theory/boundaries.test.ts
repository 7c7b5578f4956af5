/** The judge of boundaries, with queues made by hand: theory is computed, packets are not. */
import type { Result, ValidSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import type { Check } from '../figure.ts'
import { boundaries } from './boundaries.ts'

/** Every queue stands at 150 KB, or swings about it by half. */
async function judged(isSwinging: boolean): Promise<Check[]> {
  const { checks } = await boundaries.reproduce({
    size: 'quick',
    simulate: ({ metrics, run }: ValidSpec) => {
      const values = Array.from({ length: Math.floor(run.untilPs / metrics.intervalPs) }, (_, i) =>
        isSwinging ? 150e3 + 75e3 * Math.sin(i / 20) : 150e3,
      )
      const series = [{ name: 'queue.switch->h0.c3', values }]
      return Promise.resolve({ series } as unknown as Result)
    },
    progress: () => undefined,
  })
  return [...checks]
}

/** Whether theory is right at all places of each row, or at none. */
const rights = (checks: readonly Check[], word: string): Set<boolean> =>
  new Set(
    checks
      .filter(({ name }) => name.includes(`theory calls ${word}`))
      .map(({ name, measured, verdict }) => {
        expect(verdict).toBe('ours')
        expect([0, Number(name.split(', of ')[1])]).toContain(measured)
        return measured > 0
      }),
  )

const verdicts = (checks: readonly Check[], word: string): string[] =>
  checks.filter(({ name }) => name.includes(word)).map(({ verdict }) => verdict)

describe('the judge of boundaries', () => {
  it('counts queues that stand only where theory calls them stable', async () => {
    const checks = await judged(false)
    expect(rights(checks, 'stable')).toEqual(new Set([true]))
    expect(rights(checks, 'unstable')).toEqual(new Set([false]))
    expect(new Set(verdicts(checks, 'DCTCP'))).toEqual(new Set(['differs']))
  })

  it('counts queues that swing only where theory calls them unstable', async () => {
    const checks = await judged(true)
    expect(rights(checks, 'stable')).toEqual(new Set([false]))
    expect(rights(checks, 'unstable')).toEqual(new Set([true]))
  })
})
