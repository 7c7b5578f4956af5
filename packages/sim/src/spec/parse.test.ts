import { describe, expect, it } from 'vitest'
import { parseText } from './parse.ts'

const TEXT = `topology:
  kind: star
  hosts: 4
workload:
  - flows:
      - {from: h0, to: h1}
scheme: dcqcn
`

describe('parseText', () => {
  it('reads YAML and JSON to the same tree', () => {
    const json = '{"a": [1, "x", true], "b": {"c": null}}'
    expect(parseText(json, 'a.json').tree).toEqual(JSON.parse(json))
    expect(parseText('a: [1, x, true]\nb:\n  c:\n', 'a.yaml').tree).toEqual(JSON.parse(json))
  })

  it('knows the place of a value and of its key', () => {
    const { locate } = parseText(TEXT, 'a.yaml')
    expect(locate(['topology', 'hosts'])).toEqual({ line: 3, column: 10 })
    expect(locate(['topology', 'hosts'], 'key')).toEqual({ line: 3, column: 3 })
    expect(locate(['workload', 0, 'flows', 0, 'to'])).toEqual({ line: 6, column: 24 })
  })

  it('places a missing key at its section, and inside a short form at its word', () => {
    const { locate } = parseText(TEXT, 'a.yaml')
    expect(locate(['topology', 'rate'])).toEqual({ line: 1, column: 1 })
    expect(locate(['scheme', 'params', 'g'])).toEqual({ line: 7, column: 9 })
    expect(locate(['fabric'])).toEqual({ line: 1, column: 1 })
  })

  it('follows anchors', () => {
    const { tree } = parseText('a: &x {k: 1}\nb: *x\n', 'a.yaml')
    expect(tree).toEqual({ a: { k: 1 }, b: { k: 1 } })
  })

  it('refuses a text that would grow without bound', () => {
    let text = 'a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n'
    for (let i = 1; i < 8; i++) {
      text += `a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]\n`
    }
    expect(() => parseText(text, 'bomb.yaml')).toThrow(/bomb\.yaml: .*; write the values out/u)
  })
})
