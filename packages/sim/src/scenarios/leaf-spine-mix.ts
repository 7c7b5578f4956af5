/**
 * Background traffic with incast on top: HPCC (SIGCOMM 2019), section 5.3 (number not
 * verified), scaled to a few racks.
 */
import type { Scenario } from './scenario.ts'

export const leafSpineMix: Scenario = {
  name: 'leaf-spine-mix',
  text: `name: leaf-spine-mix
title: WebSearch with incast on a leaf-spine fabric
description: >-
  Four racks of 16 hosts carry WebSearch traffic at 30% load; now and then 16 hosts drawn at random
  send 64 KB each to one host together. Watch what the bursts do to the short flows of the
  background, and whether pauses spread from the burst's receiver to racks that have no part in it.
topology:
  kind: leaf-spine
  leaves: 4
  spines: 4
  hostsPerLeaf: 16
  hostRate: 25Gbps
  fabricRate: 100Gbps
  delay: 1us
fabric:
  buffer: 8MB # a quarter of the usual, for a quarter of the usual ports
workload:
  - generate:
      name: background
      arrivals: {kind: poisson, load: 0.3}
      sizes: WebSearch
      pattern: uniform
  - generate:
      name: burst
      arrivals: {kind: poisson, interval: 500us}
      sizes: 64KB
      pattern: {kind: incast, senders: 16, receiver: h0, drawSenders: true}
scheme: dcqcn
run: {until: 5ms}
`,
}
