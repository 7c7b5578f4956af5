/**
 * From TCP to here in ten minutes: the lecture "Congestion Control in Data Center" (A. Trivedi,
 * 2019) as a walk, with the papers that it goes through.
 */
import { block } from './incast.ts'
import type { Story, StoryStep } from './story.ts'

const downloads = `name: two-downloads
title: Two downloads
description: >-
  Two long transfers to one host over a switch that holds 300 KB for its port.
topology: {kind: star, hosts: 3, rate: 1Gbps, delay: 20us}
fabric: {flowControl: none, buffer: {size: 4MB, threshold: 300KB}}
hosts: {mtu: 1460B, header: 78B, reliability: tcp}
workload:
  - flows:
      - {name: f1, from: h1, to: h0}
      - {name: f2, from: h2, to: h0}
scheme: tcp-reno
run: {until: 250ms}
`
const LINK = 'switch->h0'
const RENO = { scheme: 'tcp-reno', preset: 'classic' }
/** Slow start ends before it overflows the queue: what is seen is congestion avoidance. */
const CAUTIOUS = { ...RENO, params: { initialThreshold: '100KB' } }
const DCTCP = { scheme: 'dctcp', preset: 'paper' }

const LONG = ['shares-receiver', 'shares-sender']
/** Sixteen hosts burst at one, at 500 us; two long flows share what they need. */
const burst: Pick<
  StoryStep,
  'scenario' | 'look' | 'bright' | 'flows' | 'plot' | 'at' | 'speed' | 'notes'
> = {
  scenario: 'incast',
  look: [],
  bright: LONG,
  flows: LONG,
  plot: ['queues', 'rates'],
  at: '460us',
  speed: 0.25,
  notes: [{ at: 'switch', text: '16 x 128 KB at once', side: 'below', from: '500us', to: '900us' }],
}

export const tcpToHere: Story = {
  name: 'tcp-to-here',
  title: 'From TCP to here in ten minutes',
  about: 'Loss, marks, pauses, delays, telemetry, exact rates: thirty years in eight pictures.',
  steps: [
    {
      title: '1988: send until it breaks',
      ask: {
        question:
          'TCP raises its window until a packet is lost, and then halves it. Two long downloads ' +
          'share a port that can hold 300 KB. How full is the queue, most of the time?',
        guesses: ['Nearly empty', 'About 20 KB', 'Between half and full'],
        right: 2,
      },
      text: [
        'A loss is the only news that TCP listens to, so it has to *make* one: the queue is ' +
          'filled, cut to 220 to 280 KB, and filled again to 300. Whatever buffer you give it, ' +
          'it uses. Who loses is a matter of luck: here it is mostly f2, and f1 takes its share.',
        'For a download that is fine. For the small request that arrives meanwhile it is not: it ' +
          'waits behind 2.4 ms of other people’s packets in a network whose round trip is 80 us.',
      ],
      spec: downloads,
      schemes: [CAUTIOUS],
      look: [LINK],
      plot: ['queues', 'rates'],
      notes: [{ at: 'switch', text: 'a new request would wait behind all of this', side: 'below' }],
    },
    {
      title: '2010: a mark instead of a loss',
      ask: {
        question:
          'DCTCP: the switch marks packets when more than 20 wait; senders cut by the *share* ' +
          'that was marked. Same downloads. What does the short queue cost in throughput?',
        guesses: ['Nothing', 'A tenth', 'A half'],
        right: 0,
      },
      text: [
        'The link is as full as before, and the queue stands around 30 KB instead of 220 ' +
          'to 300. One bit per packet, read as a fraction, tells *how much* instead of *whether*.',
        'Who has how much is another question: in both lanes f1 comes to have the larger part.',
      ],
      spec: downloads,
      lane: 'B',
      schemes: [CAUTIOUS, DCTCP],
      look: [LINK],
      plot: ['queues', 'rates'],
      packets: true,
    },
    {
      title: 'Many to one',
      ask: {
        question:
          'Data centres do what the Internet hardly does: forty servers answer one client at the ' +
          'same moment, 1 MB in all, which is 8 ms of the link. When does the client have it?',
        guesses: ['After some 8 ms', 'After some 20 ms', 'After some 200 ms'],
        right: 2,
      },
      text: [
        'The first windows alone are more than the queue holds. Two of the forty lose all that ' +
          'they have on the way, hear nothing more, and wait 200 ms for a timeout, while the ' +
          'link is *idle*. It is called *incast*, and has a story of its own.',
        'With shorter timeouts or DCTCP more servers can answer before it comes to this. They do ' +
          'not remove it. (part.0 to part.39 are the answers of the forty.)',
      ],
      spec: block(40, '200ms'),
      schemes: [RENO],
      look: [LINK],
      plot: [`port ${LINK}`, 'queues'],
      notes: [
        { at: LINK, text: 'idle: two servers wait', side: 'below', from: '12ms', to: '200ms' },
      ],
    },
    {
      title: 'RDMA: lose nothing',
      ask: {
        question:
          'Network cards that write straight into memory (RDMA) want no losses at all. Switches ' +
          'therefore stop each other before a buffer is full. Who suffers in this picture?',
        guesses: ['Only flows to R', 'The victim, which goes to W', 'Nobody: nothing is lost'],
        right: 1,
      },
      text: [
        'A pause stops a link, with everything on it. The *victim* goes to a host that nobody ' +
          'else sends to, and gets 8 Gb/s, half of what would be fair (the upper dotted line). ' +
          'Congestion spreads backwards like a traffic jam, and in a ring it can close: a ' +
          'deadlock.',
        'So pauses must be the exception, and something else must hold the rates.',
      ],
      scenario: 'pfc-victim',
      schemes: ['none'],
      look: [],
      bright: ['victim', 'a'],
      plot: ['rates', 'port far->near'],
      at: '600us',
      speed: 0.25,
      smooth: true,
      notes: [{ at: 'near->W', text: 'two thirds of this link stay free', side: 'below' }],
    },
    {
      title: '2015: DCQCN, marks for RDMA',
      ask: {
        question:
          'DCQCN takes DCTCP’s marks to RDMA: the receiver of a mark sends a small packet back ' +
          '(CNP), and the sender cuts its *rate*. Sixteen hosts burst at one. Is it in time?',
        guesses: ['It is: the queue stays short', 'No: pauses come before the first mark is back'],
        right: 1,
      },
      text: [
        'Alone, each sender would be done with its 128 KB after 40 us. The first pause comes ' +
          'after *25 us*, the first CNP after *47*, for a mark waits in the queue that it tells ' +
          'of. Then *rate* is cut, for those who did not cause it too: that of shares-receiver, ' +
          'a long flow to the same host.',
        'Marks are late news, and steps of 40 Mb/s are a slow way back: press *Show all of ' +
          'time*. At 2 ms, when the next burst comes, shares-receiver is still below 1 Gb/s.',
      ],
      ...burst,
      lane: 'B',
      schemes: ['none', 'dcqcn'],
      plot: ['queues', 'inside rate'],
      at: '495us',
      speed: 0.1,
      zoom: ['490us', '650us'],
      sharp: true,
    },
    {
      title: '2015: TIMELY, the delay itself',
      ask: {
        question:
          'TIMELY asks nothing of the switch. The sender measures the *round trip*: if it rises, ' +
          'a queue grows, so slow down before it is long. Is the queue of this burst shorter?',
        guesses: ['Much shorter', 'By half', 'As long as with DCQCN'],
        right: 2,
      },
      text: [
        'The queue is full before the first long delay is measured: it is as long as with ' +
          'DCQCN, and shares-receiver, the long flow that shares the receiver’s link, is still ' +
          'below 1 Gb/s when the next burst comes, at 2 ms. The delay tells how much waits, and ' +
          'not whose it is.',
      ],
      ...burst,
      zoom: ['450us', '2ms'],
      lane: 'B',
      schemes: ['dcqcn', 'timely'],
    },
    {
      title: '2019: HPCC, let the switch say it',
      ask: {
        question:
          'HPCC’s packets carry back what every switch on the way has seen: queue, bytes sent, ' +
          'rate. What does that buy in this incast?',
        guesses: ['No pause at all', 'Half of the pauses', 'Only fairness'],
        right: 0,
      },
      text: [
        'The sender knows the load of each link one round trip later, and limits what is in ' +
          'flight. The longest queue is *a fifth* of DCQCN’s, and not one pause is sent; ' +
          'shares-sender, which shares only a host with the burst, hardly notices it. The price: ' +
          'some bytes of telemetry in every packet.',
      ],
      ...burst,
      zoom: ['450us', '1.5ms'],
      lane: 'B',
      schemes: ['dcqcn', 'hpcc'],
    },
    {
      title: 'And here: exact rates',
      ask: {
        question:
          'Four flows share a link, and come and go. All schemes so far *search* for a rate; ' +
          'ACCurate computes it. The dotted line is what is fair. Which lane keeps to it?',
        guesses: ['A, DCQCN', 'B, HPCC', 'C, ACCurate'],
        right: 2,
      },
      text: [
        'One small packet per flow and period asks every link for its fair share, and the least ' +
          'of them comes back. Two periods later everyone has the max-min rate, with queues that ' +
          'are all but empty.',
        'That is where this laboratory begins. Its stories on ACCurate, InfiniBand and PACC go ' +
          'on from here; *Experiment* puts any of these schemes beside any other.',
      ],
      scenario: 'dumbbell-fair',
      lane: 'C',
      schemes: ['dcqcn', 'hpcc', 'accurate'],
      look: [],
      plot: ['rates', 'queues'],
      at: '4ms',
      sharp: true,
    },
  ],
}
