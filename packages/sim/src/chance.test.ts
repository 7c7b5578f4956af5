/**
 * Chance is nobody's but one's own: a flow that shares no port with others changes nothing of
 * theirs, not a picosecond, whatever draws it makes.
 */
import { describe, expect, it } from 'vitest'
import { schemes } from '@weir/schemes'
import type { Result } from './result.ts'
import { simulate } from './run.ts'
import { graphOf, specOf } from './testing/index.ts'
import type { FlowTree, Tree } from './testing/index.ts'

/** Two small leaf-spine fabrics that no path joins: a link between them makes them one graph. */
const HALVES = ['a', 'b'].flatMap((half) =>
  [0, 1].flatMap((leaf) => [
    `h${half}${2 * leaf} leaf-${half}${leaf}`,
    `h${half}${2 * leaf + 1} leaf-${half}${leaf}`,
    `leaf-${half}${leaf} spine-${half}0`,
    `leaf-${half}${leaf} spine-${half}1`,
  ]),
)
const topology = graphOf([...HALVES, 'spine-a0 spine-b0'])

/** Six flows in the first half: two hosts send to one, across the spines. */
const OWN: readonly FlowTree[] = Array.from({ length: 6 }, (_, i) => ({
  name: `own${i}`,
  from: `ha${i % 2}`,
  to: 'ha2',
  size: '200KB',
  start: `${10 * i}us`,
}))
/** Flows of the second half begin before, between and after, and end sooner: slots are reused. */
const OTHERS: readonly FlowTree[] = Array.from({ length: 9 }, (_, i) => ({
  name: `other${i}`,
  from: `hb${i % 3}`,
  to: 'hb3',
  size: '30KB',
  start: `${7 * i}us`,
}))

const LOSSY: Tree = { flowControl: 'none', buffer: '60KB' }
const CREDITS: Tree = { switch: 'input-buffered', flowControl: 'credits', buffer: '8KB' }

/** Every draw that a scheme can make is switched on. */
const DRAWS: Readonly<Record<string, { fabric?: Tree; params?: Tree; hosts?: Tree }>> = {
  'tcp-reno': { fabric: LOSSY, params: { overhead: '5us' } },
  dctcp: { fabric: LOSSY, params: { overhead: '5us' } },
  infiniband: { fabric: CREDITS, params: { markingRate: 1 } },
  accurate: { params: { clockSkew: '2us', clockJitter: '1us', frpLoss: 0.05 } },
}

function run(scheme: string, flows: readonly FlowTree[], routing: string): Result {
  const { fabric = {}, params = {}, hosts = {} } = DRAWS[scheme] ?? {}
  const red = { kind: 'red', kmin: '5KB', kmax: '50KB', pmax: 0.3 }
  const marks = ['dcqcn', 'dctcp'].includes(scheme) ? { ecn: red } : {}
  return simulate(
    specOf({
      topology,
      routing,
      fabric: { ...fabric, ...marks },
      hosts,
      workload: [{ flows }],
      scheme: { name: scheme, params },
      run: { until: '2s' },
      metrics: { interval: '50us', series: ['rate.own*', 'queue.leaf-a*'] },
    }),
  )
}

/** What the first half's flows and queues did. */
function ownPart({ flows, series }: Result): unknown {
  const rows = flows.name.flatMap((name, row) =>
    name.startsWith('own')
      ? [[name, flows.endPs[row], flows.deliveredBytes[row], flows.retransmittedPackets[row]]]
      : [],
  )
  const ends = Math.max(...rows.map(([, endPs]) => Number(endPs)))
  const until = series.map(({ name, intervalPs, values }) => [
    name,
    values.slice(0, Math.floor(ends / intervalPs)),
  ])
  return { rows, until }
}

describe('a flow on ports of its own', () => {
  // R2C2 tells every node of every flow: its broadcasts cross the ports of all others.
  for (const { name } of schemes.filter((scheme) => scheme.name !== 'r2c2')) {
    for (const routing of ['ecmp', 'packet-spray']) {
      it(`changes nothing for others: ${name}, ${routing}`, () => {
        const alone = run(name, OWN, routing)
        expect(alone.ended.why).toBe('completed')
        expect(ownPart(run(name, [...OTHERS, ...OWN], routing))).toEqual(ownPart(alone))
        expect(ownPart(run(name, [...OWN, ...OTHERS], routing))).toEqual(ownPart(alone))
      })
    }
  }
})

describe('another seed', () => {
  it('draws other marks and other paths', () => {
    const spec = (seed: number): ReturnType<typeof specOf> =>
      specOf({
        topology,
        seed,
        fabric: { ecn: { kind: 'red', kmin: '5KB', kmax: '50KB', pmax: 0.3 } },
        routing: 'packet-spray',
        workload: [{ flows: OWN }],
        scheme: 'dcqcn',
      })
    expect(simulate(spec(1)).fingerprint).not.toBe(simulate(spec(2)).fingerprint)
  })
})
