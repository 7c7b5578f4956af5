/**
 * The figures of theory, small: what each must show, what is known to differ, and the mechanisms
 * that checks rest on. Two have many runs, and join with WEIR_ALL_FIGURES=1; every day their judges
 * do (`boundaries.test.ts`, and one pair of each below). `weir reproduce theory/all` has the draws.
 */
import process from 'node:process'
import { simulate } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { smoothed } from './bottleneck.ts'
import { specWithout } from '../testing.ts'
import { caseOf, fluidAndPackets, pairOf } from './fluid-and-packets.ts'
import { figures } from './index.ts'

const MEANS = 'mean queue of the fluid over that of packets, later part'

const LONG: readonly string[] = ['theory/fluid-and-packets', 'theory/boundaries']
const isWhole = process.env['WEIR_ALL_FIGURES'] === '1'
const chosen = figures.filter(({ id }) => isWhole || !LONG.includes(id))

describeFigures('the figures of theory', chosen, {
  'theory/fluid-and-packets': [
    ...[2, 10].map((flows) => `TIMELY, ${flows} flows: ${MEANS}`),
    ...[2, 10].map((flows) => `DCQCN, ${flows} flows: ${MEANS}`),
  ],
  'theory/dcqcn-fixed-point': [
    '2 flows, pmax 1%: marking probability',
    '2 flows, pmax 1%: queue',
    '10 flows, pmax 1%: marking probability',
  ],
  // In the end one flow has nearly all, from either start.
  'theory/timely-starts': [
    'first share, packets: 10 ms apart less together',
    'first share, packets that start together',
  ],
  'theory/stability': ['places that theory calls stable: share that does not oscillate in packets'],
})

describe('figures of theory', () => {
  it('parts fluid and packets where packets do not hear of the queue', async () => {
    const [off] = fluidAndPackets.switches!
    const ratioOf = async (isOff: boolean): Promise<number> => {
      const { ratios } = await pairOf(caseOf('dctcp', 10, 4), {
        simulate: (spec) => Promise.resolve(simulate(isOff ? specWithout(spec, off!) : spec)),
      })
      return ratios[0]!
    }
    expect(Math.abs((await ratioOf(false)) - 1)).toBeLessThan(0.1)
    expect(Math.abs((await ratioOf(true)) - 1)).toBeGreaterThan(0.1)
  })

  it('sets fluid and packets side by side, sample by sample', async () => {
    const context = {
      simulate: (spec: Parameters<typeof simulate>[0]) => Promise.resolve(simulate(spec)),
    }
    const { fluid, packets, disagreements } = await pairOf(caseOf('dctcp', 2, 4), context)
    expect(fluid).toHaveLength(packets.length)
    expect(disagreements[0]).toBeLessThan(0.2)
  })

  it('averages samples on both sides', () => {
    expect(smoothed([0, 3, 0, 0, 6], 1)).toEqual([1.5, 1, 1, 2, 3])
  })

  it('have names of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^theory\//)
  })
})
