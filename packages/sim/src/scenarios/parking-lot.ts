/**
 * The parking lot: ACCurate, section III-A and Fig. 3. The paper draws a fat tree and
 * shows the part that matters; the routing conflict that puts f1 and f2 on one link is written as
 * their path.
 */
import type { Scenario } from './scenario.ts'

export const parkingLot: Scenario = {
  name: 'parking-lot',
  text: `name: parking-lot
title: Parking lot
description: >-
  Three flows end at H4: two from a remote leaf, which already share a link on their way, and one
  from next door. Fair is a third each. Back-pressure alone shares each switch between its inputs,
  so the neighbour gets a half and the remote flows a quarter each; a scheme that counts marks
  punishes the remote flows twice. ACCurate gives all three 10/3 Gb/s, less 5% of headroom.
topology:
  kind: graph
  hosts: [H1, H2, H3, H4]
  switches: [leaf1, leaf2, spine1, spine2]
  rate: 10Gbps
  delay: 100ns
  links:
    - H1 leaf1
    - H2 leaf1
    - H3 leaf2
    - H4 leaf2
    - leaf1 spine1
    - leaf1 spine2
    - leaf2 spine1
    - leaf2 spine2
fabric:
  switch: input-buffered
  buffer: 2500B # an input port, section III
  flowControl: credits
  classes: 2 # data below, control above: FRPs travel with high priority
hosts:
  mtu: 240B
  header: 16B # 256 B packets on the wire
  ack: {every: 1, size: 20B, class: control}
workload:
  - flows:
      - {name: f1, from: H1, to: H4, path: [leaf1, spine1, leaf2]}
      - {name: f2, from: H2, to: H4, path: [leaf1, spine1, leaf2]}
      - {name: f3, from: H3, to: H4}
scheme: none # back-pressure alone, to show the fault; try --scheme accurate
run: {until: 1ms}
`,
}
