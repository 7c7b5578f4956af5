/**
 * The baseline PFQ of R2C2, section 5.2, on 64 servers instead of 512: 'per-flow queues ... that
 * uses back-pressure and per-flow queues at each node'.
 */
import type { Scenario } from './scenario.ts'

export const torusPerFlow: Scenario = {
  name: 'torus-per-flow',
  text: `name: torus-per-flow
title: A torus with a queue for each flow
description: >-
  The servers of a 4 x 4 x 4 torus spray heavy-tailed flows to each other. Each output has a queue
  for each flow and serves them in turn, and a flow that is too long at a node is stopped there, and
  it alone: no other flow waits for it, nothing is lost, and no rate control is needed. What it
  costs is memory. Compare switch: shared-memory with flowControl: pfc.
topology: {kind: torus, dimensions: [4, 4, 4], rate: 10Gbps, delay: 100ns, injectionRate: 60Gbps}
fabric: {switch: per-flow-queues}
hosts: {reliability: unordered}
routing: packet-spray
workload:
  - generate:
      arrivals: {kind: poisson, interval: 2us}
      sizes: {kind: pareto, shape: 1.05, mean: 100KB, max: 10MB}
      pattern: uniform
scheme: none
run: {until: 3ms}
`,
}
