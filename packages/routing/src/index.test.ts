import { expect, it } from 'vitest'
import { routings } from './index.ts'

it('lists every routing under its own name', () => {
  for (const [kind, routing] of Object.entries(routings)) expect(routing.name).toBe(kind)
})
