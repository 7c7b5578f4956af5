/** Why incast collapses, and what DCTCP does about it: FAST 2008; SIGCOMM 2010, Fig. 18. */
import type { Story } from './story.ts'

/** A block of 1 MB striped over the servers, as in FAST 2008, on the switch of DCTCP's Fig. 18. */
export const block = (servers: number, rtoMin: string): string => `name: incast-tcp
title: A block of 1 MB from ${servers} servers
description: >-
  A client asks ${servers} servers for their part of a block; all answer at once.
topology: {kind: star, hosts: ${servers + 1}, rate: 1Gbps, delay: 20us}
fabric:
  flowControl: none # a plain Ethernet switch: a full queue loses packets
  buffer: {size: 10MB, threshold: 153800B} # 100 packets per port
hosts: {mtu: 1460B, header: 78B, tcp: {rtoMin: ${rtoMin}, granularity: 1ms}}
workload:
  - generate:
      name: part
      arrivals: once
      sizes: ${Math.round(1e6 / servers)}B
      pattern: {kind: incast, senders: ${servers}, receiver: h0}
scheme: tcp-reno
run: {until: 300ms}
`

const LINK = 'switch->h0'
const PLOT = [`port ${LINK}`, 'queues'] as const
const RENO = { scheme: 'tcp-reno', preset: 'classic' }
const DCTCP = { scheme: 'dctcp', preset: 'paper' }

export const incast: Story = {
  name: 'incast',
  title: 'Why incast collapses',
  about: 'Many answers at once, a full queue, a link that idles; and what DCTCP does about it.',
  steps: [
    {
      title: 'One server',
      ask: {
        question:
          'A client reads a block of 1 MB from one server over a link of 1 Gb/s. Moving 1 MB at ' +
          'that rate takes 8 ms. How long will TCP take?',
        guesses: ['A little more than 8 ms', 'About 30 ms', 'More than 100 ms'],
        right: 0,
      },
      text: [
        'TCP begins with a few packets and doubles them every round trip (*slow start*). With a ' +
          'round trip of 80 us that is quick: look at how soon the link is full.',
        'The switch has room for a hundred packets at each port. One server hardly needs it.',
      ],
      spec: block(1, '200ms'),
      schemes: [RENO],
      look: [LINK],
      plot: PLOT,
      notes: [{ at: 'h0', text: 'the client', side: 'below' }],
    },
    {
      title: 'Forty servers',
      ask: {
        question:
          'Now the block is striped over forty servers, 25 KB each. They answer at once, and ' +
          'it is still 1 MB over the same link. How long until the client has the last part?',
        guesses: ['Still about 8 ms', 'About 16 ms', 'About 200 ms'],
        right: 2,
      },
      text: [
        'Forty first windows meet in front of one link. The queue holds a hundred packets; more ' +
          'than a hundred are *lost* in the first two milliseconds.',
        'Most servers learn of their loss from later acknowledgements and send again. Two ' +
          'have lost everything they had in flight: nothing comes back to tell them. They ' +
          'wait for their *timeout* of 200 ms, and the client waits for them.',
        'Look at the plot: a burst of 8 ms, then a link that carries *nothing*, then the last ' +
          'few packets. The client waited 25 times longer than it had to. That is the ' +
          'collapse.',
      ],
      spec: block(40, '200ms'),
      schemes: [RENO],
      look: [LINK],
      plot: PLOT,
      speed: 1,
      notes: [
        { at: 'switch', text: 'full: packets are lost', side: 'below', to: '8ms' },
        {
          at: LINK,
          text: 'idle: two servers wait for their timeout',
          side: 'below',
          from: '12ms',
          to: '200ms',
        },
      ],
    },
    {
      title: 'A closer look at the first milliseconds',
      ask: {
        question:
          'The same run, slowly. Nearly every server loses packets here. Why do thirty-eight ' +
          'get over it within milliseconds, and two do not?',
        guesses: [
          'The two lost more packets than the others',
          'Of the two nothing got through that could report the loss',
          'The two are farther away',
        ],
        right: 1,
      },
      text: [
        'The tank in the switch is the queue, striped by whose packets wait. It is full after a ' +
          'fifth of a millisecond and stays so for two: every packet that finds it full is a ' +
          'cross.',
        'If later packets of a server get through, the client acknowledges the *gap*, and the ' +
          'server fills it. part.0 and part.39, which stand out here, lose the last that they ' +
          'have on the way: after 1.2 ms nothing of part.39 arrives, after 3.3 ms nothing of ' +
          'part.0, and nobody can tell them. All others end within 8.4 ms; play on, and the ' +
          'link is *idle*.',
      ],
      spec: block(40, '200ms'),
      schemes: [RENO],
      settings: ['run.until=10ms'],
      look: [LINK],
      bright: ['part.0', 'part.39'],
      flows: ['part.0', 'part.39'],
      plot: ['rates', 'queues'],
      speed: 0.25,
      zoom: ['0us', '4ms'],
      packets: true,
      notes: [
        {
          at: 'switch',
          text: 'full: what comes now is lost',
          side: 'below',
          from: '200us',
          to: '2260us',
        },
        { at: LINK, text: 'no more of part.0 and part.39', side: 'below', from: '3300us' },
      ],
    },
    {
      title: 'A shorter timeout',
      ask: {
        question: 'Let the least timeout be 1 ms instead of 200 ms. What changes?',
        guesses: [
          'Nothing is lost any more',
          'At least as much is lost, but the link idles far less',
          'Timeouts make it worse',
        ],
        right: 1,
      },
      text: [
        'Whoever has lost everything comes back after a millisecond, and the block is there in ' +
          'about 11 ms. This is the cure of Vasudevan and others (SIGCOMM 2009), and it ' +
          'works if a machine has timers that fine.',
        'It treats the symptom. The queue still overflows every time, and every flow that shares ' +
          'the port still waits behind a hundred packets.',
      ],
      spec: block(40, '1ms'),
      schemes: [RENO],
      look: [LINK],
      plot: PLOT,
    },
    {
      title: 'Tell them before it is full',
      ask: {
        question:
          'DCTCP’s switch *marks* packets as soon as twenty wait, and a sender cuts its ' +
          'window by the share of its packets that came back marked. With twenty servers, how ' +
          'many packets are lost?',
        guesses: ['None', 'About half as many', 'As many: marks come too late'],
        right: 0,
      },
      text: [
        'Lane A is TCP: it fills all hundred places, loses over a hundred packets, and three ' +
          'servers will wait for 200 ms. Lane B is DCTCP: the same servers, the same switch, *no ' +
          'loss*, and the block in 8.5 ms.',
        'The share of marks says how full, a loss says only too full. That is the idea of ' +
          'everything that ' +
          'follows.',
      ],
      spec: block(20, '200ms'),
      lane: 'B',
      schemes: [RENO, DCTCP],
      settings: ['run.until=14ms'],
      look: [LINK],
      plot: ['queues', `port ${LINK}`],
      speed: 0.5,
      packets: true,
    },
    {
      title: 'The limit',
      ask: {
        question: 'Marks worked for twenty servers. And for sixty?',
        guesses: ['Still no loss', 'Some loss, no harm', 'It collapses like TCP'],
        right: 2,
      },
      text: [
        'No window is smaller than a packet or two. Sixty servers with two or three packets each ' +
          'are more than the hundred that the port holds, before a single mark has come back. ' +
          'Half of the servers wait for their timeout. DCTCP’s authors find the same limit, near ' +
          '35 senders on their switch.',
        'Beyond it help must come from elsewhere: from a fabric that *loses nothing* (the next ' +
          'story), or from senders that ask before they send.',
      ],
      spec: block(60, '200ms'),
      schemes: [DCTCP],
      look: [LINK],
      plot: PLOT,
      notes: [
        {
          at: LINK,
          text: 'idle again: half of them wait',
          side: 'below',
          from: '12ms',
          to: '200ms',
        },
      ],
    },
  ],
}
