/**
 * `workload:` as users write it: a list whose items are flows one by one (`flows`), flows from a
 * file (`flowsFile`), flows drawn at random (`generate`), or messages of a program (`messages`).
 * Names of hosts and files are looked up in `complete-workload.ts`, which has the topology.
 */
import { z } from 'zod'
import { parseSize } from '@weir/engine'
import { defaults } from './defaults.ts'
import { messagesSchema } from './messages-schema.ts'
import type { MessagesDraft } from './messages-schema.ts'
import { bound, count, list, name, ratio, size, text, time } from './quantities.ts'
import { kinds, section } from './sections.ts'
import type { FlowSpec, GenerateSpec, PatternSpec, SizesSpec } from './valid-spec.ts'
import { either, nearest, show } from './words.ts'
import { sizeTables } from '@weir/workloads'

/** A flow whose name may still be given by its number. */
export type FlowDraft = Omit<FlowSpec, 'name'> & { readonly name: string | undefined }

export type SizesDraft =
  | Exclude<SizesSpec, { kind: 'cdf' }>
  | {
      readonly kind: 'cdf'
      readonly source: string | undefined
      readonly file: string | undefined
      readonly table: string | undefined
      readonly rows: readonly (readonly [number, number])[] | undefined
    }

export type GenerateDraft = Omit<GenerateSpec, 'name' | 'sizes' | 'stopPs'> & {
  readonly name: string | undefined
  readonly sizes: SizesDraft
  readonly stopPs: number
}

export type WorkloadDraft =
  | { readonly kind: 'flows'; readonly flows: readonly FlowDraft[] }
  | { readonly kind: 'flows-file'; readonly file: string }
  | { readonly kind: 'generate'; readonly generate: GenerateDraft }
  | MessagesDraft

const host = name('a host', 'h0')
const trafficClass = count(0, 7, 3)
const start = time({ zero: true }).prefault('0us')
const stop = time({ none: true }).prefault('none')

const flow = section('a flow', {
  name: name('a name', 'f1').optional(),
  from: host,
  to: host,
  size: size({ none: true }).prefault('none'),
  start,
  stop,
  path: list(
    name('a switch', 'leaf0'),
    'the switches to pass, such as [leaf0, spine1, leaf2]',
  ).optional(),
  class: trafficClass.optional(),
  weight: ratio(0.000_001, 1_000_000, '2').prefault(defaults.flowWeight),
}).transform((t): FlowDraft => ({
  name: t.name,
  from: t.from,
  to: t.to,
  sizeBytes: t.size,
  startPs: t.start,
  stopPs: t.stop,
  path: t.path ?? [],
  class: t.class ?? -1,
  weight: t.weight,
}))

const arrivals = kinds<GenerateSpec['arrivals']>({
  what: 'a kind of arrivals',
  names: ['poisson', 'periodic', 'once'],
  members: [
    section('Poisson arrivals', {
      kind: z.literal('poisson'),
      load: z.union([z.string(), z.number()]).optional(),
      interval: time().optional(),
    }).transform(completePoisson),
    section('periodic arrivals', {
      kind: z.literal('periodic'),
      period: time(),
      count: bound(1_000_000_000, 10).prefault('none'),
    }).transform((t) => ({ kind: 'periodic', periodPs: t.period, count: t.count })),
    section('arrivals at once', { kind: z.literal('once') }).transform(() => ({
      kind: 'periodic',
      periodPs: 0,
      count: 1,
    })),
  ],
})

const loadLeaf = ratio(0, Infinity, '0.5')

/** A load, or a mean interval between the flows of the whole item: one of the two. */
function completePoisson(
  t: { load?: string | number | undefined; interval?: number | undefined },
  context: z.RefinementCtx,
): unknown {
  const say = (path: string[], message: string): unknown => {
    context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  }
  if (t.load === undefined) {
    return t.interval === undefined
      ? say(['load'], 'missing; write a load such as 0.5, or a mean interval such as 10us')
      : { kind: 'poisson-rate', meanIntervalPs: t.interval }
  }
  if (t.interval !== undefined) {
    return say(['interval'], 'there is a load already; keep load or interval, not both')
  }
  const load = loadLeaf.safeParse(t.load)
  if (!load.success) return say(['load'], load.error.issues[0]!.message)
  if (load.data > 0 && load.data <= 1) return { kind: 'poisson', load: load.data }
  return say(
    ['load'],
    load.data > 1
      ? `${show(t.load)} asks for more than the hosts' links carry, so queues would only grow; ` +
          'write a load above 0 and at most 1'
      : `${show(t.load)} asks for no traffic; write a load above 0 and at most 1`,
  )
}

const tableNames = sizeTables.map((table) => table.name)

/** `websearch` is `WebSearch`: letter case and hyphens do not tell tables apart. */
export function tableNamed(given: string): string | undefined {
  const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_]/gu, '')
  return tableNames.find((known) => plain(known) === plain(given))
}

const cdfRow = list(ratio(0, Infinity, '0.5'), 'a size in bytes and a cumulative fraction').pipe(
  z.tuple([z.number(), z.number()], {
    error: () => 'a row has two numbers; write a size in bytes and a cumulative fraction',
  }) as never,
) as unknown as z.ZodType<readonly [number, number]>

const sizes = kinds<SizesDraft>({
  what: 'a kind of sizes',
  names: ['fixed', 'mixture', 'pareto', 'cdf'],
  words: [],
  reads: `a size such as 64KB, or a table (${tableNames.join(', ')})`,
  readNames: tableNames,
  read: (given) => {
    const table = tableNamed(given)
    if (table !== undefined) return { kind: 'cdf', table }
    if (/^\d/u.test(given)) return { kind: 'fixed', size: (parseSize(given), given) }
    return undefined
  },
  members: [
    section('fixed sizes', { kind: z.literal('fixed'), size: size() }).transform((t) => ({
      kind: 'fixed',
      bytes: t.size,
    })),
    section('a mixture of sizes', {
      kind: z.literal('mixture'),
      parts: list(
        section('a part of a mixture', {
          weight: ratio(0, 1e9, '80%'),
          size: size(),
        }).transform((t) => ({ weight: t.weight, bytes: t.size })),
        'parts such as {weight: 80%, size: 20KB}',
      ),
    }),
    section('Pareto sizes', {
      kind: z.literal('pareto'),
      shape: ratio(0, 1000, '1.05'),
      mean: size(),
      max: size({ none: true }).prefault('none'),
    }).transform((t) => ({
      kind: 'pareto',
      shape: t.shape,
      meanBytes: t.mean,
      maxBytes: t.max,
    })),
    section('sizes by a CDF', {
      kind: z.literal('cdf'),
      table: text('a table', 'WebSearch').optional(),
      file: text('a file', 'sizes.txt').optional(),
      source: text('a source', 'a citation').optional(),
      rows: list(cdfRow, 'rows such as [[1000, 0.5], [2000, 1]]').optional(),
    }).transform((t, context) => {
      const given = (['table', 'file', 'rows'] as const).filter((key) => t[key] !== undefined)
      const table = t.table === undefined ? undefined : tableNamed(t.table)
      if (t.table !== undefined && table === undefined) {
        const near = nearest(t.table, tableNames)
        const remedy = near === undefined ? `write ${either(tableNames)}` : `did you mean ${near}?`
        const message = `${show(t.table)} is not a table of sizes; ${remedy}`
        context.addIssue({ code: 'custom', path: ['table'], message })
      }
      if (given.length !== 1) {
        const message = `a CDF comes from one of table, file and rows, but there ${
          given.length === 0 ? 'is none' : `are ${either(given, 'and')}`
        }; keep one`
        context.addIssue({ code: 'custom', message })
      }
      return { kind: 'cdf', table, file: t.file, source: t.source, rows: t.rows }
    }),
  ],
})

const pattern = kinds<PatternSpec>({
  what: 'a pattern',
  names: ['uniform', 'permutation', 'all-to-all', 'incast', 'hot-spot'],
  members: [
    section('a uniform pattern', { kind: z.literal('uniform') }),
    section('a permutation', { kind: z.literal('permutation') }),
    section('an all-to-all', { kind: z.literal('all-to-all') }),
    section('an incast', {
      kind: z.literal('incast'),
      senders: count(1, 65_536, 16),
      receiver: host.optional(),
      drawSenders: z
        .boolean({ error: (issue) => `${show(issue.input)} is not a switch; write true or false` })
        .prefault(false),
    }).transform((t) => ({
      kind: 'incast',
      senders: t.senders,
      receiver: t.receiver ?? '',
      drawSenders: t.drawSenders,
    })),
    section('a hot spot', {
      kind: z.literal('hot-spot'),
      host,
      fraction: ratio(0, 1, '0.2'),
    }),
  ],
})

const hostRanges = z.union([
  name('hosts', 'h0..h15').transform((one) => [one]),
  list(name('hosts', 'h0..h15'), 'names or ranges, such as [h0..h15, h20]'),
]) as z.ZodType<string[]>

const generate = section('a generator', {
  name: name('a name', 'g1').optional(),
  arrivals,
  sizes,
  pattern: pattern.prefault(defaults.pattern),
  hosts: hostRanges.optional(),
  start,
  stop,
  flowsMax: bound(Number.MAX_SAFE_INTEGER, 1000).prefault('none'),
  class: trafficClass.optional(),
}).transform((t): WorkloadDraft => ({
  kind: 'generate',
  generate: {
    kind: 'generate',
    name: t.name,
    arrivals: t.arrivals,
    sizes: t.sizes,
    pattern: t.pattern,
    hosts: t.hosts ?? [],
    startPs: t.start,
    stopPs: t.stop,
    flowsMax: t.flowsMax,
    class: t.class ?? -1,
  },
}))

const ITEM = 'write flows, flowsFile, generate or messages'

const item = section('an item of the workload', {
  flows: list(flow, 'flows such as {from: h0, to: h1, size: 1MB}').optional(),
  flowsFile: text('a file', 'flows.csv').optional(),
  generate: generate.optional(),
  messages: messagesSchema.optional(),
}).transform((t, context): WorkloadDraft => {
  const given = Object.entries(t).filter(([, value]) => value !== undefined)
  if (given.length !== 1) {
    const how =
      given.length === 0
        ? 'is empty'
        : `has ${either(
            given.map(([key]) => key),
            'and',
          )}`
    const remedy = given.length === 0 ? ITEM : 'make an item of each'
    context.addIssue({ code: 'custom', message: `this item of the workload ${how}; ${remedy}` })
  }
  if (t.flowsFile !== undefined) return { kind: 'flows-file', file: t.flowsFile }
  return t.generate ?? t.messages ?? { kind: 'flows', flows: t.flows ?? [] }
})

export const workloadSchema: z.ZodType<WorkloadDraft[]> = list(
  item,
  'items, each with flows, flowsFile, generate or messages',
)
