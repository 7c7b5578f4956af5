/**
 * A permutation on a fat tree: the test of routing that the fat tree's authors chose (Al-Fares et
 * al., SIGCOMM 2008, section 6, not verified).
 */
import type { Scenario } from './scenario.ts'

export const permutation: Scenario = {
  name: 'permutation',
  text: `name: permutation
title: Permutation of 128 hosts
description: >-
  Every host sends 1MB to one other host, all at once, on a fat tree with bandwidth for all of it.
  Only routing stands in the way: where ECMP puts several flows on one link they share it. Compare
  the slowest flow with the fastest, and ECMP with packet-spray.
topology: {kind: fat-tree, k: 8, rate: 25Gbps, delay: 1us}
workload:
  - generate:
      arrivals: once
      sizes: 1MB
      pattern: permutation
scheme: dcqcn
run: {until: 20ms} # ends when the last flow has
`,
}
