import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { VERSION } from './version.ts'

it('names the version of package.json in results', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  expect(VERSION).toBe((JSON.parse(text) as { version: string }).version)
})
