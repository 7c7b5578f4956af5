/** Figures of Gran et al. 2010, small. */
import { expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { figures } from './index.ts'
import { TABLE_I } from './tune-space.ts'
import { spaceCheck } from './tune.ts'

const TABLE_II = ['mean', 'standard deviation', 'least', 'most'].flatMap((stat) =>
  ['F1', 'F2', 'F3', 'all'].flatMap((column) => {
    const hasJitter = stat === 'standard deviation' || (stat !== 'mean' && /F3|all/u.test(column))
    const on = `${stat} of ${column}, CC on`
    return hasJitter ? [`${stat} of ${column}, CC off`, on] : [on]
  }),
)

const DIFFERS = {
  'infiniband/fig7b': [
    'least of F1 in any sample',
    'lost by three or four contributors, the larger',
    'oscillation: deviation of a contributor over its mean',
  ],
  'infiniband/fig9': ['least gain over all sizes', 'largest gain over smallest'],
  'infiniband/fig10': [...TABLE_II, 'fall of the mean'],
  'infiniband/table3': [
    'ping-pong latency, minimum, congestion, CC off',
    'ping-pong latency, minimum, congestion, CC on',
    'ping-pong latency, minimum, improvement',
    'natural ring latency, congestion, CC off',
    'natural ring latency, improvement',
    'random ring latency, congestion, CC off',
    'random ring latency, improvement',
    'natural ring bandwidth, improvement',
    'random ring bandwidth, no congestion',
    'random ring bandwidth, congestion, CC on',
    'random ring bandwidth, improvement',
    'PTRANS, congestion, CC off',
    'PTRANS, congestion, CC on',
    'PTRANS, improvement',
    'HPL, congestion, CC off',
    'MPIRandomAccess, congestion, CC off',
    'MPIRandomAccess, improvement',
    'MPIFFT, improvement',
  ],
}
describeFigures("Gran et al. 2010's figures", figures, DIFFERS)

it('judges how many settings are as good as Table I in full only', () => {
  const tableI = { setting: TABLE_I, victim: 13, unfairness: 1, sum: 13.4 }
  const worlds = (good: number) =>
    Array.from({ length: 20 }, (_, i) => (i < good ? tableI : { ...tableI, victim: 7 }))
  const verdict = (good: number, isFull: boolean) =>
    spaceCheck(tableI, worlds(good), isFull).verdict
  expect(verdict(2, true)).toBe('agrees')
  // Without congestion control all settings are alike.
  expect(verdict(20, true)).toBe('differs')
  expect(verdict(2, false)).toBe('needs --full')
})
