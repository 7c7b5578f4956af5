import { describe, expect, it } from 'vitest'
import { idleKnobs } from './idle-knobs.ts'
import { simulate } from './run.ts'
import { specOf } from './testing/specs.ts'
import type { Tree } from './testing/specs.ts'

const topology = { kind: 'star', hosts: 3, rate: '10Gbps', delay: '1us' }
const workload = [{ flows: [{ from: 'h0', to: 'h1', size: '10KB' }] }]
const idle = (more: Tree, isEcnCapable = false): string[] =>
  idleKnobs(specOf({ topology, workload, ...more }), isEcnCapable)

/** A knob that is idle, and the same where it is not. */
const CASES: [what: string, idle: Tree, atWork: Tree][] = [
  [
    'hosts.tcp.rtoMin has no effect: hosts.reliability is go-back-n',
    { hosts: { tcp: { rtoMin: '5ms' } } },
    { hosts: { tcp: { rtoMin: '5ms' }, reliability: 'tcp' } },
  ],
  [
    'hosts.tcp.receiveWindow has no effect: hosts.reliability is go-back-n',
    { hosts: { tcp: { receiveWindow: '21KB' } } },
    { hosts: { tcp: { receiveWindow: '21KB' }, reliability: 'tcp' } },
  ],
  [
    'hosts.rto has no effect: TCP has a timer of its own',
    { hosts: { rto: '1ms', reliability: 'tcp' } },
    { hosts: { rto: '1ms' } },
  ],
  [
    'hosts.rto has no effect: nothing is sent again',
    { hosts: { rto: '1ms', reliability: 'none' } },
    { hosts: { rto: '1ms', reliability: 'selective-repeat' } },
  ],
  [
    'fabric.buffer.threshold has no effect: every class is lossless',
    { fabric: { buffer: { threshold: '1MB' } } },
    { fabric: { buffer: { threshold: '1MB' }, flowControl: { kind: 'pfc', lossless: [3] } } },
  ],
  [
    'fabric.scheduler has no effect: there is one class',
    { fabric: { classes: 1, scheduler: 'round-robin' } },
    { fabric: { classes: 2, scheduler: 'round-robin' } },
  ],
  [
    'fabric.flowControl.referenceRate has no effect',
    { fabric: { flowControl: { kind: 'pfc', xoff: '100KB', referenceRate: '10Gbps' } } },
    { fabric: { flowControl: { kind: 'pfc', referenceRate: '10Gbps' } } },
  ],
  [
    'hosts.ack.path has no effect',
    { hosts: { ack: { path: 'own' } }, routing: 'packet-spray' },
    { hosts: { ack: { path: 'own' } } },
  ],
  [
    'fabric.ecn has no effect: packets of none cannot be marked',
    { fabric: { ecn: { kind: 'threshold', k: '30KB' } } },
    { fabric: { ecn: 'none' } },
  ],
]

describe('idle knobs', () => {
  it.each(CASES)('says: %s', (sentence, turned, atWork) => {
    expect(idle(turned).join('\n')).toContain(sentence)
    expect(idle(atWork)).toEqual([])
  })

  it('are none of a spec that says nothing, nor of marking that a scheme hears', () => {
    expect(idle({})).toEqual([])
    expect(idle({ fabric: { ecn: { kind: 'threshold', k: '30KB' } } }, true)).toEqual([])
  })

  it('are among the warnings of a run, and really move nothing', () => {
    const plain = simulate(specOf({ topology, workload }))
    for (const [sentence, turned] of CASES.slice(0, 2)) {
      const { fingerprint, warnings } = simulate(specOf({ topology, workload, ...turned }))
      expect(warnings.join('\n')).toContain(sentence)
      expect(fingerprint).toBe(plain.fingerprint)
    }
  })
})

describe('series that were asked for', () => {
  const series = (...patterns: string[]): readonly string[] =>
    simulate(specOf({ topology, workload, metrics: { interval: '1us', series: patterns } }))
      .warnings

  it('and are not there are named, with the nearest that is', () => {
    const hint = 'there are names such as queue.h0->switch.c3'
    expect(series('queue.*', 'queue.leaf9*')).toEqual([
      `metrics.series: nothing is called 'queue.leaf9*'; ${hint}`,
    ])
    expect(series('rate.g*')[0]).toContain(
      "nothing is called 'rate.g*'; there are names such as rate.f0",
    )
    expect(series('dcqcn.rate.*')[0]).toContain("nothing is called 'dcqcn.rate.*'")
    expect(series('*', 'rate.f0', 'paused.*')).toEqual([])
  })
})
