import { spawn, spawnSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkWritable, writeTogether, writeWhole } from './write-file.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-write-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('files that appear whole', () => {
  it('are made with the folders that they lie in, and nothing is left beside them', () => {
    const path = join(folder, 'a', 'b', 'report.html')
    checkWritable([path])
    expect(readdirSync(folder)).toEqual([])
    writeWhole(path, 'first')
    writeWhole(path, 'second')
    expect(readFileSync(path, 'utf8')).toBe('second')
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['report.html'])
  })

  it('are not promised below a link that leads nowhere', () => {
    symlinkSync(join(folder, 'gone'), join(folder, 'link'))
    const path = join(folder, 'link', 'result.json')
    expect(() => checkWritable([path])).toThrow(/is a link that leads nowhere/)
  })

  it('come in pieces, and a piece that fails leaves nothing', () => {
    const path = join(folder, 'result.json')
    const piece = 'x'.repeat(700_000)
    writeWhole(path, [piece, piece, 'end'])
    expect(readFileSync(path, 'utf8')).toBe(`${piece}${piece}end`)
    function* failing(): Generator<string> {
      yield piece
      yield piece
      throw new Error('no more')
    }
    expect(() => writeWhole(path, failing())).toThrow('nothing was written')
    expect(readFileSync(path, 'utf8')).toBe(`${piece}${piece}end`)
    expect(readdirSync(folder)).toEqual(['result.json'])
  })

  it('are all written or none', () => {
    const [good, bad] = [join(folder, 'good'), join(folder, 'missing', 'bad')]
    const files = [good, bad].map((path) => [path, 'x'] as const)
    expect(() => writeTogether(folder, files)).toThrow('nothing was written')
    expect(readdirSync(folder)).toEqual([])
  })

  it('leave a link a link, and write the file that it leads to', () => {
    const [real, link] = [join(folder, 'real'), join(folder, 'link')]
    writeFileSync(real, 'old')
    symlinkSync(real, link)
    checkWritable([link])
    writeWhole(link, 'new')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toBe('new')
  })

  it('do not take the place of a pipe: what reads it gets the text', async () => {
    const pipe = join(folder, 'pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    const reader = spawn('cat', [pipe])
    let text = ''
    reader.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const closed = new Promise((resolve) => reader.on('close', resolve))
    checkWritable([pipe])
    writeWhole(pipe, 'through the pipe')
    // Were the pipe gone, its reader would wait for ever.
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    await closed
    expect(text).toBe('through the pipe')
  })
})
