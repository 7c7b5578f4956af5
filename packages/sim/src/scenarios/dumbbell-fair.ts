/**
 * Flows that join and leave one link: document E (PACC), Fig. 6, and DCTCP (SIGCOMM 2010), Fig. 16,
 * with milliseconds where the papers take tens of them or seconds.
 */
import type { Scenario } from './scenario.ts'

export const dumbbellFair: Scenario = {
  name: 'dumbbell-fair',
  text: `name: dumbbell-fair
title: Four long flows join and leave
description: >-
  Long flows join a shared 25 Gb/s link one after another, a millisecond apart, and leave in the
  same order. Watch how soon each newcomer has its fair share (a half, a third, a quarter), how
  steady it holds it, and how soon the others take what a leaver frees.
topology: {kind: dumbbell, left: 4, right: 4, rate: 25Gbps, bottleneckRate: 25Gbps, delay: 1us}
workload:
  - flows:
      - {name: f1, from: l0, to: r0, start: 0ms, stop: 5ms}
      - {name: f2, from: l1, to: r1, start: 1ms, stop: 6ms}
      - {name: f3, from: l2, to: r2, start: 2ms, stop: 7ms}
      - {name: f4, from: l3, to: r3, start: 3ms}
scheme: dcqcn
run: {until: 8ms}
metrics:
  series: [rate.*, queue.left->right*]
`,
}
