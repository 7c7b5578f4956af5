import type { NodeContext } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { schemeByName, schemes } from './registry.ts'
import { FakeFlow, ackOf, fakeContext, valuesOf } from './testing/fake-flow.ts'

/** A host whose agent is heard by nobody. */
const nothing = (): void => undefined
const QUIET_NODE = {
  ...{ name: 'h0', node: 0, host: 0, links: [], packetBytes: 1048 },
  ...{ setTimer: nothing, cancelTimer: nothing, sendBy: nothing, sendTo: nothing },
}

describe('the catalogue of schemes', () => {
  it('finds each by its name, and none by another', () => {
    for (const scheme of schemes) expect(schemeByName(scheme.name)).toBe(scheme)
    expect(schemeByName('nothing')).toBeUndefined()
  })

  it.each(schemes.map((scheme) => [scheme.name, scheme] as const))(
    '%s names what it shows, and shows what it names',
    (_name, scheme) => {
      const { agent, flowInternals, portInternals, reaction } = scheme.create(
        valuesOf(scheme),
        fakeContext(),
      )
      for (const names of [flowInternals, portInternals]) {
        expect(names.every((name) => /^[a-z][A-Za-z]*$/.test(name))).toBe(true)
        expect(new Set(names).size).toBe(names.length)
      }
      const ofHost = agent?.(QUIET_NODE as unknown as NodeContext)
      const point = reaction(Object.assign(new FakeFlow(10e9, 20e6), { agent: ofHost }))
      point.onStart(0)
      if (scheme.needs.includes('acks')) point.onAck(ackOf({}), 20e6)
      flowInternals.forEach((name, i) => {
        expect(Number.isFinite(point.observe(i)), name).toBe(true)
        if (name === 'rate') expect(point.observe(i)).toBe(point.rateBps)
      })
    },
  )

  // Names of series that a user may ask for (docs/schemes); a port's are the contention point's.
  it.each([
    ['none', [], []],
    ['tcp-reno', ['window', 'threshold'], []],
    ['dctcp', ['window', 'threshold', 'alpha'], []],
    ['dctcp-rate', ['rate', 'alpha'], []],
    ['dcqcn', ['rate', 'target', 'alpha'], []],
    ['qcn', ['rate', 'target'], ['feedback']],
    ['timely', ['rate', 'rtt', 'gradient'], []],
    ['hpcc', ['rate', 'window', 'utilisation'], []],
    ['pacc', ['rate', 'target', 'alpha'], ['cnps', 'average', 'entries']],
    ['rocc', ['rate'], ['fair', 'flows']],
    ['infiniband', ['ccti', 'delay'], ['congested', 'fecns']],
    [
      'accurate',
      ['rate', 'current', 'desired'],
      ['fsr', 'm', 'b', 'bMax', 'oldFsr', 'oldM', 'oldB'],
    ],
  ])('%s shows %j of a flow and %j of a port', (name, ofFlow, ofPort) => {
    const scheme = schemeByName(name)!
    const { flowInternals, portInternals } = scheme.create(valuesOf(scheme), fakeContext())
    expect([flowInternals, portInternals]).toEqual([ofFlow, ofPort])
  })

  /** Bytes that each data packet and each ACK carries for the scheme, where that is any. */
  const headers: Partial<Record<string, readonly number[]>> = { hpcc: [42, 28], timely: [8, 0] }

  it.each(schemes.map((scheme) => [scheme.name, scheme] as const))(
    '%s asks packets for no more than it says that it needs',
    (name, scheme) => {
      const control = scheme.create(valuesOf(scheme), fakeContext())
      const needs = (what: (typeof scheme.needs)[number]): boolean => scheme.needs.includes(what)
      expect(control.telemetry).toBe(needs('telemetry'))
      expect(control.marking(10e9) !== undefined).toBe(needs('ecn'))
      // InfiniBand's switches mark by their own rule.
      expect(control.ecnCapable).toBe(needs('ecn') || name === 'infiniband')
      expect([control.dataHeaderBytes, control.ackHeaderBytes]).toEqual(headers[name] ?? [0, 0])
    },
  )
})
