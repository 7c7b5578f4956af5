/** Must show: for every figure, the mechanism switched off makes its checks fail. */
import { expect, it } from 'vitest'
import { figures as accurate } from './accurate/index.ts'
import { figures as infiniband } from './infiniband/index.ts'
import { figures as lecture } from './lecture/index.ts'
import { figures as r2c2 } from './r2c2/index.ts'

it('every figure names a mechanism to take away', () => {
  const all = [...accurate, ...infiniband, ...lecture, ...r2c2]
  expect(all.filter(({ switches = [] }) => switches.length === 0).map(({ id }) => id)).toEqual([])
})
