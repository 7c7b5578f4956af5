/**
 * Random fabrics that may lock up: rings, tori and, where they cannot, trees, under every kind of
 * flow control, by both switch organisations. A case is a number: the same number, the same spec.
 *
 * Runs are cut off at any moment, so that verdicts are also asked for while everything moves, and
 * some of their flows have no end.
 */
import { Random } from '@weir/engine'
import { cubeCoordinates } from '@weir/fabric'
import type { ValidSpec } from '../spec/valid-spec.ts'
import { tighten } from './random-specs.ts'
import { graphOf, specOf } from './specs.ts'
import type { Tree } from './specs.ts'

export const families = ['ring', 'tree', 'torus'] as const
export const controls = ['pfc, static', 'pfc, dynamic', 'pause', 'credits'] as const
export type Family = (typeof families)[number]
export type Control = (typeof controls)[number]

/** Case `n` of a family under a flow control. */
export function lockableSpec(family: Family, control: Control, n: number): ValidSpec {
  const random = new Random(n, `${family}, ${control}`)
  const pick = <T>(...choices: readonly T[]): T => choices[random.below(choices.length)] as T
  const between = (least: number, most: number): number => least + random.below(most - least + 1)
  const draw: Draw = { random, pick, between }
  const classes = control === 'pause' ? 1 : pick(1, 1, 2, 3)
  const { topology, flows } = (
    { ring: ringOf, tree: treeOf, torus: torusOf } satisfies Record<Family, unknown>
  )[family](draw)
  const ofEach = pick('with a size', 'with a size', 'endless', 'some of each')
  const until = pick(between(60, 300), between(60, 1_000), 1_000)
  const written = flows.map((flow) => {
    const isEndless = ofEach === 'endless' || (ofEach === 'some of each' && pick(true, false))
    return {
      ...flow,
      ...(!isEndless && { size: `${pick(between(1, 3_000), between(1, 150) * 1_000)}B` }),
      start: `${pick(0, between(0, 50_000_000))}ps`,
      class: random.below(classes),
    }
  })
  // In a tree only shortest ways are sure to close no cycle of waiting.
  const detour = family === 'tree' ? 'ecmp' : 'vlb'
  const spec = specOf({
    topology,
    fabric: fabricOf(draw, control, classes),
    hosts: hostsOf(draw, classes),
    workload: [{ flows: written }],
    routing: pick('ecmp', 'ecmp', 'shortest-path', 'packet-spray', 'reps', 'paths-in-turn', detour),
    seed: n,
    run: { until: `${until}us` },
  })
  return tighten(spec, between(3_000, 60_000))
}

/**
 * Case `n` of a ring or a torus (of three dimensions and 16 classes: a cube) whose flows go through
 * the dimensions in order, with datelines or the same without: large flows from everywhere, which
 * fill small buffers and stay.
 */
export function datelineSpec(
  family: 'ring' | 'torus' | 'cube',
  control: Exclude<Control, 'pause'>,
  n: number,
  lanes: 'dateline' | 'none',
): ValidSpec {
  const random = new Random(n, `datelines of a ${family}, ${control}`)
  const pick = <T>(...choices: readonly T[]): T => choices[random.below(choices.length)] as T
  const between = (least: number, most: number): number => least + random.below(most - least + 1)
  const draw: Draw = { random, pick, between }
  const dimensions =
    family === 'ring'
      ? [between(3, 6)]
      : family === 'cube'
        ? [3, 3, 3]
        : pick([3, 3], [4, 2], [3, 4], [5, 3])
  const classes = family === 'cube' ? 16 : 8
  const topology = {
    kind: 'torus',
    dimensions,
    rate: pick('10Gbps', '7Gbps'),
    delay: pick('1us', '203ns', '10us'),
  }
  const nodes = dimensions.reduce((product, size) => product * size, 1)
  const fabric = fabricOf(draw, control, classes)
  const { mtu, injection } = hostsOf(draw, classes)
  const acks = { every: pick(1, 2), size: '60B', class: family === 'ring' ? 'data' : 'control' }
  const spec = specOf({
    topology,
    fabric: { ...fabric, lanes },
    hosts: { mtu, injection, ack: pick<unknown>('none', acks), dataClass: 0 },
    workload: [{ flows: upTo(2 * nodes).map((k) => inOrder(draw, dimensions, k % nodes)) }],
    seed: n,
    run: { until: '1ms' },
  })
  return tighten(spec, between(3_000, 60_000))
}

/** A flow from a node to another: one dimension after the other, either way round. */
function inOrder({ pick, random }: Draw, dimensions: readonly number[], from: number): Tree {
  const at = cubeCoordinates(from, dimensions)
  const nameOf = (kind: string): string => `${kind}${at.join('.')}`
  const source = nameOf('h')
  const path = [nameOf('n')]
  dimensions.forEach((size, d) => {
    const step = size > 2 ? pick(1, 1, 1, size - 1) : 1
    const isLast = d === dimensions.length - 1 && path.length === 1
    const steps = isLast ? 1 + random.below(size - 1) : random.below(size)
    for (let k = 0; k < steps; k++) {
      at[d] = (at[d]! + step) % size
      path.push(nameOf('n'))
    }
  })
  return { from: source, to: nameOf('h'), path, size: `${pick(200, 1_000)}KB` }
}

interface Draw {
  readonly random: Random
  pick<T>(...choices: readonly T[]): T
  between(least: number, most: number): number
}

interface Traffic {
  readonly topology: Tree
  readonly flows: readonly Tree[]
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

/** Hosts of a ring send round it, most of them the same way. */
function ringOf({ random, pick, between }: Draw): Traffic {
  const size = between(3, 6)
  const links = upTo(size).flatMap((i) => [`h${i} s${i}`, `s${i} s${(i + 1) % size}`])
  const topology = graphOf(links, {
    rate: pick('10Gbps', '7Gbps'),
    delay: pick('1us', '203ns', '10us'),
  })
  const spread = pick(0, 1)
  const flows = upTo(between(size, 2 * size)).map((k) => {
    const from = k < size ? k : random.below(size)
    const isBackward = spread === 1 && random.below(4) === 0
    const steps = between(1, size - 1)
    const path = upTo(steps + 1).map((step) => {
      return `s${(from + (isBackward ? size - step : step)) % size}`
    })
    return { from: `h${from}`, to: `h${(path.at(-1) as string).slice(1)}`, path }
  })
  return { topology, flows }
}

/** A random tree of switches with two hosts each, and pairs at random or one target for all. */
function treeOf({ random, pick, between }: Draw): Traffic {
  const switches = between(1, 5)
  const links = [
    ...upTo(switches - 1).map((i) => `s${i + 1} s${random.below(i + 1)}`),
    ...upTo(2 * switches).map((i) => `h${i} s${i >> 1}`),
  ]
  const topology = graphOf(links, {
    rate: pick('10Gbps', '7Gbps'),
    delay: pick('1us', '203ns', '10us'),
  })
  const isIncast = pick(true, false)
  const flows = upTo(between(2, 3 * switches)).map(() => {
    const to = isIncast ? 0 : random.below(2 * switches)
    const from = (to + 1 + random.below(2 * switches - 1)) % (2 * switches)
    return { from: `h${from}`, to: `h${to}` }
  })
  return { topology, flows }
}

/** A small torus; by its routing, or by ways that take the dimensions in any order. */
function torusOf({ random, pick, between }: Draw): Traffic {
  const [width, height] = pick([3, 3], [4, 2], [4, 3], [5, 1]) as [number, number]
  const topology = {
    kind: 'torus',
    dimensions: [width, height],
    rate: pick('10Gbps', '7Gbps'),
    delay: pick('1us', '203ns', '10us'),
  }
  const hasWays = pick(true, true, false)
  const flows = upTo(between(width * height, width * height + 6)).map((k) => {
    let x = k % width
    let y = Math.floor(k / width) % height
    const from = `h${x}.${y}`
    const path = [`n${x}.${y}`]
    const stepX = pick(1, 1, width - 1)
    const stepY = pick(1, 1, height - 1)
    const steps = random.shuffle([
      ...upTo(between(1, width - 1)).map(() => 'x'),
      ...upTo(random.below(height)).map(() => 'y'),
    ])
    for (const step of steps) {
      if (step === 'x') x = (x + stepX) % width
      else y = (y + stepY) % height
      path.push(`n${x}.${y}`)
    }
    return { from, to: `h${x}.${y}`, ...(hasWays && { path }) }
  })
  return { topology, flows }
}

function fabricOf({ pick, between }: Draw, control: Control, classes: number): Tree {
  const isShared = control !== 'credits' && pick(true, true, false)
  const shared = {
    switch: isShared ? 'shared-memory' : 'input-buffered',
    forwarding: pick('store-and-forward', 'cut-through'),
    switchDelay: pick('0ns', '37ns'),
    scheduler: pick('strict', 'round-robin'),
    classes,
  }
  const inputQueue = pick('fifo', 'voq')
  if (control === 'credits') {
    const flowControl = { kind: 'credits', credit: pick('1B', '1B', '64B', '500B') }
    const size = `${pick(between(2_100, 6_000), between(2_100, 30_000))}B`
    return { ...shared, buffer: { size, inputQueue }, flowControl }
  }
  const kind = control === 'pause' ? 'pause' : 'pfc'
  const isDynamic = control === 'pfc, dynamic' || (kind === 'pause' && pick(true, false))
  const xoff = isDynamic
    ? { kind: 'dynamic', alpha: isShared ? pick('1/8', '1/2', '1', '4') : pick('1/8', '1/2') }
    : pick('2KB', '5KB', '20KB')
  const flowControl = { kind, xoff, xonGap: pick('0B', '1500B') }
  return {
    ...shared,
    buffer: isShared ? '60MB' : { size: '64KB', inputQueue },
    flowControl,
  }
}

function hostsOf({ pick, random }: Draw, classes: number): Tree {
  return {
    mtu: pick('1000B', '1000B', '256B'),
    ack: pick<unknown>('none', { every: pick(1, 2), size: '60B', class: pick('data', 'control') }),
    injection: pick<unknown>('per-flow', 'per-flow', { kind: 'shared-fifo', packets: 3 }),
    rateCap: pick('none', 'none', 'none', '3.3Gbps'),
    dataClass: random.below(classes),
  }
}
