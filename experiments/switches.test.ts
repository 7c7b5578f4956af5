/**
 * Must show: for every figure, the mechanism switched off makes its checks fail. Figs. 7 to 10
 * of PACC and InfiniBand's search for settings have none to take away: they are judged in full
 * only, by judges that have tests of their own, in worlds made by hand. `r2c2/fig15-packets` is,
 * too, and a test of its own takes its mechanism away; so does one of `pacc/readings`, of which a
 * small run that finds nothing is left open.
 */
import { expect, it } from 'vitest'
import { figures } from './index.ts'

it('every figure names a mechanism to take away', () => {
  const without = figures.filter(({ switches = [] }) => switches.length === 0)
  expect(without.map(({ id }) => id)).toEqual([
    'infiniband/tune',
    'r2c2/fig15-packets',
    'pacc/fig7',
    'pacc/fig8',
    'pacc/readings',
  ])
})
