/**
 * FB_Hadoop on 320 hosts: PACC, Figs. 8 and 10; HPCC (SIGCOMM 2019), section 5.
 */
import type { Scenario } from './scenario.ts'

export const hadoop320: Scenario = {
  name: 'hadoop-320',
  text: `name: hadoop-320
title: FB_Hadoop at 50% load on 320 hosts
description: >-
  As websearch-320, with many more and much shorter flows: half are below 700 bytes and end within
  a round trip, before any scheme can act. Compare the tail of the smallest sizes.
topology: {kind: three-tier, hostRate: 25Gbps, fabricRate: 100Gbps, delay: 1us}
fabric:
  buffer: 32MB
  flowControl: pfc
workload:
  - generate:
      arrivals: {kind: poisson, load: 0.5}
      sizes: FB_Hadoop
      pattern: uniform
scheme: dcqcn
run: {until: 2ms}
metrics:
  buckets: [300B, 500B, 700B, 1KB, 2KB, 7KB, 30KB, 50KB, 80KB, 120KB, 300KB, 1MB, 10MB]
`,
}
