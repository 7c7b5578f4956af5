import { expect, it } from 'vitest'
import { flowsAsRows } from './flows-as-csv.ts'
import { parseFlowsCsv } from './flows-csv.ts'

it('writes flows that are read back as they were', () => {
  const flows = parseFlowsCsv(
    `name,from,to,size,start,stop,path,class,weight
a,h0,h1,64KB,1.5us,,,,
b,h1,h0,,0us,2.000001ms,leaf0 spine1,3,0.25
,h2,h0,1B,9007199254740991ps,,,,7`,
    'flows.csv',
  )
  const text = [...flowsAsRows(flows)].map((row) => row.join(',')).join('\n')
  expect(parseFlowsCsv(text, 'again.csv')).toEqual(flows)
})
