/**
 * The figures of the lecture's other schemes, small: what each must show, and what is known to
 * differ.
 */
import { describe, expect, it } from 'vitest'
import { simulate } from '@weir/sim'
import type { Figure } from '../figure.ts'
import { dcqcnIncast } from './dcqcn-incast.ts'
import { hpccFigure } from './hpcc.ts'
import { figures } from './index.ts'
import { qcnDcqcnParkingLot } from './qcn-dcqcn-parking-lot.ts'
import { sideBySide } from './side-by-side.ts'
import { timelyIncast } from './timely-incast.ts'

/** A shared machine may be slow; nothing here depends on how slow. */
const PATIENCE_MS = 240_000

/** Each with the checks that differ from what is published; their notes say why. */
const CASES: readonly (readonly [string, Figure, readonly string[]])[] = [
  [dcqcnIncast.id, dcqcnIncast, []],
  [qcnDcqcnParkingLot.id, qcnDcqcnParkingLot, ['local over remote, DCQCN, 256 KB']],
  [
    timelyIncast.id,
    timelyIncast,
    [
      '99th percentile RTT of all packets, with over without incast, at 10%',
      "99th percentile RTT to the incast's own host at 10%",
    ],
  ],
  [hpccFigure.id, hpccFigure, []],
  [sideBySide.id, sideBySide, []],
]

describe('the RoCE figures of the lecture', () => {
  it.each(CASES)(
    '%s agrees with what is published, but for what is known to differ',
    async (_id, figure, known) => {
      const { checks, plots } = await figure.reproduce({
        size: 'quick',
        simulate: (spec) => Promise.resolve(simulate(spec)),
        progress: () => undefined,
      })
      const differing = checks.filter(({ verdict }) => verdict === 'differs')
      expect(differing.map(({ name }) => name)).toEqual(known)
      for (const { note } of differing) expect(note).not.toBe('')
      expect(checks.every(({ measured }) => Number.isFinite(measured))).toBe(true)
      for (const { curves } of plots) {
        for (const { x, y } of curves) {
          expect(y).toHaveLength(x.length)
          expect(y.every((value) => Number.isFinite(value))).toBe(true)
        }
      }
    },
    PATIENCE_MS,
  )

  it('have names of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [id] of CASES) expect(ids).toContain(id)
  })
})
