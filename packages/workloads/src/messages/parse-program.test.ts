import { describe, expect, it } from 'vitest'
import { parseProgram } from './parse-program.ts'

describe('a message program as people write it', () => {
  it('reads operations, blocks, ranges and neighbours', () => {
    const program = parseProgram(
      `repeat 2        # twice
         all send +1 1KB
         all recv -1
         repeat 3
           0 compute 2us
         end
       end
       1..2 mark done`,
      3,
    )
    expect(program[0]).toHaveLength(2 * (2 + 3))
    expect(program[1]!.at(-1)).toEqual({ do: 'mark', label: 'done' })
    expect(program[2]!.slice(0, 2)).toEqual([
      { do: 'send', to: 0, bytes: 1000 },
      { do: 'receive', from: 1 },
    ])
  })

  it('does a block that writes nothing once, however often it says', () => {
    const text = `repeat 1000000000000
         repeat 1000000000000
           0 compute 0us
         end
       end
       0 mark done`
    expect(parseProgram(text, 1)).toEqual([[{ do: 'mark', label: 'done' }]])
  })

  it.each([
    ['0 sand 1 8B', 'Line 1: "sand" is not an operation'],
    ['\n0 send 9 8B', 'Line 2: there is no process 9; the last is 1'],
    ['5 recv 0', 'Line 1: there is no process 5'],
    ['who recv 0', 'Line 1: "who" is no process'],
    ['0 send 1', 'Line 1: there is no size such as 64KB'],
    ['0 compute soon', 'Line 1: "soon" is not a time'],
    ['0 mark', 'Line 1: there is no label'],
    ['repeat many\nend', 'Line 1: repeat needs a count'],
    ['repeat 2\n0 compute 1us', 'Line 1: this repeat has no end'],
    ['repeat 2\nrepeat 2\n0 compute 1us\nend', 'Line 1: this repeat has no end'],
    ['0 send 1 0B', 'Line 1: a message of 0 bytes has nothing to send; write at least 1B'],
    ['repeat 2\n'.repeat(65), 'Line 65: more than 64 repeats stand inside each other'],
    ['0 compute 1us\nend', 'Line 2: there is no repeat that this end closes'],
    ['repeat 1000000\nrepeat 1000\n0 compute 1us\nend\nend', 'more than 2000000 operations'],
  ])('says what is wrong in %j', (text, sentence) => {
    expect(() => parseProgram(text, 2)).toThrow(sentence)
  })
})
