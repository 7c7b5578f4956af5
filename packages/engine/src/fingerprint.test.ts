import { expect, test } from 'vitest'
import { Fingerprint } from './fingerprint.ts'

type Seen = readonly [node: number, timePs: number, x: number, y: number]

function of(nodes: number, seen: readonly Seen[]): string {
  const fingerprint = new Fingerprint(nodes)
  for (const [node, timePs, x, y] of seen) fingerprint.add(node, timePs, x, y)
  return fingerprint.toString()
}

test('nodes may act in any order among each other, but each in its own', () => {
  const inTurn = of(2, [
    [0, 100, 1, 7],
    [1, 100, 2, 8],
    [0, 200, 3, 9],
    [1, 150, 4, 5],
  ])
  const nodeByNode = of(2, [
    [1, 100, 2, 8],
    [1, 150, 4, 5],
    [0, 100, 1, 7],
    [0, 200, 3, 9],
  ])
  expect(nodeByNode).toBe(inTurn)
  const otherOrder = of(2, [
    [0, 200, 3, 9],
    [0, 100, 1, 7],
    [1, 100, 2, 8],
    [1, 150, 4, 5],
  ])
  expect(otherOrder).not.toBe(inTurn)
})

test('every part of what is seen counts: node, time, port and packet', () => {
  const seen: readonly Seen[] = [
    [0, 100, 1, 7],
    [1, 100, 1, 7],
    [0, 101, 1, 7],
    [0, 100, 2, 7],
    [0, 100, 1, 8],
    [0, 100 + 2 ** 31, 1, 7],
  ]
  expect(new Set(seen.map((one) => of(2, [one]))).size).toBe(seen.length)
})

test('two nodes that see what the other saw are told apart', () => {
  const one = of(2, [
    [0, 100, 1, 7],
    [1, 200, 2, 8],
  ])
  const changed = of(2, [
    [1, 100, 1, 7],
    [0, 200, 2, 8],
  ])
  expect(changed).not.toBe(one)
})

test('what one node saw has a print of its own, which others do not change', () => {
  const fingerprint = new Fingerprint(2)
  fingerprint.add(0, 100, 1, 7)
  const before = fingerprint.ofNode(0)
  fingerprint.add(1, 100, 1, 7)
  expect(fingerprint.ofNode(0)).toBe(before)
  expect(fingerprint.ofNode(1)).not.toBe(before)
})
