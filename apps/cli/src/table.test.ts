import { describe, expect, it } from 'vitest'
import { renderTable } from './table.ts'

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
