/**
 * Unfairness of PFC: section 2.2 and Fig. 3 of DCQCN (SIGCOMM 2015; not verified). A switch pauses
 * ports, so a port that carries one flow does as well as a port that carries many.
 */
import type { Scenario } from './scenario.ts'

export const pfcUnfair: Scenario = {
  name: 'pfc-unfair',
  text: `name: pfc-unfair
title: PFC is fair to ports, not to flows
description: >-
  Four flows end at R: H1 to H3 come from the far switch by one link, H4 has a port of its own at
  R's switch. Fair is a quarter each. PFC pauses both ports alike, so H4 takes a half and the others
  a sixth each. Watch how a scheme with per-flow rates makes them equal.
topology:
  kind: graph
  hosts: [H1, H2, H3, H4, R]
  switches: [far, near]
  rate: 25Gbps
  delay: 1us
  links:
    - H1 far
    - H2 far
    - H3 far
    - H4 near
    - R near
    - far near
fabric:
  buffer: 2MB
  flowControl: {kind: pfc, xoff: 100KB}
workload:
  - flows:
      - {name: f1, from: H1, to: R}
      - {name: f2, from: H2, to: R}
      - {name: f3, from: H3, to: R}
      - {name: f4, from: H4, to: R}
scheme: none # flow control alone, to show the fault; try --scheme dcqcn
run: {until: 10ms}
metrics:
  series: [rate.*, paused.*]
`,
}
