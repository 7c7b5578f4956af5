/**
 * The permutation at the size of a cluster: 1,024 hosts on a 16-ary fat tree; the speed benchmark.
 */
import type { Scenario } from './scenario.ts'

export const permutation1024: Scenario = {
  name: 'permutation-1024',
  text: `name: permutation-1024
title: Permutation of 1024 hosts
description: >-
  Every host sends 1MB to one other host, all at once, on a fat tree with bandwidth for all of it.
  Only routing stands in the way: where ECMP puts several flows on one link they share it. Compare
  the slowest flow with the fastest, and ECMP with packet-spray.
topology: {kind: fat-tree, k: 16, rate: 25Gbps, delay: 1us}
workload:
  - generate:
      arrivals: once
      sizes: 1MB
      pattern: permutation
scheme: dcqcn
run: {until: 20ms} # ends when the last flow has
`,
}
