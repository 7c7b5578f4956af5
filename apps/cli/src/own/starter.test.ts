/** What `weir new scheme` writes passes the tests that every scheme must pass. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { schemesIn, starterTestText, starterText } from '@weir/schemes'
import { conforms } from '@weir/sim/conforms'
import { treeRoot } from '../root.ts'

// Inside the tree, where the packages are found.
const folder = join(treeRoot(), 'dist', `starter-${process.pid}`)
mkdirSync(folder, { recursive: true })
const file = join(folder, 'my-scheme.ts')
writeFileSync(file, starterText({ name: 'my-scheme', from: 'packages' }))
const [scheme] = schemesIn((await import(file)) as Record<string, unknown>)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

conforms(scheme!, { isOwn: true })

it('is exported by a name that its test imports', () => {
  expect(starterText({ name: 'my-scheme', from: 'weir' })).toContain(
    'export const myScheme: Scheme',
  )
  expect(starterTestText('my-scheme')).toContain("import { myScheme } from './my-scheme.ts'")
})
