import fc from 'fast-check'
import { ContentionPoint } from '@weir/fabric'
import type { PortContext } from '@weir/fabric'
import { none, schemes } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { createRun, simulate } from './run.ts'
import type { Run } from './run.ts'
import { anySpec, mindingItsOwn, specOf } from './testing/index.ts'

const CASES = Number(process.env.CASES ?? 0) || 60
const SEED = Number(process.env.SEED ?? 0) || 11
const MINUTES = 300_000

function finish(run: Run): Run {
  while (run.advance(1e6)) continue
  return run
}

const traffic = {
  topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2 },
  workload: [
    { flows: [0, 1, 2].map((i) => ({ from: `h${i}`, to: 'h3', size: '60KB', start: `${i}us` })) },
  ],
  run: { until: '3ms' },
}

describe('every node', () => {
  it('touches its own state only, whatever the fabric', { timeout: MINUTES }, () => {
    fc.assert(
      fc.property(anySpec(), (spec) => {
        const { fingerprint } = finish(mindingItsOwn(createRun(spec))).result()
        expect(fingerprint).toBe(simulate(spec).fingerprint)
      }),
      { numRuns: CASES, seed: SEED, endOnFailure: true },
    )
  })

  for (const { name } of schemes) {
    it(`touches its own state only under ${name}`, () => {
      const credits = { switch: 'input-buffered', flowControl: 'credits' }
      const fabric = name === 'infiniband' ? { fabric: credits } : {}
      const spec = specOf({ ...traffic, ...fabric, scheme: name })
      const { fingerprint } = finish(mindingItsOwn(createRun(spec))).result()
      expect(fingerprint).toBe(simulate(spec).fingerprint)
    })
  }
})

describe('a node that touches another', () => {
  /** Contention points that look, at their ports, at what `look` finds among all of them. */
  const looking = (look: (ports: readonly PortContext[], own: PortContext) => void): Scheme => {
    const ports: PortContext[] = []
    return {
      ...none,
      create: (values, setting) => ({
        ...none.create(values, setting),
        contention: (port) => {
          ports.push(port)
          return new (class extends ContentionPoint {
            readonly sees = 'arrivals'
            override onArrival(): void {
              look(ports, port)
            }
          })()
        },
      }),
    }
  }
  const node = (port: PortContext): string => port.name.split('->')[0]!
  const run = (scheme: Scheme): Run => finish(mindingItsOwn(createRun(specOf(traffic), scheme)))

  it('is found: a switch that reads the queue of another', () => {
    const scheme = looking((ports, own) => {
      ports.find((port) => node(port) !== node(own))!.queueBytesAll()
    })
    expect(() => run(scheme)).toThrow(/ touches .*'s (int|float)/)
  })

  it('is none where a switch reads its own ports', () => {
    const scheme = looking((ports, own) => {
      for (const port of ports) if (node(port) === node(own)) port.queueBytesAll()
    })
    expect(() => run(scheme)).not.toThrow()
  })

  it("is found: a host that looks at the other half of its flow, and one at another's", () => {
    const watched = mindingItsOwn(createRun(specOf(traffic)))
    const { hosts } = watched.network
    const { onNic } = hosts
    hosts.onNic = (host, nowPs) => {
      onNic.call(hosts, host, nowPs)
      const own = hosts.flows.find((flow) => flow?.source === host)
      if (own !== undefined) void own.receiver.expected
    }
    expect(() => finish(watched)).toThrow(/touches .*'s receiver\.expected/)
  })
})
