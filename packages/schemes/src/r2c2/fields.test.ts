import { Random } from '@weir/engine'
import type { Announcement } from '@weir/rack'
import { TYPE_DIGEST, TYPE_FINISH, TYPE_ROUTES, TYPE_START } from '@weir/rack'
import { expect, it } from 'vitest'
import {
  addressesOf,
  codeOf,
  newHeard,
  PAIRS_PER_PACKET,
  readAnnouncement,
  readRoutes,
  readSnapshot,
  routeFields,
  snapshotFields,
  sourceOf,
  treeOfCode,
  typeOfCode,
  wordOf,
} from './fields.ts'

function anyAnnouncement(random: Random): Announcement {
  const type = ([TYPE_START, TYPE_FINISH, TYPE_DIGEST] as const)[random.below(3)]!
  const isUnlimited = type === TYPE_START && random.below(2) === 0
  return {
    type,
    priority: random.below(16),
    tree: random.below(16),
    protocol: random.below(16),
    source: random.below(65536),
    target: random.below(65536),
    flow: random.below(65536),
    demandKbps: isUnlimited ? Infinity : random.below(2 ** 32 - 1),
    weightCode: random.below(256),
    sequence: random.below(256),
  }
}

it('three numbers say all that an announcement does', () => {
  const random = new Random(1, 'fields')
  const heard = newHeard()
  for (let i = 0; i < 500; i++) {
    const a = anyAnnouncement(random)
    const [code, addresses] = [codeOf(a), addressesOf(a)]
    readAnnouncement(code, addresses, wordOf(a), heard)
    expect(heard).toEqual(a)
    expect([typeOfCode(code), treeOfCode(code)]).toEqual([a.type, a.tree])
    expect(sourceOf(code, addresses)).toBe(a.source)
  }
})

it('and three say which routes two flows have', () => {
  const random = new Random(3, 'fields')
  for (let i = 0; i < 500; i++) {
    const choices = Array.from({ length: 1 + random.below(PAIRS_PER_PACKET) }, () => ({
      source: random.below(65536),
      flow: random.below(65536),
      protocol: random.below(16),
    }))
    const [source, tree] = [random.below(65536), random.below(16)]
    const [code, a, b] = routeFields(source, tree, choices)
    expect(readRoutes(code, a, b)).toEqual(choices)
    expect([typeOfCode(code), treeOfCode(code)]).toEqual([TYPE_ROUTES, tree])
    expect(sourceOf(code, a)).toBe(source)
  }
})

it('and three say what a part of a snapshot does', () => {
  const random = new Random(2, 'fields')
  for (let i = 0; i < 500; i++) {
    const flow = { ...anyAnnouncement(random), type: TYPE_START, tree: 0, sequence: 0 } as const
    const part = { number: random.below(2 ** 24), part: random.below(65536), parts: 65535, flow }
    expect(readSnapshot(flow.source, ...snapshotFields(part))).toEqual(part)
  }
})
