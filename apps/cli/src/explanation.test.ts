import { none } from '@weir/schemes'
import { expect, it } from 'vitest'
import { explanation } from './explanation.ts'

const PAGE = `# none

## Parameters

| name | default | source |
| ---- | ------- | ------ |
| wrong | 1 | the page |

Before.

| routing | protocol |
| ------- | -------- |
| \`vlb\` | VLB |

After.
`

it('leaves out the table of parameters, which the program has itself, and no other', () => {
  const text = explanation(none, PAGE, false)
  expect(text).not.toContain('wrong')
  expect(text).toMatch(
    /Before\.\n\n\| routing \| protocol \|\n\| -+ \| -+ \|\n\| vlb \| VLB \|\n\nAfter/u,
  )
})
