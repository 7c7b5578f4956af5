/**
 * Deadlock under PFC: a cycle of buffers, each full of packets that wait for the next. The ring is
 * the smallest form of what S. Hu et al. describe ("Deadlocks in Datacenter Networks: Why Do They
 * Form, and How to Avoid Them", HotNets 2016); Trivedi 2019: 'deadlocks in large networks'.
 *
 * `pfc-deadlock-lanes` is the same fabric and the same traffic, with one flow in a class (virtual
 * lane) of its own: W. Dally and C. Seitz, "Deadlock-Free Message Routing in Multiprocessor
 * Interconnection Networks", 1987 (not verified). A flow keeps its class along its way here, so the
 * lane is the flow's and not, as in that paper, the hop's (docs/lanes.md).
 */
import type { Scenario } from './scenario.ts'

const ring = (name: string, title: string, description: string, lastClass: number): string => `
name: ${name}
title: ${title}
description: >-
  ${description}
topology:
  kind: graph
  hosts: [H0, H1, H2, H3]
  switches: [S0, S1, S2, S3]
  rate: 25Gbps
  delay: 1us
  links:
    - H0 S0
    - H1 S1
    - H2 S2
    - H3 S3
    - S0 S1
    - S1 S2
    - S2 S3
    - S3 S0
fabric:
  buffer: 2MB
  flowControl: {kind: pfc, xoff: 100KB}
workload:
  - flows: # each crosses two links of the ring, clockwise: every link carries two flows
      - {name: f0, from: H0, to: H2, path: [S0, S1, S2], size: 5MB, class: 3}
      - {name: f1, from: H1, to: H3, path: [S1, S2, S3], size: 5MB, class: 3}
      - {name: f2, from: H2, to: H0, path: [S2, S3, S0], size: 5MB, class: 3}
      - {name: f3, from: H3, to: H1, path: [S3, S0, S1], size: 5MB, class: ${lastClass}}
scheme: none
run: {until: 20ms}
metrics:
  series: [rate.*, paused.S*]
`

export const pfcDeadlock: Scenario = {
  name: 'pfc-deadlock',
  text: ring(
    'pfc-deadlock',
    'A ring that locks up',
    `Four flows go clockwise around a ring of four switches, two links each. Every switch pauses the
  one before it, all wait for each other, and nothing ever moves again: the result says deadlock and
  names the cycle. Compare with pfc-deadlock-lanes, and with a scheme that keeps PFC from firing.`,
    3,
  ),
}

export const pfcDeadlockLanes: Scenario = {
  name: 'pfc-deadlock-lanes',
  text: ring(
    'pfc-deadlock-lanes',
    'The same ring, with a lane that breaks the cycle',
    `The ring of pfc-deadlock, the flow that closes the cycle in a class of its own: class 3 waits
  from S0 to S3 and no further, class 4 only for its own. PFC fires as before, and all flows end.`,
    4,
  ),
}
