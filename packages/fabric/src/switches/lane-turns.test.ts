import { expect, it } from 'vitest'
import type { Fabric } from '../fabric.ts'
import { LaneTurns } from './lane-turns.ts'

it('turns of lanes are kept for each output and each input of its node, and no other', () => {
  // Ports 0 and 2 leave a node with three ports, port 1 one with two.
  const fabric = {
    ports: { count: 3, from: Int32Array.of(0, 1, 0) },
    portsOf: [Int32Array.of(0, 2, 4), Int32Array.of(1, 3)],
  } as unknown as Fabric
  const turns = new LaneTurns(fabric)
  const all = (): number[][] => [0, 1, 2].map((port) => [...turns.ofPort(port)])
  expect(all()).toEqual([
    [0, 0, 0],
    [0, 0],
    [0, 0, 0],
  ])
  const inputs = [3, 2, 3]
  inputs.forEach((count, port) => {
    for (let input = 0; input < count; input++) turns.took(port, input, 4 * port + input + 1)
  })
  expect(all()).toEqual([
    [1, 2, 3],
    [5, 6],
    [9, 10, 11],
  ])
  inputs.forEach((count, port) => {
    for (let input = 0; input < count; input++) {
      expect(turns.last(port, input)).toBe(4 * port + input + 1)
    }
  })
  turns.took(1, 1, 15)
  expect([turns.last(1, 1), turns.last(1, 0), turns.last(2, 0)]).toEqual([15, 5, 9])
})
