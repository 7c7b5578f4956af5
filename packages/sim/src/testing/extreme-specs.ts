/**
 * Specs at the edges: every quantity is drawn from a few ordinary ones and from those that break
 * things (nothing, one, just below a packet, 2^31, all that a number holds), every choice from all
 * there are. Most are refused; what is accepted must run.
 */
import fc from 'fast-check'
import { isNumberParam, schemes } from '@weir/schemes'
import type { Tree } from './specs.ts'

const sizes = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('1000B', '1048B', '4KB', '20KB', '64KB', '300KB', '32MB'),
  },
  fc.constantFrom('0B', '0.4B', '1B', '2B', '47B', '999B', '1047B', '1049B', '1089B', '1090B'),
  fc.constantFrom('64KiB', '65537B', '250MB', '2GB', '2GiB', '4GiB', '9PB', '1e-9B', '8e15B'),
)
const times = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('0us', '100ns', '1us', '10us', '50us', '1ms') },
  fc.constantFrom('0.2ps', '1ps', '1s', '9000s', '10000s'),
)
const rates = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('1Gbps', '10Gbps', '25Gbps', '100Gbps', '400Gbps') },
  fc.constantFrom('1bps', '3kbps', '1.7Mbps', '16Tbps', '9000Tbps', '0.1bps', '0bps'),
)
const shares = fc.constantFrom<unknown>(0, 0.001, '1/8', 0.5, 1, 2, 1000, 1e-9, 1e300)
const limit = fc.oneof(
  sizes,
  shares.map((alpha) => ({ kind: 'dynamic', alpha })),
)

/** A mapping in which any key may be missing, and most are: two odd things at once say enough. */
function some(
  shape: Record<string, fc.Arbitrary<unknown>>,
  always: readonly string[] = [],
): fc.Arbitrary<Tree> {
  const rarely = Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [
      key,
      always.includes(key)
        ? value
        : fc.oneof(
            { weight: 4, arbitrary: fc.constant(undefined) },
            { weight: 1, arbitrary: value },
          ),
    ]),
  )
  return fc
    .record(rarely)
    .map((t) => Object.fromEntries(Object.entries(t).filter(([, value]) => value !== undefined)))
}

const topology = fc.oneof(
  some({ kind: fc.constant('star'), hosts: fc.constantFrom(2, 3, 5), rate: rates, delay: times }, [
    'kind',
    'hosts',
  ]),
  some(
    {
      kind: fc.constant('leaf-spine'),
      leaves: fc.constant(2),
      spines: fc.constantFrom(1, 2, 4),
      hostsPerLeaf: fc.constantFrom(1, 2),
      hostRate: rates,
      fabricRate: rates,
      delay: times,
    },
    ['kind', 'leaves', 'spines', 'hostsPerLeaf'],
  ),
)

const flowControl = fc.oneof(
  fc.constantFrom<unknown>('none', 'pfc', 'pause', 'credits', 'per-flow'),
  some(
    {
      kind: fc.constantFrom('pfc', 'pause'),
      xoff: limit,
      xonGap: sizes,
      headroom: fc.oneof(sizes, fc.constant('auto')),
      frame: sizes,
    },
    ['kind'],
  ),
  some({ kind: fc.constant('credits'), credit: sizes }, ['kind']),
  some({ kind: fc.constant('per-flow'), xoff: fc.oneof(sizes, fc.constant('auto')) }, ['kind']),
)

const fabric = some({
  switch: fc.constantFrom('shared-memory', 'input-buffered', 'per-flow-queues'),
  forwarding: fc.constantFrom('store-and-forward', 'cut-through'),
  switchDelay: times,
  classes: fc.constantFrom(1, 2, 8),
  scheduler: fc.constantFrom<unknown>('strict', 'round-robin', {
    kind: 'weighted-round-robin',
    weights: [0.001, 1000],
  }),
  buffer: fc.oneof(
    sizes,
    some({
      size: sizes,
      threshold: limit,
      inputQueue: fc.constantFrom('fifo', 'voq'),
      dropAt: fc.constantFrom('outputs', 'inputs'),
    }),
  ),
  flowControl,
  ecn: fc.oneof(
    fc.constantFrom<unknown>('auto', 'none', 'red'),
    some({ kind: fc.constant('threshold'), k: sizes }, ['kind', 'k']),
    some(
      { kind: fc.constant('red'), kmin: sizes, kmax: sizes, pmax: shares, referenceRate: rates },
      ['kind'],
    ),
  ),
})

const hosts = some({
  mtu: sizes,
  header: sizes,
  ack: fc.oneof(
    fc.constant<unknown>('none'),
    some({
      every: fc.constantFrom(0, 1, 3, 1024),
      size: sizes,
      class: fc.constantFrom('data', 'control'),
    }),
  ),
  reliability: fc.constantFrom('go-back-n', 'selective-repeat', 'tcp', 'none'),
  rto: fc.oneof(times, fc.constantFrom('auto', 'none')),
  injection: fc.constantFrom<unknown>(
    'per-flow',
    { kind: 'shared-fifo', packets: 1 },
    { kind: 'shared-fifo', packets: 1, acks: 'behind' },
  ),
  rateCap: fc.oneof(rates, fc.constant('none')),
  dataClass: fc.constantFrom(0, 1, 3, 7),
})

const host = fc.constantFrom('h0', 'h1', 'h2')
const flow = some(
  { from: fc.constant('h0'), to: fc.constant('h1'), size: sizes, start: times, stop: times },
  ['from', 'to'],
)
const backFlow = some({ from: host, to: host, size: sizes, weight: shares }, ['from', 'to', 'size'])

const generate = some(
  {
    arrivals: fc.oneof(
      fc.constant<unknown>('once'),
      shares.map((load) => ({ kind: 'poisson', load })),
      times.map((interval) => ({ kind: 'poisson', interval })),
      times.map((period) => ({ kind: 'periodic', period })),
    ),
    sizes: fc.oneof(
      sizes,
      fc.constantFrom<unknown>('WebSearch', 'FB_Hadoop'),
      fc
        .array(fc.tuple(fc.constantFrom(0, 1, 1e3, 1e9, 1e15, 1e16, 1e308), shares), {
          maxLength: 3,
        })
        .map((rows) => ({ kind: 'cdf', rows: [...rows, [2e15, 1]] })),
      some({ kind: fc.constant('pareto'), shape: shares, mean: sizes, max: sizes }, [
        'kind',
        'shape',
        'mean',
      ]),
      fc.tuple(sizes, shares).map(([size, weight]) => ({
        kind: 'mixture',
        parts: [
          { size, weight },
          { size: '1KB', weight: 1 },
        ],
      })),
    ),
    pattern: fc.constantFrom<unknown>('uniform', 'permutation', 'all-to-all', {
      kind: 'incast',
      senders: 1,
    }),
    start: times,
    stop: times,
    flowsMax: fc.constantFrom<unknown>(1, 10, 'none'),
  },
  ['arrivals', 'sizes'],
)

const line = fc.constantFrom(
  ...['0 send 1 8B', '1 recv 0', '0 send 1 0B', 'all send +1 64KB', 'all recv -1', '0 mark x'],
  ...['repeat 2', 'repeat 1000000000000', 'end', '0..1 compute 1us', '0 compute 0us', '1 recv 1'],
)
const messages = fc.oneof(
  fc.array(line, { maxLength: 8 }).map((lines) => ({
    processes: ['h0', 'h1'],
    program: { kind: 'text', text: lines.join('\n') },
  })),
  fc.tuple(sizes, fc.constantFrom(1, 5, 1_000_000)).map(([size, iterations]) => ({
    processes: ['h0', 'h1'],
    program: { kind: 'ring', size, iterations },
  })),
)

const workload = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(fc.oneof({ weight: 3, arbitrary: flow }, backFlow), { minLength: 1, maxLength: 2 })
      .map((flows) => ({ flows })),
  },
  { weight: 2, arbitrary: generate.map((generator) => ({ generate: generator })) },
  { weight: 1, arbitrary: messages.map((program) => ({ messages: program })) },
)

/** A scheme as it is, or with one parameter at an edge of what its card allows. */
const scheme = fc.constantFrom(...schemes).chain(({ name, params, presets }) => {
  const edges = Object.entries(params).flatMap(([key, param]) => {
    const { unit } = param
    const { min = 0, max = 1e15 } = isNumberParam(param) ? param : {}
    const suffix = unit === 'time' ? 'ps' : unit === 'size' ? 'B' : unit === 'rate' ? 'bps' : ''
    const numbers = [min, max, 1].map((value) => (suffix ? `${value}${suffix}` : value))
    const values = unit === 'choice' ? param.choices : unit === 'boolean' ? [true, false] : numbers
    return values.map((value) => ({ name, params: { [key]: value } }))
  })
  return fc.constantFrom<unknown>(
    name,
    ...Object.keys(presets).map((preset) => ({ name, preset })),
    ...edges,
  )
})

/** At most `eventsMax` events, so that a run ends however long its time is. */
export function extremeTree(eventsMax: number): fc.Arbitrary<Tree> {
  return some(
    {
      topology,
      fabric,
      hosts,
      routing: fc.constantFrom('shortest-path', 'ecmp', 'packet-spray'),
      workload: fc.array(workload, { minLength: 1, maxLength: 1 }),
      scheme,
      run: fc
        .constantFrom('1ps', '1us', '100us', '1ms', '1s', '9000s')
        .map((until) => ({ until, eventsMax })),
      metrics: some({ interval: fc.oneof(times, fc.constantFrom('auto', 'none')) }),
    },
    ['topology', 'fabric', 'hosts', 'workload', 'scheme', 'run'],
  )
}
