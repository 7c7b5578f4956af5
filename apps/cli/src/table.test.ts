import { describe, expect, it } from 'vitest'
import { fitted, reflowed, renderTable } from './table.ts'

const columns = [
  { title: 'scheme', align: 'left' },
  { title: 'p99', align: 'right' },
  { title: 'fingerprint', align: 'left', dropOrder: 1 },
] as const

describe('renderTable', () => {
  it('aligns names left and numbers right', () => {
    const rows = [[{ text: 'a' }, { text: '1.5' }, { text: 'ff' }]]
    expect(renderTable(columns, rows)).toBe(
      'scheme  p99  fingerprint\n------  ---  -----------\na       1.5  ff\n',
    )
  })

  it('leaves out what may be left out when the terminal is narrow', () => {
    expect(renderTable(columns, [], 20)).toBe('scheme  p99\n------  ---\n')
  })

  it('pads before it paints, so that colours do not shift columns', () => {
    const rows = [[{ text: 'a', paint: (text: string) => `<${text}>` }, { text: '1' }]]
    expect(renderTable(columns.slice(0, 2), rows)).toContain('<a     >    1')
  })
})

describe('fitted', () => {
  it('breaks prose between words, to the right of its label', () => {
    expect(fitted('of all flows together, and a word', 20)).toBe(
      'of all flows\ntogether, and a word',
    )
    expect(fitted('qcn  skipped: it needs credits and a buffer', 26)).toBe(
      'qcn  skipped: it needs\n     credits and a buffer',
    )
  })

  it('leaves tables and pipes alone, and keeps the colour of a line', () => {
    const row = 'dcqcn  32/34  21.0  1.72 ms'
    expect(fitted(row, 10)).toBe(row)
    const prose = 'words that go on and on and on'
    expect(fitted(prose, Infinity)).toBe(prose)
    expect(fitted(`\u001b[2m${prose}\u001b[22m`, 20)).toBe(
      '\u001b[2mwords that go on and\u001b[0m\n\u001b[2mon and on\u001b[0m',
    )
  })
})

describe('reflowed', () => {
  it('breaks paragraphs and items anew, and leaves code and tables as they are', () => {
    const page = [
      'A paragraph that was',
      'broken for a page.',
      '',
      '- an item of a list that',
      '  goes on',
      '',
      '    R <- R_C (1 - alpha / 2)',
      '| a | table |',
      '```',
      'as',
      'it is',
      '```',
    ]
    expect(reflowed(page.join('\n'), 24).split('\n')).toEqual([
      'A paragraph that was',
      'broken for a page.',
      '',
      '- an item of a list that',
      '  goes on',
      ...page.slice(5),
    ])
    expect(reflowed(page.join('\n'), 48).split('\n').slice(0, 4)).toEqual([
      'A paragraph that was broken for a page.',
      '',
      '- an item of a list that goes on',
      '',
    ])
    expect(reflowed(page.join('\n'), Infinity)).toBe(page.join('\n'))
  })
})
