/**
 * One flow joins, and every node computes the same rates: the R2C2 paper (SIGCOMM 2015), sections
 * 3.1 to 3.3. `r2c2.test.ts` measures every number that is said here.
 */
import type { Story, StoryStep } from './story.ts'

/**
 * Packets without a header, so that rates are those of the wire; servers that can send and receive
 * by all four of their links at once.
 */
const rack = `name: rack-join
title: A flow joins a rack of sixteen
description: >-
  Three long flows in a 4 x 4 torus. A fourth begins at 500 us, and half of it goes by the link
  that f1 and f2 share.
topology: {kind: torus, dimensions: [4, 4], rate: 10Gbps, delay: 100ns, injectionRate: 40Gbps}
routing: packet-spray
hosts: {mtu: 250B, header: 0B, reliability: unordered}
workload:
  - flows:
      - {name: f1, from: h1.1, to: h2.1}
      - {name: f2, from: h1.0, to: h2.1}
      - {name: f3, from: h2.2, to: h3.2}
      - {name: f4, from: h0.1, to: h2.1, start: 500us}
scheme: {name: r2c2, params: {rho: 20us}}
run: {until: 1ms}
`

/** The link that limits three of them, and that of f3. */
const FULL = 'n1.1->n2.1'
const APART = 'n2.2->n3.2'
const RACK: Pick<StoryStep, 'spec' | 'schemes'> = { spec: rack, schemes: ['r2c2'] }

export const r2c2: Story = {
  name: 'r2c2',
  title: 'One flow joins a rack',
  about: 'Sixteen bytes to everyone, and every node computes the same rates by itself.',
  steps: [
    {
      title: 'Half of a flow',
      ask: {
        question:
          'f1 has one shortest way, the link from n1.1 to n2.1. f2 comes from n1.0 and has two: ' +
          'half of its packets go by that link. It carries 10 Gb/s, and 5 % are to stay free. ' +
          'What may each send, if both are to have the same?',
        guesses: ['4.75 Gb/s', '6.33 Gb/s', '9.5 Gb/s'],
        right: 1,
      },
      text: [
        'The routing says which part of a flow each link carries: all of f1, half of f2. If both ' +
          'rise together to x, the link carries x + x/2, and it is full, to 95 %, at ' +
          'x = *6.33 Gb/s*. Compare the two ribbons on it.',
        'Whoever knows all flows, and how they are routed, can work this out. R2C2 sees to it ' +
          'that *every server* knows.',
      ],
      ...RACK,
      look: [FULL],
      plot: ['inside rate', `port ${FULL}`],
      at: '420us',
      speed: 0.1,
      zoom: ['380us', '498us'],
      smooth: true,
      notes: [{ at: FULL, text: 'all of f1, half of f2', side: 'below' }],
    },
    {
      title: 'Sixteen bytes for everyone',
      ask: {
        question:
          'At 500 us f4 begins at n0.1. All sixteen servers are to hear of it; a link takes ' +
          '100 ns. When does the last one know?',
        guesses: [
          'Before a microsecond is over',
          'After 15 us: they are told one after the other',
          'When it next asks',
        ],
        right: 0,
      },
      text: [
        'Time goes very slowly here. Each *arrowhead* is the announcement of f4, 16 bytes, and ' +
          'the line behind it the *tree* along which it goes: each server passes it on to those ' +
          'that hang on it, so that it crosses 15 links and reaches everyone once. A ring is a ' +
          'server that knows.',
        'The farthest is four hops away: all sixteen know *474 ns* after the packet has left. ' +
          'Nobody answers, and nobody has asked a link how full it is.',
      ],
      ...RACK,
      look: [],
      bright: ['f4'],
      packets: true,
      plot: ['inside rate'],
      at: '499.9us',
      speed: 0.005,
      zoom: ['480us', '560us'],
    },
    {
      title: 'Everyone computes, and nobody asks',
      ask: {
        question:
          'Rates are computed at multiples of rho: every 20 us here, every 500 us in the paper. ' +
          'At 520 us each sender does it by itself, from the same list of flows. f4 has two ways ' +
          'as well, and half of it meets f1 and f2. What do they come to?',
        guesses: [
          'f4 gets what was left free',
          '4.75 Gb/s each for f1, f2 and f4',
          'A third of the link each: 3.17 Gb/s',
        ],
        right: 1,
      },
      text: [
        'x + x/2 + x/2 = 9.5: *4.75 Gb/s* for each of the three, and three senders that have ' +
          'not spoken to each other set it in the same moment. Look at *rate* at 520 us: f1 and ' +
          'f2 step down from 6.33, f4 from 20, which is what its two ways carry and what it may ' +
          'send until it is limited.',
        'No mark, no delay, no search: a list, the wiring, and a sum.',
      ],
      ...RACK,
      look: ['f1', 'f2', 'f4'],
      packets: true,
      plot: ['inside rate', 'rates'],
      at: '510us',
      speed: 0.05,
      zoom: ['480us', '560us'],
    },
    {
      title: 'The water rises',
      ask: {
        question:
          'All rates are raised together until a link is full, like water. The three are held at ' +
          '4.75 Gb/s by the link from n1.1 to n2.1. And f3, which shares no link with them?',
        guesses: [
          'It gets 4.75 Gb/s, like everyone',
          'It rises on: 9.5 Gb/s',
          'It gets all 10 Gb/s of its link',
        ],
        right: 1,
      },
      text: [
        'When a link is full, to the line at 0.95, the flows that cross it are *frozen*, and the ' +
          'water goes on rising for the others. f3 rises until its own link stands at the same ' +
          'line: *9.5 Gb/s*.',
        'Look at both links, some time after f4 has come: each is filled up to the line, on ' +
          'average, and no further. Nobody can get ' +
          'more without taking it from one that has no more: that is max-min fairness, with ' +
          'flows that go many ways at once.',
      ],
      ...RACK,
      settings: ['run.until=2ms'],
      look: [FULL, APART],
      plot: [`port ${FULL}`, `port ${APART}`, 'inside rate'],
      at: '1.5ms',
      speed: 0.1,
      zoom: ['1.3ms', '2ms'],
      smooth: true,
      notes: [
        { at: FULL, text: 'holds f1, f2 and f4', side: 'above' },
        { at: APART, text: 'holds f3', side: 'below' },
      ],
    },
    {
      title: 'What the headroom is for',
      ask: {
        question:
          'From 500 to 520 us f4 was known and not limited, and sent more than there was room ' +
          'for. What becomes of it?',
        guesses: [
          'It is lost, and sent again',
          'It waits, and leaves by what the rates leave free',
          'f4 is held below 4.75 until it is gone',
        ],
        right: 1,
      },
      text: [
        'The queue in front of n1.1->n2.1 grows to *23 KB* within these 20 us. From then on ' +
          'rates fill 9.5 of the 10 Gb/s, so that 0.5 are left to empty it: the link is full, ' +
          'and the queue is gone some *300 us* later. Then the link falls back to the line.',
        'Most flows in a rack are shorter than rho, and are never limited. The 5 % are for them.',
      ],
      ...RACK,
      look: [FULL],
      plot: ['queues', `port ${FULL}`],
      at: '490us',
      speed: 0.25,
      zoom: ['460us', '1ms'],
      smooth: true,
    },
    {
      title: 'A longer period',
      ask: {
        question:
          'Lane B computes every 100 us instead of every 20. What does that cost when f4 joins?',
        guesses: [
          'Nothing: all know of it as soon',
          'A queue that grows by five times as much',
          'Wrong rates, until the next but one',
        ],
        right: 1,
      },
      text: [
        'f4 is announced as soon, and limited five times as late: the queue grows by *116 KB* ' +
          'instead of 22. The rates that follow are the same. (The 101 KB that B begins with are ' +
          'left from its start: at 0.5 Gb/s a queue empties slowly.)',
        'A computation costs time at every server, so the paper takes 500 us. In between it ' +
          'relies on most flows being short. Turn *rho* yourself under *Experiment*.',
      ],
      spec: rack,
      lane: 'B',
      schemes: [
        { scheme: 'r2c2', params: { rho: '20us' } },
        { scheme: 'r2c2', params: { rho: '100us' } },
      ],
      look: [FULL],
      plot: ['inside rate', 'queues'],
      at: '490us',
      speed: 0.25,
      zoom: ['460us', '700us'],
    },
  ],
}
