/** Why incast collapses, and what DCTCP does about it: document B, "TCP Incast Problem". */
import type { Story } from './story.ts'

/** A block of 1 MB striped over the servers, as in FAST 2008, on the switch of DCTCP's Fig. 18. */
const block = (servers: number, rtoMin: string): string => `name: incast-tcp
title: A block of 1 MB from ${servers} servers
description: >-
  A client asks ${servers} servers for their part of a block; all answer at once.
topology: {kind: star, hosts: ${servers + 1}, rate: 1Gbps, delay: 20us}
fabric:
  flowControl: none # a plain Ethernet switch: a full queue loses packets
  buffer: {size: 10MB, threshold: 153800B} # 100 packets a port
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

export const incast: Story = {
  name: 'incast',
  title: 'Why incast collapses',
  about: 'Many answers at once, a full queue, a link that idles; and what DCTCP does about it.',
  steps: [
    {
      title: 'One server',
      text: [
        'A client on the right reads a block of 1 MB from one server, by TCP, over a ' +
          'switch that has room for a hundred packets at each port.',
        'Watch the *rate*: it doubles with every round trip (slow start) until the link is full. ' +
          'The block takes little more than the 8 ms that a gigabit a second needs for it.',
      ],
      spec: block(1, '200ms'),
      schemes: [{ scheme: 'tcp-reno', preset: 'classic' }],
      look: ['switch->h0'],
    },
    {
      title: 'Forty servers',
      text: [
        'Storage systems stripe a block over many servers, and the client cannot go on before the ' +
          'last part is there. So all of them answer *at once*.',
        'Their first packets meet in front of the one link to the client. The queue fills, packets ' +
          'are lost, and some servers lose so many that no acknowledgement is left to tell them.',
        'They wait for their *timeout* of 200 ms. Look at the plot of switch->h0: a burst, then a ' +
          'link that carries nothing, for a block that needed 8 ms. That is the collapse.',
      ],
      spec: block(40, '200ms'),
      schemes: [{ scheme: 'tcp-reno', preset: 'classic' }],
      look: ['switch->h0'],
    },
    {
      title: 'A shorter timeout',
      text: [
        'The first cure waits less: with a least timeout of 1 ms the losers come back soon. Packets ' +
          'are still lost, but the link hardly idles.',
        'It takes timers that are finer than most systems had, and it treats the symptom: the ' +
          'queue still overflows each time.',
      ],
      spec: block(40, '1ms'),
      schemes: [{ scheme: 'tcp-reno', preset: 'classic' }],
      look: ['switch->h0'],
    },
    {
      title: 'DCTCP keeps the queue short',
      text: [
        'DCTCP treats the cause. The switch *marks* packets once twenty of them wait, and a sender ' +
          'cuts its window in proportion to the part of its packets that came back marked, long ' +
          'before anything is lost.',
        'Compare the queues of both lanes with twenty servers. TCP fills the hundred packets and ' +
          'loses over a hundred more; that no server has to wait for its timeout is luck. DCTCP ' +
          'stays below and loses none.',
      ],
      spec: block(20, '200ms'),
      schemes: [
        { scheme: 'tcp-reno', preset: 'classic' },
        { scheme: 'dctcp', preset: 'paper' },
      ],
      look: ['switch->h0'],
    },
    {
      title: 'And its limit',
      text: [
        'No scheme can send less than a packet or two at first. With forty servers even those do ' +
          'not fit: three packets each are more than the hundred that the port holds, and DCTCP ' +
          'loses too, if only a few. The paper finds the same limit near 35 senders.',
        'Beyond it help must come from elsewhere: a *lossless* fabric (the next story), or senders ' +
          'that ask before they send.',
      ],
      spec: block(40, '200ms'),
      schemes: [{ scheme: 'dctcp', preset: 'paper' }],
      look: ['switch->h0'],
    },
  ],
}
