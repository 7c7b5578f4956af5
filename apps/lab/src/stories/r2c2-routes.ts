/**
 * The adversarial pattern and the choice of routes: the R2C2 paper (SIGCOMM 2015), sections 2.2.1
 * and 3.4, Fig. 2. `r2c2-routes.test.ts` measures every number that is said here.
 */
import type { Story, StoryLane } from './story.ts'

const SERVERS = 8
const SPRAY = 'packet-spray'
const CHOICE = '{kind: choice, of: [packet-spray, vlb]}'

/** Flows of every server to the one so many places on, clockwise. */
const flows = (name: string, on: number): string[] =>
  Array.from(
    { length: SERVERS },
    (_, i) => `      - {name: ${name}${i}, from: h${i}, to: h${(i + on) % SERVERS}}`,
  )
const far = flows('far', 3)
const near = flows('near', 1)
/** In turns: the first of both have colours of their own. */
const both = far.flatMap((line, i) => [line, near[i]!])

const ring = (routing: string, all: readonly string[]): string => `name: ring-of-servers
title: Eight servers in a ring
description: >-
  Servers that forward for each other, with long flows; the links are the only resource.
topology: {kind: torus, dimensions: [${SERVERS}], rate: 10Gbps, delay: 100ns, injectionRate: 20Gbps}
routing: ${routing}
fabric: {flowControl: none, buffer: {size: 4MB, threshold: 1MB}}
hosts: {mtu: 500B, header: 0B, ack: none, reliability: none}
workload:
  - flows:
${all.join('\n')}
scheme: {name: r2c2, params: {rho: 10us, start: link, routePeriod: 1ms}}
run: {until: 2ms}
`

const FIXED: StoryLane = 'r2c2'
const ADAPTIVE: StoryLane = { scheme: 'r2c2', params: { routes: 'adaptive' } }
/** One link clockwise, and the one beside it. */
const ON = 'n7->n0'
const BACK = 'n0->n7'

export const r2c2Routes: Story = {
  name: 'r2c2-routes',
  title: 'The worst traffic, and a choice of routes',
  about:
    'The shortest way is not best for all, nor is any other: a rack that chooses for each flow.',
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
          'forward for each other (in the picture n0 is the part of server h0 that does). Three ' +
          'on is three hops clockwise and five the other way, so everyone goes clockwise: each ' +
          'of those links carries *three* flows, and those back are *idle*.',
        'R2C2 fills links to 95 %: a third of that is *3.17 Gb/s* for each flow. The routing ' +
          'literature calls this pattern the tornado.',
      ],
      spec: ring(SPRAY, far),
      schemes: [FIXED],
      look: [ON, BACK],
      plot: ['inside rate', `port ${BACK}`, `port ${ON}`],
      at: '900us',
      speed: 0.25,
      zoom: ['500us', '2ms'],
      smooth: true,
      notes: [{ at: BACK, text: 'nobody goes this way', side: 'above' }],
    },
    {
      title: 'By way of anyone',
      ask: {
        question:
          'Valiant’s idea (VLB): each packet goes to a server drawn by lot first, and on to its ' +
          'target from there. Ways are four hops long on average instead of three. Does the rack ' +
          'carry more?',
        guesses: ['Less: longer ways waste links', 'Half as much again', 'Twice as much'],
        right: 1,
      },
      text: [
        'Both directions are in use now, all links alike. Eight flows of four hops on sixteen ' +
          'links are two flows per link, instead of three on half of them: *4.75 Gb/s* for each ' +
          'instead of 3.17.',
        'Each flow is on every link: look at how its ribbons have become thin and many.',
      ],
      spec: ring('vlb', far),
      schemes: [FIXED],
      look: [ON, BACK],
      plot: ['inside rate', `port ${BACK}`, `port ${ON}`],
      at: '900us',
      speed: 0.25,
      zoom: ['500us', '2ms'],
      smooth: true,
    },
    {
      title: 'The wrong cure',
      ask: {
        question:
          'Now everyone sends to the next one only, over a link of its own. The packets still go ' +
          'by way of anyone. What does each flow get?',
        guesses: ['9.5 Gb/s: the link is its own', '4.75 Gb/s, as before', '3.17 Gb/s'],
        right: 1,
      },
      text: [
        'VLB makes the same of any traffic, the worst and the best: *4.75 Gb/s*. Straight on, ' +
          'each flow would have had *9.5*.',
        'No routing is best for all traffic. That is the paper’s Fig. 2, a table of four ' +
          'routings and six patterns in which every routing loses somewhere (under *Figures*, ' +
          'R2C2).',
      ],
      spec: ring('vlb', near),
      schemes: [FIXED],
      look: [ON, BACK],
      plot: ['inside rate', `port ${BACK}`, `port ${ON}`],
      at: '900us',
      speed: 0.25,
      zoom: ['500us', '2ms'],
      smooth: true,
    },
    {
      title: 'The rack decides',
      ask: {
        question:
          'Everyone knows all flows, so anyone can reckon what another routing would give. Back ' +
          'to the tornado, with spraying (the shortest ways) and VLB to choose from for each ' +
          'flow. In lane B a ' +
          'server does so at 1 ms. What will it choose?',
        guesses: ['VLB for all eight', 'VLB for four of them', 'Spraying: shorter is better'],
        right: 0,
      },
      text: [
        'At 1 ms the server whose turn it is finds that all of them together get more by VLB, ' +
          'and says so. When rates are next computed all eight change their ways and their ' +
          'rates in one moment: from 3.17 to *4.75 Gb/s*, 38 in all instead of 25.3. The links ' +
          'back come to life.',
        'In lane A nobody chooses. New flows always begin with the shortest ways, which is best ' +
          'for those that are over soon.',
      ],
      spec: ring(CHOICE, far),
      lane: 'B',
      schemes: [FIXED, ADAPTIVE],
      look: [BACK],
      plot: ['inside rate', `port ${BACK}`],
      at: '985us',
      speed: 0.1,
      zoom: ['800us', '1.3ms'],
    },
    {
      title: 'Each flow its own',
      ask: {
        question:
          'Both at once: everyone sends to the third one on (far) and to the next (near). All ' +
          'sprayed (the shortest ways, as in the first step), each of the sixteen flows gets ' +
          '2.38 Gb/s. All by VLB, it is 2.38 as well. ' +
          'Can a choice do better than both?',
        guesses: [
          'Nothing can: 2.38 is what the links give',
          'Far by VLB, and near straight on',
          'Every second flow by VLB',
        ],
        right: 1,
      },
      text: [
        'The server tries assignments and reckons the rates of each. It comes to VLB for the ' +
          'eight that go far and leaves the others as they are: *3.17 Gb/s* for each of the ' +
          'sixteen, *a third more* than any one routing for all would give.',
        'Two of them stand out in the picture: far0 (blue), which spreads over the whole ring, ' +
          'and near0 (amber), which keeps to its one link.',
      ],
      spec: ring(CHOICE, both),
      lane: 'B',
      schemes: [FIXED, ADAPTIVE],
      look: [],
      bright: ['far0', 'near0'],
      flows: ['far0', 'near0'],
      plot: ['inside rate', 'rates'],
      at: '985us',
      speed: 0.1,
      zoom: ['800us', '1.3ms'],
      smooth: true,
    },
    {
      title: 'Five bytes per flow',
      ask: {
        question:
          'Sixteen flows and two routings are 65,536 assignments; a thousand flows have more ' +
          'than there are atoms. How does a server find a good one?',
        guesses: [
          'It tries some thousands, and breeds the best',
          'It tries all of them, while there is time',
          'Each flow takes what is best for itself',
        ],
        right: 0,
      },
      text: [
        'The paper takes a *genetic* search: the best assignments of a generation are crossed ' +
          'and changed, 2,000 trials in all here, each judged by the sum of the rates that it ' +
          'would give. It looks for what is best for all together, not for each by itself.',
        'Time goes very slowly here: at 1 ms the outcome is broadcast like the start of a flow, ' +
          'five bytes for each flow that changes, and all eight servers know it *1.76 us* later: ' +
          'the links are full, and at each the packet that is just being sent goes first. The ' +
          'paper chooses every few seconds, for long flows only. (In the plot of *routing* 0 is ' +
          'spraying and 1 is VLB.)',
      ],
      spec: ring(CHOICE, both),
      schemes: [ADAPTIVE],
      look: [],
      packets: true,
      flows: ['far0', 'near0'],
      plot: ['inside routing', 'inside rate'],
      at: '999.9us',
      speed: 0.005,
      zoom: ['980us', '1.03ms'],
    },
  ],
}
