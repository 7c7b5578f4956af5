/** PACC's controller and its margin: the PACC paper, sections III-B and IV; theory/boundaries. */
import type { Story } from './story.ts'

/** Flows to one host over one switch; `link` is the delay of each of the four links of a loop. */
const star = (flows: number, link: string, until: string): string => `name: pacc-controller
title: ${flows} flows under PACC's controller
description: >-
  ${flows} long flows to one host over one switch, and no flow control: the queue is the
  controller's alone.
topology: {kind: star, hosts: ${flows + 1}, rate: 25Gbps, delay: ${link}}
fabric: {flowControl: none, buffer: 100MB}
workload:
  - flows:
${Array.from({ length: flows }, (_, i) => flow(i + 1)).join('\n')}
scheme: pacc
run: {until: ${until}}
`

/** A line of the spec. */
function flow(i: number): string {
  return `      - {name: f${i}, from: h${i}, to: h0}`
}

const PORT = 'switch->h0'

export const pacc: Story = {
  name: 'pacc',
  title: 'PACC’s controller and its margin',
  about:
    'A switch that counts out CNPs by its queue: gains, a dead zone, and how far from the edge.',
  steps: [
    {
      title: 'A switch that speaks',
      ask: {
        question:
          'DCQCN’s receivers turn marks into CNPs, by chance. PACC’s switch looks at its ' +
          'queue every 80 us, reckons how many CNPs there should be, and sends them itself. ' +
          'Which queue is steadier?',
        guesses: ['DCQCN’s', 'PACC’s', 'They are alike'],
        right: 1,
      },
      text: [
        'Both lanes have the same senders. In A the queue swings from empty to 200 KB and back: ' +
          'marks tell how long it was, and too late. In B it is held, at 200 KB: steady, and ' +
          'more than twice as long as that of A on average. (At its start, before what is shown, ' +
          'it was longer still: 650 KB, and 410 in A.) The lower plot shows *cnps*, what the ' +
          'controller asks for in each period: a handful, for each flow its part.',
      ],
      spec: star(4, '1us', '20ms'),
      lane: 'B',
      schemes: [{ scheme: 'dcqcn', preset: 'firmware' }, 'pacc'],
      look: [PORT],
      plot: ['queues', 'inside cnps'],
      at: '4ms',
      speed: 0.5,
      zoom: ['4ms', '20ms'],
    },
    {
      title: 'Where it stands',
      ask: {
        question:
          'The reference is half of 80 us at the link’s rate: 125 KB. Where does the queue of ' +
          'four flows settle?',
        guesses: ['At 125 KB', 'Below it', 'Above it'],
        right: 2,
      },
      text: [
        'The queue stands at *200 KB*, far above its reference: CNPs are whole, and with four ' +
          'flows none is sent before four are due. At 0.05 CNPs for each KB (beta1) that ' +
          'is a dead zone of 4 / 0.05 = 80 KB.',
        'The dotted line is the same controller as a fluid, which knows no whole CNPs: it comes ' +
          'to rest at 142 KB.',
      ],
      spec: star(4, '1us', '40ms'),
      schemes: ['pacc'],
      look: [PORT],
      plot: ['theory', 'inside cnps'],
      at: '8ms',
      zoom: ['4ms', '40ms'],
      notes: [{ at: 'switch', text: 'aims at 125 KB', side: 'below' }],
      levels: [['reference', '125KB']],
    },
    {
      title: 'A knob for the gains',
      ask: {
        question:
          'beta2 answers to how fast the queue grows. Lane B has three times as much of it as ' +
          'the paper’s default in lane A. Which queue swings?',
        guesses: ['That of A, which answers too late', 'That of B, which answers too much', 'None'],
        right: 0,
      },
      text: [
        'beta1 counts CNPs for each KB above the reference, beta2 for each KB of growth. As ' +
          'Equation 1 is printed, with the target taken down by each CNP, the margin of ' +
          'the default is *negative*: the queue of lane A swings.',
        'With beta2 = 0.3 the margin is positive and the queue stands: that of the fluid at ' +
          '169 KB, that of packets near *310 KB*, because CNPs are whole. The margins above the ' +
          'plots are the fluid’s; change beta1 and beta2 in *Experiment* and watch them move ' +
          'under *Theory*.',
      ],
      spec: star(10, '1us', '60ms'),
      lane: 'A',
      schemes: [
        { scheme: 'pacc', preset: 'printed' },
        { scheme: 'pacc', preset: 'printed', params: { beta2: '0.3' } },
      ],
      look: [PORT],
      plot: ['theory'],
      at: '25ms',
      speed: 0.5,
      zoom: ['15ms', '60ms'],
    },
    {
      title: 'Too far away',
      ask: {
        question:
          'Two flows, and each link is 64 us long instead of 1. From the switch to a sender and ' +
          'back it takes 128 us. The gains stay. What does the queue do?',
        guesses: ['It settles, only later', 'It runs from empty to 300 KB and back, for ever'],
        right: 1,
      },
      text: [
        'News that is old misleads. A CNP takes 64 us from the switch to the sender, and ' +
          'what it changes takes 64 us back: a loop of 128 us, more than one and a half periods ' +
          'of the controller. The margin is gone, and the queue runs from empty to 300 KB and ' +
          'back.',
        'The paper’s own formula has no delay but the period, and cannot see this. Packets can.',
      ],
      spec: star(2, '64us', '60ms'),
      schemes: ['pacc'],
      look: [PORT],
      plot: ['queues', `port ${PORT}`],
      at: '20ms',
      speed: 0.25,
      zoom: ['15ms', '60ms'],
      notes: [{ at: 'h1', text: '64 us away: a loop of 128 us', side: 'above' }],
    },
  ],
}
