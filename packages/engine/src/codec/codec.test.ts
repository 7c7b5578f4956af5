import { describe, expect, it } from 'vitest'
import {
  as,
  bound,
  count,
  forms,
  is,
  kinds,
  list,
  mapped,
  name,
  optional,
  orAuto,
  orFrom,
  otherwise,
  pathText,
  rate,
  ratio,
  readWhole,
  Refusal,
  section,
  size,
  time,
  unless,
  word,
  wrong,
  WRONG,
  yesOrNo,
} from './index.ts'
import type { Codec } from './index.ts'

/** What it refuses, as `path: sentence`. */
function refusal(codec: Codec<never>, input: unknown): string {
  try {
    readWhole(codec, input)
  } catch (error) {
    if (error instanceof Refusal) return `${pathText(error.path)}: ${error.message}`
    throw error
  }
  return 'nothing'
}

describe('a leaf', () => {
  it.each<[string, Codec<never>, unknown, unknown, unknown]>([
    ['time', time() as never, '10us', 10e6, '10us'],
    ['size', size() as never, '64KB', 64e3, '64KB'],
    ['rate', rate() as never, '25Gbps', 25e9, '25Gbps'],
    ['none', rate({ none: true }) as never, 'none', 0, 'none'],
    ['auto', orAuto(size()) as never, 'auto', 'auto', 'auto'],
    ['auto or a quantity', orAuto(size()) as never, '1KB', 1000, '1KB'],
    ['ratio', ratio(0, 1, '1/8') as never, '12.5%', 0.125, 0.125],
    ['count', count(1, 8, 4) as never, 3, 3, 3],
    ['bound', bound(10, 5) as never, 'none', 0, 'none'],
    ['word', word('a way', ['up', 'down']) as never, 'up', 'up', 'up'],
    ['switch', yesOrNo() as never, true, true, true],
    ['name', name('a host', 'h0') as never, 12, '12', '12'],
    ['list', list(count(0, 9, 1), 'numbers') as never, [1, 2], [1, 2], [1, 2]],
  ])('%s is read to its base unit and written so that it reads the same', (...row) => {
    const [, codec, written, value, again] = row
    expect(readWhole(codec, written)).toEqual(value)
    expect(codec.write(value as never)).toEqual(again)
    expect(readWhole(codec, again)).toEqual(value)
  })

  it.each<[Codec<never>, unknown, string]>([
    [time() as never, undefined, ': missing; write a time such as 10us'],
    [time() as never, null, ': there is no value here; write a time such as 10us'],
    [size() as never, '0B', ': "0B" is zero; write a size such as 64KB'],
    [size() as never, 'big', ': "big" is not a size; write a size such as 64KB'],
    [
      ratio(0, 1, '1/8') as never,
      2,
      ': 2 is out of range; write a number from 0 to 1, such as 1/8',
    ],
    [count(1, 8, 4) as never, 9, ': 9 is too large; write a whole number from 1 to 8, such as 4'],
    [word('a way', ['up', 'down']) as never, 'upp', ': "upp" is not a way; did you mean up?'],
    [list(count(0, 9, 1), 'numbers') as never, [1, 'x'], '[1]: "x" is not a whole number; write a'],
  ])('refuses with the place and the remedy', (codec, input, sentence) => {
    expect(refusal(codec, input).startsWith(sentence), refusal(codec, input)).toBe(true)
  })
})

interface Link {
  readonly rateBps: number
  readonly delayPs: number
  readonly bytes: number
  readonly backRateBps: number
  readonly note: string
  readonly of: readonly string[] | undefined
}

const link = section<Link>(
  'a link',
  {
    rateBps: rate(),
    delayPs: otherwise(time({ zero: true }), '1us'),
    bytes: as('size', size()),
    backRateBps: orFrom(rate(), ({ rateBps, share }) => rateBps * share!),
    note: unless('', name('a note', 'x')),
    of: optional(list(name('a host', 'h0'), 'hosts')),
  },
  { share: otherwise(ratio(0, 1, '1/2'), 1) },
)

describe('a section', () => {
  const value = { rateBps: 1e9, delayPs: 1e6, bytes: 2000, note: '', of: undefined }

  it('names its keys after its fields, without their units', () => {
    const read = readWhole(link, { rate: '1Gbps', size: '2KB' })
    expect(read).toEqual({ ...value, backRateBps: 1e9 })
    const tree = { rate: '1Gbps', delay: '1us', size: '2KB', backRate: '1Gbps' }
    expect(link.write(read)).toEqual(tree)
    expect(readWhole(link, tree)).toEqual(read)
  })

  it('takes what is absent from other fields and from keys that are none', () => {
    const tree = { rate: '1Gbps', size: '2KB', share: 0.5 }
    expect(readWhole(link, tree)).toEqual({ ...value, backRateBps: 5e8 })
  })

  it('tells of a misspelt key before anything else', () => {
    const tree = { rate: 'fast', delay: 12, siez: '2KB' }
    expect(refusal(link as never, tree)).toBe('siez: a link has no key "siez"; did you mean size?')
    expect(refusal(link as never, [])).toMatch(/^: a list is not a link; write a mapping with the/)
  })

  it('describes itself to editors', () => {
    expect(link.json).toMatchObject({
      type: 'object',
      required: ['rate', 'size'],
      additionalProperties: false,
      properties: { delay: { default: '1us' } },
    })
  })
})

type Shape =
  | { readonly kind: 'dot' }
  | { readonly kind: 'gap' }
  | { readonly kind: 'disc'; readonly bytes: number }
  | { readonly kind: 'ring'; readonly bytes: number; readonly holes: number }

const shape = kinds<Shape>({
  what: 'a shape',
  members: [
    section('a dot', { kind: is('dot') }),
    section('a gap', { kind: is('gap') }),
    section('a disc', { kind: is('disc'), bytes: as('size', size()) }),
    section('a ring', { kind: is('ring'), bytes: size(), holes: otherwise(count(1, 9, 1), 1) }),
  ],
  words: ['dot'],
  reads: 'a size such as 2KB',
  read: (text) => (/^\d/u.test(text) ? { kind: 'disc', size: text } : undefined),
  short: (value) => (value.kind === 'disc' ? size().write(value.bytes) : undefined),
})

describe('a choice of kinds', () => {
  it.each<[unknown, Shape, unknown]>([
    ['dot', { kind: 'dot' }, 'dot'],
    [{ kind: 'dot' }, { kind: 'dot' }, 'dot'],
    [{ kind: 'gap' }, { kind: 'gap' }, { kind: 'gap' }],
    ['2KB', { kind: 'disc', bytes: 2000 }, '2KB'],
    [{ kind: 'ring', bytes: '1KB' }, { kind: 'ring', bytes: 1000, holes: 1 }, undefined],
  ])('reads %j', (written, value, again) => {
    expect(readWhole(shape, written)).toEqual(value)
    const tree = shape.write(value)
    if (again !== undefined) expect(tree).toEqual(again)
    expect(readWhole(shape, tree)).toEqual(value)
  })

  it('says which kinds there are, or which was meant', () => {
    const say = (input: unknown): string => refusal(shape as never, input)
    expect(say('rign')).toBe(': "rign" is not a shape; did you mean ring?')
    expect(say(['dot'])).toBe(
      ': a list is not a shape; write dot, gap, disc, ring or a size such as 2KB, ' +
        'or a mapping with kind',
    )
    expect(say({})).toBe('kind: missing; say which kind: dot, gap, disc or ring')
    expect(say({ kind: 'ring' })).toBe('bytes: missing; write a size such as 64KB')
    expect(say({ kind: 'dot', size: 1 })).toBe(
      'size: a dot has no key "size"; it takes no settings, so leave it out',
    )
  })
})

it('a form is known by what stands there', () => {
  const hosts = forms<readonly string[]>({
    text: mapped(
      name('a host', 'h0'),
      (one) => [one],
      ([one]) => one!,
    ),
    list: list(name('a host', 'h0'), 'hosts'),
    error: (input) => wrong(input, 'hosts', 'write some'),
    write: (value) => value,
  })
  expect([readWhole(hosts, 'h1'), readWhole(hosts, ['h1', 'h2'])]).toEqual([['h1'], ['h1', 'h2']])
  expect(refusal(hosts as never, {})).toBe(': a mapping is not hosts; write some')
  const even = mapped(
    count(0, 9, 2),
    (n, at) => (n % 2 === 0 ? n : at.refuse('it is odd')),
    (n) => n,
  )
  expect([readWhole(even, 4), refusal(even as never, 3)]).toEqual([4, ': it is odd'])
  expect(WRONG.description).toBe('wrong')
})
