import { describe, expect, it } from 'vitest'
import { buildNetwork } from '../network.ts'
import { loadSpec } from './load.ts'
import { printSpec } from './print.ts'
import { SpecError } from './spec-error.ts'
import type { ValidSpec } from './valid-spec.ts'

const START =
  'topology: {kind: leaf-spine, leaves: 2, spines: 1, hostsPerLeaf: 1, hostRate: 25Gbps, ' +
  'fabricRate: 100Gbps}\nworkload: [{flows: [{from: h0, to: h1, size: 1MB}]}]\n'
const load = (text: string): ValidSpec =>
  loadSpec({ text: `${START}${text}`, sourceName: 'marking.yaml' })

function refusal(text: string): string {
  try {
    load(text)
  } catch (error) {
    if (error instanceof SpecError) return error.message
    throw error
  }
  return 'accepted'
}

const RED = 'fabric: {ecn: {kind: red, kmin: 100KB, kmax: 400KB}}\n'

describe("a scheme's parameters of marking", () => {
  it.each([
    ['dcqcn', 'kmin', '5KB', RED],
    ['dcqcn', 'markAt', 'dequeue', RED],
    ['dcqcn', 'referenceRate', '25Gbps', 'fabric: {ecn: {kind: threshold, k: 9KB}}\n'],
    ['dctcp', 'k10', '97KB', RED],
    ['tcp-reno', 'pmax', '0.1', 'fabric: {ecn: none}\n'],
  ])('of %s: %s is refused where fabric.ecn speaks', (scheme, name, value, fabric) => {
    const text = `scheme: {name: ${scheme}, params: {${name}: ${value}}}\n`
    expect(refusal(text)).toBe('accepted')
    expect(refusal(`${text}${fabric}`)).toMatch(
      new RegExp(
        `^marking\\.yaml:3:\\d+: scheme\\.params\\.${name}: fabric\\.ecn is \\w+ and says itself ` +
          `how switches mark, so ${name} would have no effect; leave ${name} out, ` +
          'or write ecn: auto$',
      ),
    )
  })

  it('must have kmin at or below kmax, whichever of them is written', () => {
    const sentence = (param: string, low: string, high: string): string =>
      `scheme.params.${param}: kmin (${low}) is above kmax (${high}); write kmin below or at kmax`
    const of = (params: string): string => refusal(`scheme: {name: dcqcn, params: {${params}}}\n`)
    expect(of('kmin: 300KB')).toContain(sentence('kmin', '300KB', '200KB'))
    expect(of('kmax: 4KB')).toContain(sentence('kmax', '5KB', '4KB'))
    expect(of('kmin: 200KB')).toBe('accepted')
    expect(of('kmin: 300KB, kmax: 301KB')).toBe('accepted')
    expect(refusal('scheme: {name: timely, params: {tLow: 1ms}}\n')).toContain(
      'above tHigh (500us)',
    )
  })

  it('are left out of the printed text where fabric.ecn speaks, which reads back the same', () => {
    const spec = load(`${RED}scheme: {name: dcqcn, preset: firmware}\n`)
    const text = printSpec(spec)
    expect(text).not.toContain('markAt')
    expect(loadSpec({ text, sourceName: 'again.yaml' })).toEqual(spec)
    expect(printSpec(load('scheme: {name: dcqcn, preset: firmware}\n'))).toContain('markAt')
  })
})

describe('referenceRate of a threshold', () => {
  /** K of each port of a switch, by its rate in Gb/s. */
  function thresholds(ecn: string): Map<number, number> {
    const spec = load(`fabric: {ecn: {kind: threshold, ${ecn}}}\n`)
    const { fabric } = buildNetwork(spec, { onFlowEnd: () => undefined })
    const { inventory, ports } = fabric
    const found = new Map<number, number>()
    for (let port = 0; port < ports.count; port++) {
      if (ports.fromHost[port] === 1) continue
      found.set(ports.rateBps[port]! / 1e9, inventory.marksAbove(port))
    }
    return found
  }

  it('scales K with the rate of a link; without it K is the same everywhere', () => {
    expect(thresholds('k: 30KB, referenceRate: 10Gbps')).toEqual(
      new Map([
        [25, 75_000],
        [100, 300_000],
      ]),
    )
    expect(thresholds('k: 30KB').get(100)).toBe(30_000)
    expect(thresholds('k: 30KB').get(25)).toBe(30_000)
    const spec = load('fabric: {ecn: {kind: threshold, k: 30KB, referenceRate: 10Gbps}}\n')
    expect(loadSpec({ text: printSpec(spec), sourceName: 'again.yaml' })).toEqual(spec)
  })
})
