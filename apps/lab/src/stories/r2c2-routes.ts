/** Routing in a rack without switches: the R2C2 paper (SIGCOMM 2015), sections 2 and 3, Fig. 2. */
import type { Story } from './story.ts'

const HOSTS = 8
const HOPS = 3

/** Everyone sends three on; with `both`, as a second flow, also the long way round. */
const ring = (both: boolean): string => {
  const flows = Array.from({ length: HOSTS }, (_, i) => {
    const to = (i + HOPS) % HOSTS
    const back = Array.from({ length: HOSTS - HOPS + 1 }, (_, k) => `n${(i - k + HOSTS) % HOSTS}`)
    const short = `      - {name: s${i}, from: h${i}, to: h${to}}`
    const long = `      - {name: l${i}, from: h${i}, to: h${to}, path: [${back.join(', ')}]}`
    return both ? `${short}\n${long}` : short
  })
  return `name: ring-of-servers
title: Eight servers in a ring
description: >-
  Every server sends to the third one on: as far as it can be without the other way being shorter.
topology: {kind: torus, dimensions: [${HOSTS}], rate: 10Gbps, delay: 100ns}
workload:
  - flows:
${flows.join('\n')}
scheme: accurate
run: {until: 400us}
`
}

const grid = (routing: string): string => `name: rack-${routing}
title: Sixteen servers, everyone sends to someone
description: A 4 x 4 torus whose servers forward for each other.
topology: {kind: torus, dimensions: [4, 4], rate: 10Gbps, delay: 100ns}
routing: ${routing}
workload:
  - generate:
      name: to
      arrivals: once
      sizes: 400KB
      pattern: permutation
scheme: accurate
run: {until: 1ms}
`

export const r2c2Routes: Story = {
  name: 'r2c2-routes',
  title: 'A rack without switches',
  about:
    'Servers forward for each other, most links have a way around, and the shortest is not best.',
  steps: [
    {
      title: 'Everyone sends three on',
      ask: {
        question:
          'Eight servers in a ring, two links each. Every one sends to the third one on, by the ' +
          'shortest way. How many of the links carry data?',
        guesses: ['All', 'Half of them', 'A quarter'],
        right: 1,
      },
      text: [
        'Rack-scale computers have no switch: servers are joined to their neighbours, and ' +
          'forward for each other. Three on is three hops to the right and five to the left, so ' +
          'everyone goes right: each link to the right carries *three* flows, each gets a third, ' +
          'and the links to the left are *idle*.',
      ],
      spec: ring(false),
      schemes: ['accurate'],
      look: ['n0->n1', 'n1->n0'],
      plot: ['rates', 'port n0->n1', 'port n1->n0'],
      smooth: true,
    },
    {
      title: 'The long way round',
      ask: {
        question:
          'Let everyone also send a second flow, the long way, over five hops. It uses more ' +
          'links for each byte. Does the rack as a whole carry more?',
        guesses: ['No: longer ways waste links', 'Yes, about 60 % more', 'Twice as much'],
        right: 1,
      },
      text: [
        'The idle links carry five flows each, a fifth of their rate. Together each server now ' +
          'sends 1/3 + 1/5 = 0.53 of a link instead of 0.33: *60 % more*.',
        'The shortest path is the best for one packet, and the worst for this traffic. For ' +
          'neighbours that talk to neighbours it is the other way round: no routing is the best ' +
          'for all traffic.',
      ],
      spec: ring(true),
      schemes: ['accurate'],
      look: ['n0->n1', 'n1->n0'],
      plot: ['rates', 'port n0->n1', 'port n1->n0'],
      smooth: true,
    },
    {
      title: 'Chance and its collisions',
      ask: {
        question:
          'A torus of sixteen; everyone sends 400 KB to someone, on one shortest way per pair. ' +
          'Some flows share a link, others have theirs alone. When does the last one end?',
        guesses: ['All end together', 'The last takes several times as long as the first'],
        right: 1,
      },
      text: [
        'Look for links with several ribbons beside links with none. The flows that share are ' +
          'the last to end.',
        'R2C2’s servers *broadcast* the start and end of every flow, a few bytes each. So ' +
          'everyone knows all flows, can compute everyone’s rate, and choose ways for long flows ' +
          'together instead of each by chance.',
      ],
      spec: grid('shortest-path'),
      schemes: ['accurate'],
      look: [],
      plot: ['rates', 'fairness'],
    },
    {
      title: 'Every packet its own way',
      text: [
        'The same traffic with packets *sprayed* over all shortest ways: links even out, and the ' +
          'slowest flows end sooner. The price is order: packets of a flow overtake each other.',
        'The figure *Throughput of four routings on six traffic patterns* (under Figures, R2C2) ' +
          'measures who wins where.',
      ],
      spec: grid('packet-spray'),
      schemes: ['none'],
      look: [],
      plot: ['rates', 'fairness'],
    },
  ],
}
