/**
 * Random specs for property tests: small fabrics of every organisation, a few flows, some hundred
 * packets. Some delays and rates are odd and some are round: things do happen at one picosecond.
 */
import fc from 'fast-check'
import type { SharedMemory } from '@weir/fabric'
import { createRun } from '../run.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'
import { withRandomLanes } from './random-lanes.ts'
import { specOf } from './specs.ts'
import type { Tree } from './specs.ts'

export interface Limits {
  /** Kinds of flow control to draw from. */
  readonly flowControl?: readonly ('none' | 'pfc' | 'pause' | 'credits' | 'per-flow')[]
  readonly forwarding?: readonly ('store-and-forward' | 'cut-through')[]
  readonly schemes?: readonly string[]
  /** No path through the fabric closes a cycle of waiting, whatever is paused. */
  readonly treesOnly?: boolean
}

/** Flows of one run, each by a routing of its own. */
const CHOICE = { kind: 'choice', of: ['packet-spray', 'ecmp', 'reps'], begin: 'hash' }

const delay = fc
  .oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: fc.nat(2_000_003) })
  .map((ps) => `${ps}ps`)
const oddDelay = fc.integer({ min: 1_003, max: 2_000_003 }).map((ps) => `${ps * 2 + 1}ps`)
const rate = fc.oneof(
  fc.constantFrom('10Gbps', '25Gbps', '100Gbps'),
  fc.integer({ min: 1_000, max: 40_000 }).map((mbps) => `${mbps}Mbps`),
)

/** Hosts on the switches of a random tree, with more links at random. */
const randomGraph = (isTree: boolean): fc.Arbitrary<Tree> =>
  fc
    .record({
      parents: fc.array(fc.nat(), { maxLength: 4 }),
      more: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: isTree ? 0 : 3 }),
      homes: fc.array(fc.nat(), { minLength: 2, maxLength: 5 }),
      rates: fc.array(rate, { minLength: 12, maxLength: 12 }),
      delays: fc.array(delay, { minLength: 12, maxLength: 12 }),
    })
    .map(({ parents, more, homes, rates, delays }) => {
      const switches = parents.length + 1
      const pairs = [
        ...parents.map((parent, i) => [`s${i + 1}`, `s${parent % (i + 1)}`]),
        ...more
          .map(([a, b]) => [a % switches, b % switches])
          .filter(([a, b]) => a !== b)
          .map(([a, b]) => [`s${a}`, `s${b}`]),
        ...homes.map((home, i) => [`h${i}`, `s${home % switches}`]),
      ]
      return {
        kind: 'graph',
        hosts: homes.map((_, i) => `h${i}`),
        switches: Array.from({ length: switches }, (_, i) => `s${i}`),
        links: pairs.map(([a, b], i) => ({
          a,
          b,
          rate: rates[i % rates.length],
          delay: delays[i % delays.length],
        })),
      }
    })

const dumbbell = fc
  .record({
    left: fc.integer({ min: 1, max: 4 }),
    right: fc.integer({ min: 1, max: 3 }),
    rate,
    delay,
    bottleneckRate: rate,
    bottleneckDelay: oddDelay,
  })
  .map((t): Tree => ({ kind: 'dumbbell', ...t }))

const leafSpine = fc
  .record({ hostRate: rate, hostDelay: delay, fabricRate: rate, fabricDelay: oddDelay })
  .map((t): Tree => ({ kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2, ...t }))

const torus = fc
  .record({ rate, delay: oddDelay })
  .map((t): Tree => ({ kind: 'torus', dimensions: [4, 2], ...t }))

function topology({ treesOnly }: Limits): fc.Arbitrary<Tree> {
  const trees = [randomGraph(true), dumbbell]
  return treesOnly === true
    ? fc.oneof(...trees)
    : fc.oneof(...trees, randomGraph(false), leafSpine, torus)
}

const scheduler = (classes: number): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom('strict', 'round-robin'),
    fc
      .array(fc.integer({ min: 1, max: 8 }), { minLength: classes, maxLength: classes })
      .map((weights) => ({ kind: 'weighted-round-robin', weights })),
  )

/** A fabric's buffers and flow control; lossless ones get the room that they need. */
function fabric(limits: Limits, classes: number): fc.Arbitrary<Tree> {
  const all = limits.flowControl ?? ['none', 'pfc', 'pause', 'credits', 'per-flow']
  // PAUSE knows no classes.
  const kinds = classes > 1 ? all.filter((kind) => kind !== 'pause') : all
  return fc
    .record({
      control: fc.constantFrom(...kinds),
      organisation: fc.constantFrom('shared-memory', 'input-buffered'),
      forwarding: fc.constantFrom(...(limits.forwarding ?? ['store-and-forward', 'cut-through'])),
      switchDelay: fc.constantFrom('0ns', '37ns', '401ns'),
      scheduler: scheduler(classes),
      inputQueue: fc.constantFrom('fifo', 'voq'),
      outputQueue: fc.constantFrom('none', '1500B', '5KB'),
      xoff: fc.constantFrom('2KB', '20KB', '1/8', '1/2', '4'),
      xonGap: fc.constantFrom('0B', '1500B'),
      dropAt: fc.constantFrom('outputs', 'inputs'),
      threshold: fc.constantFrom('4KB', '1/2', '1'),
      room: fc.integer({ min: 2_100, max: 20_000 }),
      credit: fc.constantFrom('1B', '64B', '500B'),
      marking: fc.constantFrom('auto', { kind: 'threshold', k: '3KB', at: 'dequeue' }),
    })
    .map((t): Tree => {
      const { control, room } = t
      const either = {
        forwarding: t.forwarding,
        switchDelay: t.switchDelay,
        classes,
        ecn: t.marking,
      }
      if (control === 'per-flow') {
        const flowControl = { kind: control, xoff: ['auto', '1B', '2KB', '9KB'][room % 4] }
        return { ...either, switch: 'per-flow-queues', scheduler: t.scheduler, flowControl }
      }
      const isShared = control === 'credits' ? false : t.organisation === 'shared-memory'
      const limit = (text: string): unknown =>
        text.endsWith('B') ? text : { kind: 'dynamic', alpha: text }
      const isPausing = control === 'pfc' || control === 'pause'
      const size = isPausing
        ? (isShared ? 60e6 : 4e6) + room * 10
        : control === 'none'
          ? room * 2
          : room
      return {
        switch: isShared ? 'shared-memory' : 'input-buffered',
        ...either,
        scheduler: t.scheduler,
        buffer: {
          size: `${size}B`,
          ...(isShared && { threshold: limit(t.threshold), dropAt: t.dropAt }),
          ...(!isShared && { inputQueue: t.inputQueue }),
          ...(!isShared && t.forwarding !== 'cut-through' && { outputQueue: t.outputQueue }),
        },
        flowControl: isPausing
          ? // An input has no reserved headroom: XOFF leaves it most of the buffer.
            { kind: control, xoff: isShared ? limit(t.xoff) : '20KB', xonGap: t.xonGap }
          : control === 'credits'
            ? { kind: control, credit: t.credit }
            : { kind: control },
      }
    })
}

function hosts(isLossy: boolean, classes: number): fc.Arbitrary<Tree> {
  return fc
    .record({
      mtu: fc.constantFrom('1000B', '256B', '1000B'),
      header: fc.constantFrom('48B', '16B', '0B'),
      every: fc.constantFrom(1, 1, 2, 5),
      ackClass: fc.constantFrom('data', 'control'),
      ackPath: fc.constantFrom('reverse', 'own'),
      ackEcn: fc.constantFrom('none', 'ignored', 'heard'),
      reliability: fc.constantFrom('go-back-n', 'selective-repeat'),
      injection: fc.constantFrom(
        'per-flow',
        'per-flow',
        { kind: 'shared-fifo', packets: 3 },
        { kind: 'shared-fifo', packets: 3, acks: 'behind' },
      ),
      rateCap: fc.constantFrom('none', 'none', '3.3Gbps', {
        send: '5Gbps',
        take: '3.3Gbps',
        counts: 'payload',
      }),
      dataClass: fc.integer({ min: 0, max: classes - 1 }),
    })
    .map((t) => ({
      mtu: t.mtu,
      header: t.header,
      ack: { every: t.every, size: '60B', class: t.ackClass, path: t.ackPath, ecn: t.ackEcn },
      reliability: t.reliability,
      rto: isLossy ? '101us' : 'auto',
      injection: t.injection,
      rateCap: t.rateCap,
      dataClass: t.dataClass,
    }))
}

const flow = fc.record({
  from: fc.nat(),
  to: fc.nat(),
  size: fc.oneof(
    fc.integer({ min: 1, max: 3_000 }),
    fc.integer({ min: 1, max: 30_000 }),
    fc.integer({ min: 1, max: 60 }).map((packets) => packets * 1000),
  ),
  start: fc.oneof(fc.integer({ min: 0, max: 20_000_000 }), fc.integer({ min: 0, max: 2_000_000 })),
  class: fc.nat(),
})

/** A spec as a user would write it; every one of them is valid. */
export function anyTree(limits: Limits = {}): fc.Arbitrary<Tree> {
  return fc.integer({ min: 1, max: 4 }).chain((classes) =>
    fabric(limits, classes).chain((fabricTree) => {
      const { kind } = fabricTree.flowControl as { kind: string }
      return fc
        .record({
          topology: topology(limits),
          hosts: hosts(kind === 'none', classes),
          flows: fc.array(flow, { minLength: 1, maxLength: 12 }),
          isIncast: fc.boolean(),
          scheme: fc.constantFrom(...(limits.schemes ?? ['none', 'dcqcn'])),
          routing: fc.constantFrom<unknown>(
            'ecmp',
            'shortest-path',
            'packet-spray',
            'reps',
            CHOICE,
          ),
          seed: fc.nat({ max: 1000 }),
        })
        .map(({ flows, isIncast, ...t }): Tree => {
          const names = hostNames(t.topology)
          return {
            ...t,
            fabric: fabricTree,
            workload: [{ flows: flows.map((one) => writeFlow(one, names, classes, isIncast)) }],
            run: { until: '60ms', eventsMax: 400_000 },
          }
        })
    }),
  )
}

/**
 * The same, completed; a lossless shared memory has its headroom and not much more, and in some
 * packets change their class on the way.
 */
export function anySpec(limits: Limits = {}): fc.Arbitrary<ValidSpec> {
  const room = fc.integer({ min: 3_000, max: 60_000 })
  return fc.tuple(anyTree(limits), room).map(([tree, more]) => {
    const spec = specOf(tree)
    const hasLanes = spec.fabric.classes > 1 && spec.fabric.switch !== 'per-flow-queues'
    return tighten(hasLanes && more % 3 === 0 ? withRandomLanes(spec, more) : spec, more)
  })
}

/** Headroom for every class and port of the busiest switch, and so much more. */
export function tighten(spec: ValidSpec, roomBytes: number): ValidSpec {
  const { flowControl, buffer } = spec.fabric
  const isPausing = flowControl.kind === 'pfc' || flowControl.kind === 'pause'
  if (!isPausing || spec.fabric.switch !== 'shared-memory') return spec
  const { fabric, switches, classesUsed } = createRun(spec).network
  const memory = switches as SharedMemory
  const needed = new Map<number, number>()
  for (let link = 0; link < fabric.ports.count; link++) {
    const node = fabric.ports.to[link]!
    if (fabric.ports.toHost[link] === 1) continue
    needed.set(node, (needed.get(node) ?? 0) + memory.headroomOf(link) * classesUsed.length)
  }
  const bytes = Math.max(...needed.values()) + roomBytes
  return { ...spec, fabric: { ...spec.fabric, buffer: { ...buffer, bytes } } }
}

function hostNames(tree: Tree): string[] {
  const span = (count: number): string[] => Array.from({ length: count }, (_, i) => `h${i}`)
  switch (tree.kind) {
    case 'dumbbell':
      return span(Number(tree.left) + Number(tree.right))
    case 'leaf-spine':
      return span(4)
    case 'torus':
      return span(8)
    default:
      return [...(tree.hosts as string[])]
  }
}

function writeFlow(
  one: { from: number; to: number; size: number; start: number; class: number },
  names: readonly string[],
  classes: number,
  isIncast: boolean,
): Tree {
  const to = isIncast ? 0 : one.to % names.length
  const from = (to + 1 + (one.from % (names.length - 1))) % names.length
  return {
    from: names[from],
    to: names[to],
    size: `${one.size}B`,
    start: `${one.start}ps`,
    class: one.class % classes,
  }
}
