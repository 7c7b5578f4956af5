import { beforeEach } from 'vitest'
import { LONG } from './mutation-long.ts'

/** Leaves out the tests that would make a mutant cost a minute. */
beforeEach((context) => {
  const names: string[] = []
  for (let one: { name: string; suite?: unknown } | undefined = context.task; one !== undefined;) {
    names.unshift(one.name)
    one = one.suite as { name: string; suite?: unknown } | undefined
  }
  const name = names.join(' ')
  if (LONG.some((part) => name.includes(part))) context.skip('too long for mutants')
})
