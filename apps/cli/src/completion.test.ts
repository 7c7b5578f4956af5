import { describe, expect, it } from 'vitest'
import { schemes } from '@weir/schemes'
import { candidates, FILES } from './completion.ts'
import { program } from './program.ts'

const complete = (line: string): Promise<string[]> => candidates(program(), line.split(' '))

describe('completion', () => {
  it('knows the commands, and shows none that is hidden', async () => {
    expect(await complete('re')).toEqual(['reproduce'])
    expect(await complete('')).toContain('--help')
    expect((await complete('')).filter((one) => one.startsWith('_'))).toEqual([])
  })

  it('knows the options of a command', async () => {
    expect(await complete('compare incast --s')).toEqual([
      ...['--schemes', '--scheme', '--set', '--seed', '--seeds'],
    ])
    expect(await complete('bench --c')).toEqual(['--case', '--curve', '--compare'])
  })

  it('knows scenarios, schemes, figures and kinds, where they can stand', async () => {
    expect(await complete('run inc')).toEqual(['incast', FILES])
    expect(await complete('run incast inc')).toEqual([])
    expect(await complete('run --seed 7 inc')).toEqual(['incast', FILES])
    expect(await complete('explain dcq')).toEqual(['dcqcn', FILES])
    expect(await complete('run incast --scheme dcq')).toEqual(['dcqcn', FILES])
    expect(await complete('compare incast --schemes dcqcn,hpc')).toEqual([FILES, 'dcqcn,hpcc'])
    expect(await complete('reproduce accurate/al')).toEqual(['accurate/all'])
    expect(await complete('list sch')).toEqual(['schemes'])
    expect(await complete('new s')).toEqual(['scheme'])
    expect(await complete('completion ')).toEqual(['bash', 'zsh', 'fish'])
    expect(await complete('explain ')).toHaveLength(schemes.length + 1)
  })

  it('leaves paths to the shell, and says nothing of what it does not know', async () => {
    expect(await complete('run incast --out ')).toEqual([FILES])
    expect(await complete('run incast --seed ')).toEqual([])
    expect(await complete('nonsense x')).toEqual([])
  })
})
