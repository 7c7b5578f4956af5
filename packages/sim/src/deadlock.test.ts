import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { createRun } from './run.ts'
import { graphOf, incastOf, runAudited, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

/** Three switches in a ring; each host sends two switches on, always the same way round. */
function ring(fabric: Tree, more: Tree = {}): Result {
  const run = createRun(
    specOf({
      topology: graphOf(['h0 s0', 'h1 s1', 'h2 s2', 's0 s1', 's1 s2', 's2 s0']),
      fabric,
      hosts: { ack: 'none' },
      workload: [
        {
          flows: [
            { from: 'h0', to: 'h2', size: '3MB', path: ['s0', 's1', 's2'] },
            { from: 'h1', to: 'h0', size: '3MB', path: ['s1', 's2', 's0'] },
            { from: 'h2', to: 'h1', size: '3MB', path: ['s2', 's0', 's1'] },
          ],
        },
      ],
      run: { until: '20ms' },
      ...more,
    }),
  )
  runAudited(run, 1000)
  return run.result()
}

const byCredits = { switch: 'input-buffered', buffer: '5000B', flowControl: 'credits', classes: 1 }
const byPfc = { flowControl: { kind: 'pfc', xoff: '4KB', xonGap: '1KB' }, classes: 1 }

describe('a ring in which each waits for the next', () => {
  it.each([
    ['credits', byCredits],
    ['PFC', byPfc],
    ['PFC at inputs', { ...byPfc, switch: 'input-buffered', buffer: '64KB' }],
  ])('is reported as a deadlock, with its cycle, under %s', (_name, fabric) => {
    const { ended, flows, warnings } = ring(fabric)
    if (ended.why !== 'deadlock') throw new Error(`it ended by ${JSON.stringify(ended)}`)
    expect([...ended.cycle].sort()).toEqual(['s0->s1', 's1->s2', 's2->s0'])
    expect(ended.sentence).toMatch(/^deadlock: s\d->s\d waits for /u)
    expect(warnings).toContain(ended.sentence)
    for (const why of flows.unfinished)
      expect(why).toContain('of 3000000 bytes delivered; deadlock')
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
})
