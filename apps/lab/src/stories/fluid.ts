/** Fluid against packets: where equations are enough, and where they are not (docs/theory.md). */
import type { Story } from './story.ts'

const two = (scheme: string, hosts: string, until: string): string => `name: fluid-${scheme}
title: Two flows as packets and as a fluid
description: >-
  Two long flows to one host over one switch. Under Theory the fluid model of the scheme lies over
  the queue of packets.
topology: {kind: star, hosts: 3, rate: 10Gbps, delay: 10us}
fabric: {flowControl: none, buffer: 100MB}
${hosts}workload:
  - flows:
      - {name: f1, from: h1, to: h0}
      - {name: f2, from: h2, to: h0}
scheme: ${scheme}
run: {until: ${until}}
`

const TCP = 'hosts: {mtu: 1460B, header: 78B, reliability: tcp}\n'
const PORT = 'switch->h0'

export const fluid: Story = {
  name: 'fluid',
  title: 'Fluid against packets',
  about: 'A scheme as a few equations: where they follow the packets, and what they leave out.',
  steps: [
    {
      title: 'Packets become rates',
      ask: {
        question:
          'Take away the packets and keep only rates: DCTCP becomes a handful of equations ' +
          'with a delay. What of the queue’s movement is left?',
        guesses: ['Only its mean', 'How far it swings, but not how fast', 'All of it'],
        right: 1,
      },
      text: [
        'The queue of the equations is dotted, that of packets is not.',
        'The start differs, for the equations have no slow start. Then both swing between 80 and ' +
          '101 KB, from below the threshold of 97.5 KB to just over it. But the fluid takes ' +
          '*twice as long* for a swing: some 1.2 ms, where packets take 0.6.',
      ],
      spec: two('dctcp', TCP, '20ms'),
      schemes: [{ scheme: 'dctcp', preset: 'paper' }],
      look: [PORT],
      plot: ['theory', 'rates'],
      at: '2ms',
      speed: 0.25,
      zoom: ['1ms', '8ms'],
    },
    {
      title: 'Chance',
      ask: {
        question:
          'DCQCN’s switch marks packets at random. Its equations have the mean of that ' +
          'chance, and come to rest. What do packets do?',
        guesses: ['They rest too, after a while', 'They never rest'],
        right: 1,
      },
      text: [
        'DCQCN marks packets at random, and each CNP cuts a rate. The fluid has the ' +
          'mean of that chance and comes to rest, if slowly; two flows of packets do not.',
        'The phase margin, above the plot, says how well a disturbance dies. *0.3 degrees* damp ' +
          'hardly at all, and chance disturbs all the time. (The dotted line shows the slow part ' +
          'of its way to rest, which takes longer than the plot.)',
      ],
      spec: two('dcqcn', '', '40ms'),
      schemes: ['dcqcn'],
      look: [PORT],
      plot: ['theory', 'rates'],
      at: '8ms',
      speed: 0.5,
      zoom: ['6ms', '40ms'],
    },
    {
      title: 'What is fair at each moment',
      ask: {
        question:
          'Four flows come and go; the dotted line is the exact fair rate at each moment. HPCC ' +
          'knows the load of each link, RoCC’s switch sends rates out. Which lane is nearer to ' +
          'the line from 15 ms on?',
        guesses: ['A, HPCC', 'B, RoCC', 'Both alike'],
        right: 1,
      },
      text: [
        'The other line of theory needs no equations of a scheme: the *exact max-min rates* of ' +
          'the flows that are there, dotted over the rates of packets.',
        'How soon a scheme finds the dotted line is its speed; whether it stays, its fairness. ' +
          'From 12 ms on RoCC is fair, and keeps a queue of some 90 KB for it; HPCC has none, ' +
          'and ' +
          'takes longer.',
        'Before that RoCC is the worse by far: when f2 comes, at 5 ms, its queue jumps to 250 ' +
          'KB, ' +
          'it takes both rates down, and for 5 ms the link carries *8 to 17 Gb/s* of 23.9. ' +
          'HPCC’s flows together (dashed) keep to 21.8 all the time: it aims at 95 % of the ' +
          'link. The dotted lines are of all of it.',
      ],
      scenario: 'dumbbell-fair',
      lane: 'B',
      schemes: ['hpcc', 'rocc'],
      look: ['left->right'],
      plot: ['rates', 'queues'],
      at: '4.5ms',
      zoom: ['4ms', '24ms'],
    },
  ],
}
