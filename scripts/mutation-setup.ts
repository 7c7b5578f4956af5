import { beforeEach } from 'vitest'

/**
 * Tests that take a second or more and say little about one line: with them a mutant would cost a
 * minute. What only they would notice counts as survived.
 */
const LONG = [
  'as every scheme',
  'on a network',
  'on the test bed',
  'on a fabric holds the queue',
  'near the fair share when few FRPs are lost',
  'near the line rate with a queue far below T_high',
  '95% busy with next to no queue',
  'in the middle of a run',
  'one flow over a round trip',
  'copes with 5,000 flows',
  'on any fabric and by any path',
  'gives the same trajectory twice',
  'a flow on ports of its own',
  'makes them wait as M/D/1 says',
  'a 2 x 2 switch',
  'although their packets differ in length',
  'PFC is unfair',
  'PFC deadlocks',
  'PFC makes a victim',
  'is saturation where more is offered',
  'names every flow that did not end',
  'is none when it is lossy',
  'computes the same rates at every sender',
  'moves flows to VLB where the rack gains',
  'gives what a flow does not use to the others',
  'by chance are all repaired',
  'is of one mind again',
  'they agree within four digests',
  'move the tornado to VLB',
]

beforeEach((context) => {
  const names: string[] = []
  for (let one: { name: string; suite?: unknown } | undefined = context.task; one !== undefined;) {
    names.unshift(one.name)
    one = one.suite as { name: string; suite?: unknown } | undefined
  }
  const name = names.join(' ')
  if (LONG.some((part) => name.includes(part))) context.skip('too long for mutants')
})
