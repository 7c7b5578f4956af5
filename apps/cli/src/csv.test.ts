import { loadSpec, simulate } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { flowsCsv } from './csv.ts'

describe('flows as CSV', () => {
  it('leaves the size of a flow without end empty, as a file of flows writes it', () => {
    const { flows } = simulate(
      loadSpec({
        text: `
topology: {kind: star, hosts: 2}
workload: [{flows: [{from: h0, to: h1, name: long}, {from: h1, to: h0, name: short, size: 1KB}]}]
scheme: none
run: {until: 20us}
`,
      }),
    )
    const [head, ...rows] = [...flowsCsv(flows)].join('').trim().split('\n')
    const column = head!.split(',').indexOf('sizeBytes')
    expect(rows.map((row) => row.split(',')[column])).toEqual(['', '1000'])
  })
})
