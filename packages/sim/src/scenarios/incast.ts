/**
 * Incast with bystanders: the traffic of a partitioned query, and of section 6.2 of DCQCN (SIGCOMM
 * 2015; number not verified), on the smallest fabric that shows it.
 */
import type { Scenario } from './scenario.ts'

export const incast: Scenario = {
  name: 'incast',
  text: `name: incast
title: Sixteen to one, with two bystanders
description: >-
  Sixteen hosts answer h0 at once, 128 KB each, at 0.5 ms and again at 2 ms. Two long flows run
  beside them: one shares the receiver's link, the other only a sender's. Watch the queue towards
  h0, the pause frames, how far the second long flow suffers although its own path is free, and how
  fast both are back at full rate.
topology: {kind: star, hosts: 19, rate: 25Gbps, delay: 1us}
fabric:
  buffer: 2MB # a shallow switch, so that PFC has something to do
workload:
  - flows:
      - {name: shares-receiver, from: h17, to: h0}
      - {name: shares-sender, from: h1, to: h18}
  - generate:
      name: burst
      arrivals: {kind: periodic, period: 1500us, count: 2}
      sizes: 128KB
      pattern: {kind: incast, senders: 16, receiver: h0}
      start: 500us
scheme: dcqcn
run: {until: 4ms, drain: 50ms} # what has begun may end
metrics:
  series: [rate.shares-*, queue.switch->h0*, paused.*, utilisation.switch->*]
`,
}
