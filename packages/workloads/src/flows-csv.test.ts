import { describe, expect, it } from 'vitest'
import { parseFlowsCsv } from './flows-csv.ts'

describe('parseFlowsCsv', () => {
  it('reads the four columns and fills in the rest', () => {
    expect(parseFlowsCsv('from,to,size,start\nh0,h1,64KB,1.5us\n', 'a.csv')).toEqual([
      {
        name: 'f0',
        from: 'h0',
        to: 'h1',
        sizeBytes: 64_000,
        startPs: 1_500_000,
        stopPs: 0,
        path: [],
        class: -1,
        weight: 1,
      },
    ])
  })

  it('reads every column in any order, with quotes, comments, spaces and CRLF', () => {
    const text =
      '\ufeff# made by hand\r\nname, start, From, to, size, stop, class, path, weight\r\n\r\n' +
      '"the ""long"", one", 0, h0, h1, , 2 ms, 3, leaf0 spine1;leaf2, 0.5'
    expect(parseFlowsCsv(text, 'a.csv')).toEqual([
      {
        name: 'the "long", one',
        from: 'h0',
        to: 'h1',
        sizeBytes: 0,
        startPs: 0,
        stopPs: 2e9,
        path: ['leaf0', 'spine1', 'leaf2'],
        class: 3,
        weight: 0.5,
      },
    ])
  })

  it('reads thousands of rows', () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `h${i % 16},h${(i + 1) % 16},1KB,${i}us`)
    const flows = parseFlowsCsv(['from,to,size,start', ...rows].join('\n'), 'a.csv')
    expect(flows).toHaveLength(5000)
    expect(flows[4999]).toMatchObject({ name: 'f4999', startPs: 4_999_000_000 })
  })

  const head = 'from,to,size,start'
  it.each([
    ['', 'a.csv is empty; begin with the row'],
    ['from,to,size', "a.csv, line 1: the column 'start' is missing"],
    ['from,to,size,start,colour', "line 1: there is no column 'colour'; the first row names the"],
    ['from;to;size;start', "line 1: cells are separated by ';'; separate them by commas"],
    ['from\tto\tsize\tstart', 'line 1: cells are separated by tabs; separate them by commas'],
    ['\u007fELF\u0001', "line 1: there is no column '\ufffdelf\ufffd'"],
    ['from,to,size,start,to', "the column 'to' is there twice"],
    [`${head}\nh0,h1,1KB`, 'a.csv, line 2: there are 3 cells for 4 columns'],
    [`${head}\n\nh0,h1,64Kb,0`, "a.csv, line 3, column size: '64Kb' counts bits"],
    [`${head}\nh0,h1,1KB,`, "a.csv, line 2, column start: '' is not a time"],
    [`${head}\nh0,h1,1KB,5`, "column start: '5' has no unit"],
    [`${head}\nh0,h0,1KB,0`, "a.csv, line 2: the flow goes from 'h0' to itself"],
    [`${head}\nh0,,1KB,0`, "a flow needs a host in 'from' and in 'to'"],
    [`${head}\n"h0,h1,1KB,0`, 'line 2: a quote is not closed'],
    [`${head},stop\nh0,h1,1KB,5us,2us`, 'line 2: the flow stops before it starts'],
    [
      `${head},class\nh0,h1,1KB,0,16`,
      "line 2, column class: '16' is no class; write one from 0 to 15",
    ],
    [`${head},weight\nh0,h1,1KB,0,-1`, "line 2, column weight: '-1' is no weight"],
  ])('refuses %j with the line and the remedy', (text, message) => {
    expect(() => parseFlowsCsv(text, 'a.csv')).toThrow(message)
  })
})
