/**
 * Congestion spreading under PFC: section 2.2 and Fig. 4 of DCQCN (SIGCOMM 2015; not verified),
 * cut down to the two switches that matter; Trivedi 2019 names it among PFC's limitations ('victim
 * flows').
 */
import type { Scenario } from './scenario.ts'

export const pfcVictim: Scenario = {
  name: 'pfc-victim',
  text: `name: pfc-victim
title: A victim of PFC
description: >-
  Three flows meet at R: a from the far switch, b and c from next door. The victim runs from the far
  switch to W, which nobody else talks to: 16.7 Gb/s are free for it. But PFC stops a class of a
  link, not a flow: when R's switch pauses the link that a comes by, the victim stands still with
  it, and gets no more than a. Put the victim in a class of its own
  (--set 'workload[0].flows[3].class=2'), or take a scheme that slows a down at its source.
topology:
  kind: graph
  hosts: [A, B, C, V, R, W]
  switches: [far, near]
  rate: 25Gbps
  delay: 1us
  links:
    - A far
    - V far
    - B near
    - C near
    - R near
    - W near
    - far near
fabric:
  buffer: 2MB
  flowControl: {kind: pfc, xoff: 100KB}
workload:
  - flows:
      - {name: a, from: A, to: R}
      - {name: b, from: B, to: R}
      - {name: c, from: C, to: R}
      - {name: victim, from: V, to: W}
scheme: none # flow control alone, to show the fault; try --scheme dcqcn --preset firmware
run: {until: 4ms}
metrics:
  series: [rate.*, paused.far->near.c3, queue.near->R.c3]
`,
}
