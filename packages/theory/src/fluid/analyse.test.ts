import { describe, expect, it } from 'vitest'
import { schemeByName } from '@weir/schemes'
import { analyse, stabilityMap } from './analyse.ts'
import { dcqcnFluid } from './dcqcn.ts'
import { dctcpFluid } from './dctcp.ts'
import { fluidModels } from './registry.ts'
import { timelyFluid } from './timely.ts'
import { unitOf } from './units.ts'

const NETWORK = { rateBps: 40e9, flows: 10, delayPs: 20e6, packetBytes: 1000 }

describe('an analysis', () => {
  it('judges by the rightmost root, with margins and a plot where there is a fixed point', () => {
    const near = analyse(dcqcnFluid, NETWORK, dcqcnFluid.defaults)
    expect(near.stability!.isStable).toBe(true)
    expect(near.stability!.bode.omega.length).toBe(near.stability!.bode.phaseDegrees.length)
    const far = analyse(dcqcnFluid, { ...NETWORK, delayPs: 150e6 }, dcqcnFluid.defaults)
    expect(far.stability!.isStable).toBe(false)
    expect(far.stability!.margins.phaseDegrees).toBeLessThan(0)
  })

  it('has nothing to judge where there is none', () => {
    expect(analyse(timelyFluid, NETWORK, timelyFluid.defaults).stability).toBeUndefined()
  })

  it('maps flows and delays: stable, unstable, or off the slope', () => {
    const map = stabilityMap(dcqcnFluid, NETWORK, dcqcnFluid.defaults, [2, 10, 40], [4e6, 150e6])
    expect(map.map(({ verdict }) => verdict)).toEqual([
      ...['stable', 'stable', 'none'],
      ...['unstable', 'unstable', 'none'],
    ])
    expect(map[3]!.omega).toBeGreaterThan(1000)
    const limit = stabilityMap(dctcpFluid, NETWORK, dctcpFluid.defaults, [2], [4e6])
    expect(limit[0]!.verdict).toBe('none')
  })
})

describe('units of parameters', () => {
  it('are those of the schemes, name by name', () => {
    for (const { name, defaults } of fluidModels) {
      const params = schemeByName(name)?.params ?? {}
      for (const [key, param] of Object.entries(params)) {
        if (!(key in defaults)) continue
        const isPlain = !['time', 'size', 'rate'].includes(param.unit)
        expect(unitOf(key), `${name} ${key}`).toBe(isPlain ? undefined : param.unit)
      }
    }
  })
})

describe('fluid models', () => {
  it.each(fluidModels)("$name has the names and defaults of its scheme's parameters", (model) => {
    const scheme = schemeByName(model.name)
    for (const [name, value] of scheme === undefined ? [] : Object.entries(model.defaults)) {
      if (model.own !== undefined && name in model.own) continue
      expect(scheme!.params[name]?.default, name).toBe(value)
    }
  })
})
