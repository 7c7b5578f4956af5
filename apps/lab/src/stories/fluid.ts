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
          'with a delay. How much of the queue’s movement is left?',
        guesses: ['Only its mean', 'Nearly all of it', 'Nothing'],
        right: 1,
      },
      text: [
        'The queue of the equations is dotted, that of packets is not.',
        'The start differs, for the equations have no slow start. Then both swing about the ' +
          'threshold, by nearly the same.',
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
        'DCQCN marks packets at random, and a CNP cuts by several per cent. The fluid has the ' +
          'mean of that chance and comes to rest, if slowly; two flows of packets do not.',
        'The phase margin, above the plot, says how well a disturbance dies. A few degrees damp ' +
          'little, and chance disturbs all the time.',
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
          'RoCC is fair and keeps a queue for it; HPCC has none, and takes longer.',
      ],
      scenario: 'dumbbell-fair',
      lane: 'B',
      schemes: ['hpcc', 'rocc'],
      look: ['left->right'],
      plot: ['rates', 'queues'],
      at: '9ms',
    },
  ],
}
