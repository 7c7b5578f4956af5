import { Random } from '@weir/engine'
import { expect, it } from 'vitest'
import { conforms, packetPath } from './conforms.ts'
import { packetSpray } from './packet-spray.ts'
import { chiSquare, leafSpine, stops, torus } from './testing.ts'

conforms(packetSpray, { shortest: true })

it('spreads the packets of one flow evenly over the spines', () => {
  const graph = leafSpine(2, 16, 1)
  const routing = packetSpray.create(graph, { evenOver: 'ports' })
  const random = new Random(1, 'spray')
  const counts = new Array<number>(16).fill(0)
  for (let packet = 0; packet < 16_000; packet++) {
    const spine = stops(graph, packetPath(graph, routing, 0, 1, random))[1]!
    counts[Number(spine.slice('spine'.length))]!++
  }
  // The quantile at 0.999 of chi-square with 15 degrees of freedom.
  expect(chiSquare(counts)).toBeLessThan(37.7)
})

it('uses both ways around a square equally, as Figure 3 of R2C2 has it', () => {
  const graph = torus(2, 2)
  const routing = packetSpray.create(graph, { evenOver: 'ports' })
  const random = new Random(2, 'spray')
  const by = { 'n0.1': 0, 'n1.0': 0 }
  for (let packet = 0; packet < 4000; packet++)
    by[stops(graph, packetPath(graph, routing, 0, 3, random))[1] as keyof typeof by]++
  expect(chiSquare(Object.values(by))).toBeLessThan(10.83)
})

it('draws only where there is a choice', () => {
  const graph = leafSpine(2, 1, 2)
  const routing = packetSpray.create(graph, { evenOver: 'ports' })
  const random = new Random(3, 'spray')
  packetPath(graph, routing, 0, 3, random)
  expect(random.uint32()).toBe(new Random(3, 'spray').uint32())
})
