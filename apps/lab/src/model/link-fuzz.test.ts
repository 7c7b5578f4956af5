/**
 * Links as they come from elsewhere: cut, damaged, or holding an experiment made to break the page.
 * A link is refused with a sentence, or its scenario is read, or refused, in a moment: reading is
 * done while the page waits. `WEIR_FUZZ=5000` looks for new ones.
 */
import fc from 'fast-check'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { loadSpec, SpecError } from '@weir/sim'
import type { Experiment } from './experiment.ts'
import { hashOf, placeOf } from './link.ts'

const LONG = Number(process.env['WEIR_FUZZ'] ?? 0)
const settings = LONG > 0 ? { numRuns: LONG } : { numRuns: 150, seed: 1 }
/** Far beyond what the slowest of these takes on a busy machine; what hung took for ever. */
const MOMENT_MS = 5000

const deep = fc
  .tuple(fc.constantFrom('[', '{a: ', '- ', '? ', '[{b: '), fc.nat(3000))
  .map(([open, depth]) => open.repeat(depth))
const program = fc
  .array(fc.constantFrom('repeat 1e15', 'repeat 3', 'end', '0 send 1 0B', '0 compute 0us'), {
    maxLength: 6,
  })
  .map((lines) => `{processes: [h0, h1], program: "${lines.join('\\n')}\\n"}`)
const piece = fc.oneof(
  deep,
  fc.constantFrom('&a [*a]', '&a {x: *a}', '!!binary x', '0.4B', '1e-999B', '9e15B', '~', '"'),
  program.map((messages) => `[{messages: ${messages}}]`),
  fc.constantFrom('[{generate: {arrivals: {kind: periodic, period: 1ps}, sizes: 1KB}}]'),
  fc.constantFrom('[{flows: [{from: h0, to: h1, size: 1KB}]}]', '[{flowsFile: /etc/passwd}]'),
)
const text = fc
  .tuple(
    fc.constantFrom(
      '{kind: star, hosts: 2}',
      '{kind: star, hosts: 65536}',
      '{kind: fat-tree, k: 2}',
    ),
    piece,
    fc.oneof(fc.constant(''), fc.tuple(fc.constantFrom('name', 'run', 'hosts', 'x'), piece)),
  )
  .map(
    ([topology, workload, more]) =>
      `topology: ${topology}\nworkload: ${workload}\n${more === '' ? '' : more.join(': ')}`,
  )
const setting = fc.oneof(
  fc.constantFrom('run.until=1ps', 'seed=1', '=', 'a=b', '__proto__.x=1', 'workload[9]=1'),
  deep.map((value) => `name=${value}`),
)

const experiment = fc
  .record({
    text,
    settings: fc.array(setting, { maxLength: 2 }),
    scheme: fc.constantFrom('none', 'dcqcn', 'nothing', '__proto__', ''),
  })
  .map((t): Experiment => ({
    scenario: '',
    text: t.text,
    settings: t.settings,
    ownScheme: '',
    lanes: [{ scheme: t.scheme, preset: '', params: {} }],
  }))

async function open(hash: string): Promise<Experiment | undefined> {
  try {
    const place = await placeOf(hash)
    return place?.view === 'experiment' ? place.experiment : undefined
  } catch (error) {
    expect((error as Error).message).toMatch(/^the link [^\n]*$/u)
    return undefined
  }
}

describe('a link from elsewhere', () => {
  it('is read in a moment, and refused with a sentence', { timeout: 1e6 }, async () => {
    await fc.assert(
      fc.asyncProperty(experiment, async (given) => {
        const opened = await open(await hashOf(given))
        expect(opened).toEqual(given)
        const beganMs = performance.now()
        try {
          loadSpec({ text: given.text, settings: given.settings })
        } catch (error) {
          expect(error).toBeInstanceOf(SpecError)
          expect((error as Error).message).not.toMatch(/\n|call stack|\[object/u)
        }
        expect(performance.now() - beganMs).toBeLessThan(MOMENT_MS)
      }),
      settings,
    )
  })

  it('that is damaged is said to be so', { timeout: 1e6 }, async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aZ09-_%&=#+/'), maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(experiment, fc.nat(), letters, async (given, at, put) => {
        const whole = await hashOf(given)
        const place = 3 + (at % (whole.length - 2))
        await open(whole.slice(0, place) + put + whole.slice(place + put.length))
        await open(whole.slice(0, place))
        await open(`#x=${put}`)
      }),
      settings,
    )
  })
})
