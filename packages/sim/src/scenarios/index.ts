/** The built-in scenarios, small ones first. One is added with a file and a line here. */
import { dumbbellFair } from './dumbbell-fair.ts'
import { hadoop320 } from './hadoop-320.ts'
import { incast } from './incast.ts'
import { infinibandTestbed, infinibandTestbed2 } from './infiniband-testbed.ts'
import { leafSpineMix } from './leaf-spine-mix.ts'
import { parkingLot } from './parking-lot.ts'
import { permutation } from './permutation.ts'
import { permutation1024 } from './permutation-1024.ts'
import { pfcDeadlock, pfcDeadlockLanes } from './pfc-deadlock.ts'
import { pfcUnfair } from './pfc-unfair.ts'
import { pfcVictim } from './pfc-victim.ts'
import { torusPerFlow } from './torus-per-flow.ts'
import { torusUniform } from './torus-uniform.ts'
import { victim } from './victim.ts'
import { websearch320 } from './websearch-320.ts'
import type { Scenario } from './scenario.ts'

export type { Scenario } from './scenario.ts'

export const scenarios: readonly Scenario[] = [
  incast,
  dumbbellFair,
  parkingLot,
  victim,
  pfcVictim,
  pfcUnfair,
  pfcDeadlock,
  pfcDeadlockLanes,
  infinibandTestbed,
  infinibandTestbed2,
  permutation,
  leafSpineMix,
  torusUniform,
  torusPerFlow,
  websearch320,
  hadoop320,
  permutation1024,
]

export function scenarioByName(name: string): Scenario | undefined {
  return scenarios.find((scenario) => scenario.name === name)
}
