/**
 * Flows that join and leave one link: PACC, Fig. 6, and DCTCP (SIGCOMM 2010), Fig. 16,
 * at intervals of 5 ms where the papers take 50 ms or seconds.
 */
import type { Scenario } from './scenario.ts'

export const dumbbellFair: Scenario = {
  name: 'dumbbell-fair',
  text: `name: dumbbell-fair
title: Four long flows join and leave
description: >-
  Long flows join a shared 25 Gb/s link one after another, 5 ms apart, and leave in the
  same order. Watch how soon each newcomer has its fair share (a half, a third, a quarter), how
  steady it holds it, and how soon the others take what a leaver frees.
topology: {kind: dumbbell, left: 4, right: 4, rate: 25Gbps, bottleneckRate: 25Gbps, delay: 1us}
workload:
  - flows:
      - {name: f1, from: l0, to: r0, start: 0ms, stop: 25ms}
      - {name: f2, from: l1, to: r1, start: 5ms, stop: 30ms}
      - {name: f3, from: l2, to: r2, start: 10ms, stop: 35ms}
      - {name: f4, from: l3, to: r3, start: 15ms}
scheme: dcqcn
run: {until: 40ms}
metrics:
  series: [rate.*, queue.left->right*]
`,
}
