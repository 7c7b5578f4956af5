/**
 * Texts that a workload is read from, put together from pieces that are right, odd and wrong: they
 * are refused with a sentence, or mean something finite. `WEIR_FUZZ=20000` looks for new ones.
 */
import fc from 'fast-check'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { Random } from '@weir/engine'
import { WorkloadError } from './contract.ts'
import { parseFlowsCsv } from './flows-csv.ts'
import { checkProgram } from './messages/check-program.ts'
import { parseProgram } from './messages/parse-program.ts'
import { makeSizes } from './sizes/sizes.ts'
import { parseCdf } from './sizes/parse-cdf.ts'

const LONG = Number(process.env['WEIR_FUZZ'] ?? 0)
const settings = LONG > 0 ? { numRuns: LONG } : { numRuns: 300, seed: 1 }

/** What `read` makes of a text, or undefined if it says in one sentence why it makes nothing. */
function read<T>(reader: () => T): T | undefined {
  try {
    return reader()
  } catch (error) {
    expect(error).toBeInstanceOf(WorkloadError)
    expect((error as Error).message).not.toMatch(/\n|undefined|NaN|\[object|call stack/u)
    return undefined
  }
}

const wholeBytes = (bytes: number): boolean => Number.isSafeInteger(bytes) && bytes >= 1

const quantity = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '0', '1', '00', '0.4', '.5', '1e-999', '1e999', '9007199254740993', '-1'),
      fc.constantFrom('B', 'KB', 'GiB', 'us', 'ps', 's', ' s', 'bps', '', 'TB', 'kb'),
    )
    .map(([number, unit]) => number + unit),
  fc.string({ maxLength: 6 }),
)

describe('a file of flows', () => {
  it('is refused in one sentence, or every flow in it can be sent', { timeout: 1e7 }, () => {
    const columns = fc.shuffledSubarray(
      ['from', 'to', 'size', 'start', 'stop', 'name', 'class', 'weight', 'path'],
      { minLength: 4 },
    )
    const cell = fc.oneof(
      fc.constantFrom('h0', 'h1', '1KB', '0us', '3us', '', '"a,b"', '"', '1', '1e9'),
      quantity,
    )
    const rows = fc.array(fc.array(cell, { minLength: 4, maxLength: 9 }), { maxLength: 4 })
    fc.assert(
      fc.property(columns, rows, fc.constantFrom('\n', '\r\n'), (head, cells, end) => {
        // Rows as wide as the head get past the first check.
        const text = [head, ...cells.map((row) => head.map((_, i) => row[i % row.length]!))]
          .map((row) => row.join(','))
          .join(end)
        for (const flow of read(() => parseFlowsCsv(text, 'f.csv')) ?? []) {
          expect(flow.sizeBytes === 0 || wholeBytes(flow.sizeBytes)).toBe(true)
          expect(flow.stopPs === 0 || flow.stopPs > flow.startPs).toBe(true)
          expect(Number.isSafeInteger(flow.startPs) && flow.startPs >= 0).toBe(true)
          expect(flow.weight > 0 && flow.weight < Infinity).toBe(true)
        }
      }),
      settings,
    )
  })
})

describe('a file of sizes', () => {
  it('is refused in one sentence, or draws whole bytes of a finite mean', { timeout: 1e7 }, () => {
    const number = fc.oneof(
      fc.constantFrom('0', '1', '100', '1e3', '1e15', '1e16', '1e308', '1e-320', '0.5', '99.9', ''),
      fc.constantFrom('-1', 'none', '0x10', '1_000', '1e999'),
    )
    const row = fc.tuple(number, fc.constantFrom(' ', ',', '\t', '  '), number)
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), fc.boolean(), (rows, isWhole) => {
        const lines = rows.map((cells) => cells.join(''))
        const text = [...lines, ...(isWhole ? ['2e15 1'] : [])].join('\n')
        const table = read(() => parseCdf(text, 'sizes.txt'))
        if (table === undefined) return
        const sizes = read(() => makeSizes({ kind: 'cdf', source: 'sizes.txt', rows: table }))
        if (sizes === undefined) return
        expect(sizes.mean()).toBeGreaterThan(0)
        expect(sizes.mean()).toBeLessThan(Infinity)
        const random = new Random(1, 'fuzz')
        for (let i = 0; i < 20; i++) expect(wholeBytes(sizes.sample(random))).toBe(true)
      }),
      settings,
    )
  })
})

describe('a program', () => {
  it(
    'is refused in one sentence, or has few operations that can all be done',
    { timeout: 1e7 },
    () => {
      const line = fc.oneof(
        fc.constantFrom('0 send 1 8B', '1 recv 0', 'all send +1 1KB', 'all recv -1', '0..2 mark x'),
        fc.constantFrom('repeat 2', 'repeat 3', 'end', 'repeat 1000000000000', 'repeat 1e300'),
        fc.constantFrom(
          'repeat',
          'repeat 0',
          'repeat -1',
          'repeat 1.5',
          '# x',
          '',
          '0 compute 0us',
        ),
        fc.constantFrom('0 send 0 8B', '0 send 1 0B', '9 recv 0', '2..1 mark x', 'all recv +1'),
        quantity.map((text) => `0 send 1 ${text}`),
      )
      const texts = fc.oneof(
        fc.array(line, { maxLength: 10 }),
        fc
          .nat(3000)
          .map((depth) => [
            ...Array<string>(depth).fill('repeat 2'),
            ...Array<string>(depth).fill('end'),
          ]),
      )
      fc.assert(
        fc.property(texts, (lines) => {
          const program = read(() => parseProgram(lines.join('\n'), 3))
          if (program === undefined) return
          expect(program.reduce((sum, ops) => sum + ops.length, 0)).toBeLessThanOrEqual(2_000_000)
          for (const op of program.flat().slice(0, 100)) {
            if (op.do === 'send') expect(wholeBytes(op.bytes)).toBe(true)
          }
          read(() => checkProgram(program))
        }),
        settings,
      )
    },
  )
})
