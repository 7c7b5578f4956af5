import { describe, expect, it } from 'vitest'
import { drawsAsked, drawsText, drawWords } from './draw-options.ts'
import { readScenario, validSpec } from './scenario.ts'
import { schemes } from '@weir/schemes'
import { pathsIn, readVariants as read, variantSettings } from './variants.ts'

const known = schemes.map(({ name }) => name)
const readVariants = (text: string) => read(text, known)

async function specOf(label: string, set: readonly string[] = []) {
  const [variant] = readVariants(label)
  return validSpec(await readScenario('incast'), variantSettings(variant!, { set }))
}

describe('variants of schemes', () => {
  it('are schemes, presets and values', async () => {
    const [plain, preset, values] = readVariants('hpcc, dcqcn:firmware,dcqcn:g=1/16:clamp=no')
    expect(plain).toEqual({ label: 'hpcc', scheme: 'hpcc', preset: undefined, params: [] })
    expect(preset).toMatchObject({ label: 'dcqcn:firmware', preset: 'firmware', params: [] })
    expect(values).toMatchObject({ preset: undefined, params: ['g=1/16', 'clamp=no'] })
  })

  it('make specs that differ by just that', async () => {
    const [plain, firmware, own] = [
      await specOf('dcqcn'),
      await specOf('dcqcn:firmware'),
      await specOf('dcqcn:firmware:g=1/16'),
    ]
    expect(firmware.scheme.preset).toBe('firmware')
    expect(firmware.scheme.params).not.toEqual(plain.scheme.params)
    expect(own.scheme.params).toEqual({ ...firmware.scheme.params, g: 1 / 16 })
    expect({ ...own, scheme: plain.scheme }).toEqual(plain)
  })

  it('keep what --set says of everything else', async () => {
    const spec = await specOf('dcqcn:firmware', ['run.until=3ms'])
    expect(spec.run.untilPs).toBe(3e9)
    expect(spec.scheme.preset).toBe('firmware')
  })

  it('are refused where a name, a preset or a parameter is misspelt', async () => {
    expect(() => readVariants('dcqnc:firmware')).toThrow("did you mean 'dcqcn'?")
    expect(() => readVariants('dcqcn:a:b')).toThrow('at most one preset')
    expect(() => readVariants('dcqcn:')).toThrow('at most one preset')
    expect(() => readVariants(',')).toThrow('names none')
    await expect(specOf('dcqcn:firmwar')).rejects.toThrow(/firmware/)
    await expect(specOf('dcqcn:gg=1')).rejects.toThrow(/"gg".*did you mean g\?/)
  })
})

describe('schemes of one own among them', () => {
  it('are files, and rows by the names of their schemes', () => {
    expect(pathsIn('dcqcn,./mine.ts:step=5e6,../x/yours.mjs,hpcc:x=1')).toEqual([
      ...['./mine.ts', '../x/yours.mjs'],
    ])
    const own = new Map([['./mine.ts', ['mine', 'other']]])
    const rows = read('dcqcn,./mine.ts:step=5e6,dcqcn', [...known, 'mine', 'other'], own)
    expect(rows.map(({ label }) => label)).toEqual(['dcqcn', 'mine:step=5e6', 'other:step=5e6'])
    expect(rows[1]).toMatchObject({ scheme: 'mine', params: ['step=5e6'] })
  })
})

describe('draws', () => {
  it('are seeds, or repeats, and not both', () => {
    expect(drawsAsked({})).toEqual({ kind: 'seeds', count: 1 })
    expect(drawsAsked({ seeds: 5 })).toEqual({ kind: 'seeds', count: 5 })
    expect(drawsAsked({ repeat: 3 })).toEqual({ kind: 'repeats', count: 3 })
    expect(() => drawsAsked({ seeds: 2, repeat: 3 })).toThrow('give one of them')
  })

  it('are said in headings and in the command that repeats them', () => {
    expect(drawsText(7, { kind: 'seeds', count: 1 })).toBe('seed 7')
    expect(drawsText(7, { kind: 'seeds', count: 5 })).toMatch(/^seeds 7 to 11: mean/)
    expect(drawsText(7, { kind: 'repeats', count: 5 })).toMatch(/^seed 7, 5 repeats/)
    expect([...drawWords({ seeds: 5 }), ...drawWords({ repeat: 2 })]).toEqual([
      ...['--seeds', '5', '--repeat', '2'],
    ])
  })
})
