/**
 * A rack-scale torus: the sizes and pattern of R2C2, section 5.2, on 64 servers
 * instead of 512.
 */
import type { Scenario } from './scenario.ts'

export const torusUniform: Scenario = {
  name: 'torus-uniform',
  text: `name: torus-uniform
title: Heavy-tailed flows on a 4 x 4 x 4 torus
description: >-
  Servers that are their own switches, in a three-dimensional torus with 10 Gb/s links, send flows
  of Pareto sizes (95% below 100 KB) to each other. Paths differ in length, so hop count shows in
  the short flows; long flows cross several bottlenecks. Compare ECMP with packet-spray.
topology: {kind: torus, dimensions: [4, 4, 4], rate: 10Gbps, delay: 100ns}
workload:
  - generate:
      arrivals: {kind: poisson, load: 0.3}
      sizes: {kind: pareto, shape: 1.05, mean: 100KB, max: 10MB}
      pattern: uniform
scheme: dcqcn
run: {until: 3ms}
`,
}
