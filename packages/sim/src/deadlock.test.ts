import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { createRun } from './run.ts'
import { graphOf, incastOf, runAudited, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

const links = ['h0 s0', 'h1 s1', 'h2 s2', 's0 s1', 's1 s2', 's2 s0']

/** Each host of the ring sends two switches on, always the same way round. */
const roundTheRing = (size: Tree): Tree[] => [
  { from: 'h0', to: 'h2', path: ['s0', 's1', 's2'], ...size },
  { from: 'h1', to: 'h0', path: ['s1', 's2', 's0'], ...size },
  { from: 'h2', to: 'h1', path: ['s2', 's0', 's1'], ...size },
]

/** Three switches in a ring. */
function ring(fabric: Tree, more: Tree = {}): Result {
  const run = createRun(
    specOf({
      topology: graphOf(links),
      fabric,
      hosts: { ack: 'none' },
      workload: [{ flows: roundTheRing({ size: '3MB' }) }],
      run: { until: '20ms' },
      ...more,
    }),
  )
  runAudited(run, 1000)
  return run.result()
}

const byCredits = { switch: 'input-buffered', buffer: '5000B', flowControl: 'credits', classes: 1 }
const byPfc = { flowControl: { kind: 'pfc', xoff: '4KB', xonGap: '1KB' }, classes: 1 }
/** Headroom for three ports, and so much more. */
const inLittleMemory = (xoff: unknown, moreBytes: number): Tree => ({
  buffer: `${3 * 6_000 + moreBytes}B`,
  flowControl: { kind: 'pfc', xoff, xonGap: '1KB', headroom: '6KB' },
  classes: 1,
})

describe('a ring in which each waits for the next', () => {
  it.each([
    ['credits', byCredits],
    ['PFC', byPfc],
    ['PFC at inputs', { ...byPfc, switch: 'input-buffered', buffer: '64KB' }],
    // The level of XOFF rises when what moves has left, but no packet leaves that would send XON.
    ['PFC with a dynamic XOFF', inLittleMemory({ kind: 'dynamic', alpha: 8 }, 5_000)],
    ['PFC with a memory that is full below its XOFF', inLittleMemory('20KB', 8_000)],
  ])('is reported as a deadlock, with its cycle, under %s', (_name, fabric) => {
    const { ended, flows, warnings } = ring(fabric)
    if (ended.why !== 'deadlock') throw new Error(`it ended by ${JSON.stringify(ended)}`)
    expect([...ended.cycle].sort()).toEqual(['s0->s1', 's1->s2', 's2->s0'])
    expect(ended.sentence).toMatch(/^deadlock: s\d->s\d waits for /u)
    expect(warnings).toContain(ended.sentence)
    for (const why of flows.unfinished)
      expect(why).toContain('of 3000000 bytes delivered; deadlock')
  })

  it('is reported where another flow held an XOFF level down and has gone', () => {
    const fabric = {
      buffer: `${6 * 6_000 + 6_000}B`,
      flowControl: {
        kind: 'pfc',
        xoff: { kind: 'dynamic', alpha: '1/4' },
        xonGap: '0B',
        headroom: '6KB',
      },
      classes: 1,
    }
    const passing = { from: 'h3', to: 'h5', size: '30KB' }
    const { ended, flows } = ring(fabric, {
      topology: graphOf([...links, 'h3 s0', 'h4 s0', 'h5 s0']),
      workload: [{ flows: [...roundTheRing({ size: '300KB' }), passing] }],
    })
    // All that an ingress of s0 holds would fit now, and is stuck: nothing leaves that sends XON.
    expect(ended).toMatchObject({ why: 'deadlock' })
    expect(flows.unfinished[3]).toBe('')
  })

  it('is reported also where flows have no end, or other flows have ended', () => {
    const endless = ring(byPfc, { workload: [{ flows: roundTheRing({}) }] })
    expect(endless.ended).toMatchObject({ why: 'deadlock' })
    const other = { from: 'h0', to: 'h1', size: '1KB' }
    const mixed = ring(byPfc, { workload: [{ flows: [...roundTheRing({}), other] }] })
    expect(mixed.ended).toMatchObject({ why: 'deadlock' })
    expect(mixed.flows.unfinished).toEqual(['has no end', 'has no end', 'has no end', ''])
  })

  it('is reported also where the bound on events ends the run', () => {
    const rto = { hosts: { ack: { every: 1 }, rto: '10us' } }
    const run = { until: '20ms', eventsMax: 5_000 }
    const { ended, counters } = ring(byPfc, { ...rto, run })
    // The bound holds from the next multiple of the shortest link delay on.
    expect(counters.events).toBeGreaterThanOrEqual(5_000)
    expect(counters.events).toBeLessThan(5_100)
    expect(ended).toMatchObject({ why: 'deadlock' })
  })

  it('is none while credits that will free it are on their way', () => {
    const workload = [{ flows: roundTheRing({ size: '3KB' }) }]
    const far = { topology: graphOf(links, { delay: '10us' }), workload }
    // Here every port of the ring has spent its credits on packets that have left by now.
    const early = ring(byCredits, { ...far, run: { until: '28us' } })
    expect(early.ended).toMatchObject({ why: 'time' })
    expect(ring(byCredits, far).ended).toEqual({ why: 'completed' })
  })

  it('is none when it is lossy, or when packets take the short way', () => {
    expect(ring({ ...byPfc, flowControl: 'none' }, { hosts: { rto: '200us' } }).ended.why).not.toBe(
      'deadlock',
    )
    const workload = [{ flows: [{ from: 'h0', to: 'h2', size: '3MB' }] }]
    expect(ring(byPfc, { workload }).ended).toEqual({ why: 'completed' })
  })
})

describe('a run that does not end', () => {
  it('is not called a deadlock where everything still moves', () => {
    for (const fabric of [byPfc, byCredits]) {
      const spec = specOf(incastOf(6, '50MB', { fabric, run: { until: '300us' } }))
      const run = createRun(spec)
      runAudited(run, 1000)
      expect(run.result().ended).toMatchObject({ why: 'time' })
    }
  })

  it('is completed where flows without end move to its end', () => {
    for (const fabric of [byPfc, byCredits]) {
      const flows = [{ from: 'h0', to: 'h2' }]
      expect(ring(fabric, { workload: [{ flows }], run: { until: '300us' } }).ended).toEqual({
        why: 'completed',
      })
    }
  })
})
