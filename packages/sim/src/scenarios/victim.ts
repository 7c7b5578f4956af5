/**
 * The victim flow: ACCurate, section III-B and Fig. 4. The text names the sources of
 * f2 and f3 both as H3, H4 and as H2, H3; here they are H3 and H4. Where f1 leaves the leaf is not
 * said, only that its path is disjoint: here it takes the other spine. The paper does not give the
 * depth of the NIC's queue either: 480 packets are what 150 us of recovery tell (Fig. 4b).
 */
import type { Scenario } from './scenario.ts'

export const victim: Scenario = {
  name: 'victim',
  text: `name: victim
title: Victim flow
description: >-
  f1 and f4 leave the same host; f2, f3 and f4 share a link from leaf to spine, which f1 does not
  use. f3 joins at 170 us, f4 at 370 us, and f4 leaves at 570 us. With back-pressure alone f4's
  backlog reaches H1 and drags the innocent f1 down to f4's 3.33 Gb/s, and rates come back only
  once the backlog has drained. ACCurate gives f1 the 6.66 Gb/s that f4 leaves, in two periods.
topology:
  kind: graph
  hosts: [H1, H3, H4, H5, H6, H7, H8]
  switches: [leaf1, leaf2, leaf3, leaf4, spine1, spine2]
  rate: 10Gbps
  delay: 100ns
  links:
    - H1 leaf1
    - H3 leaf1
    - H4 leaf1
    - H5 leaf2
    - H6 leaf2
    - H7 leaf3
    - H8 leaf4
    - leaf1 spine1
    - leaf1 spine2
    - leaf2 spine1
    - leaf2 spine2
    - leaf3 spine1
    - leaf3 spine2
    - leaf4 spine1
    - leaf4 spine2
fabric:
  switch: input-buffered
  buffer: 2500B
  flowControl: credits
  classes: 2
hosts:
  mtu: 240B
  header: 16B
  ack: {every: 1, size: 20B, class: control}
  injection: {kind: shared-fifo, packets: 480} # what f1 shares with f4: 150 us at f4's rate
workload:
  - flows:
      - {name: f1, from: H1, to: H5, path: [leaf1, spine2, leaf2]}
      - {name: f2, from: H3, to: H6, path: [leaf1, spine1, leaf2]}
      - {name: f3, from: H4, to: H7, path: [leaf1, spine1, leaf3], start: 170us}
      - {name: f4, from: H1, to: H8, path: [leaf1, spine1, leaf4], start: 370us, stop: 570us}
scheme: none # back-pressure alone, to show the fault; try --scheme accurate
run: {until: 800us}
`,
}
