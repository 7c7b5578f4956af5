/**
 * WebSearch on 320 hosts: the main experiment of HPCC (SIGCOMM 2019, section 5) and of PACC
 * (PACC, Figs. 7 and 9).
 */
import type { Scenario } from './scenario.ts'

export const websearch320: Scenario = {
  name: 'websearch-320',
  text: `name: websearch-320
title: WebSearch at 50% load on 320 hosts
description: >-
  The fabric and traffic by which HPCC and PACC are judged: racks of 16 hosts at 25 Gb/s under a
  three-tier 100 Gb/s network. Compare slowdown by flow size: short flows show the queues that a
  scheme keeps, long ones the bandwidth it gives away.
topology: {kind: three-tier, hostRate: 25Gbps, fabricRate: 100Gbps, delay: 1us}
fabric:
  buffer: 32MB
  flowControl: pfc
hosts:
  mtu: 1000B
  ack: {every: 1}
workload:
  - generate:
      arrivals: {kind: poisson, load: 0.5}
      sizes: WebSearch
      pattern: uniform
scheme: dcqcn
run: {until: 5ms}
`,
}
