/** Tuning InfiniBand's table: Gran et al., IPDPS 2010, sections V to VII. */
import type { Story } from './story.ts'

/** The test bed's scenario 1 in phases of 10 ms, and 20 at the end: enough to see it. */
const settings = [
  'run.until=60ms',
  'workload[0].flows[1].start=10ms',
  'workload[0].flows[2].start=20ms',
  'workload[0].flows[3].start=30ms',
  'workload[0].flows[4].start=40ms',
]
const bed = { scenario: 'infiniband-testbed', settings } as const

export const infiniband: Story = {
  name: 'infiniband',
  title: 'Tuning InfiniBand’s table',
  about: 'Marks, an index and a table of delays: which values save the victim, and at what cost.',
  steps: [
    {
      title: 'Credits alone',
      ask: {
        question:
          'Two switches, seven hosts. F1 goes to H4, alone. F2 to F5 all go to H5, and begin ' +
          'one by one. What happens to F1 when H5 is full?',
        guesses: ['Nothing', 'It falls with F2 and F3', 'It stops'],
        right: 1,
      },
      text: [
        'InfiniBand loses nothing: a switch sends only where it has *credits*. From 20 ms on two ' +
          'flows bring all that H5 can take, the buffers of S2 and then of S1 fill, and F1, ' +
          'which shares the ' +
          'link between the switches with F2 and F3, *waits with them* although nobody else ' +
          'sends to H4. From 13 Gb/s it falls to 2 in the end.',
        'Here hosts are slower than their links of 15.8 Gb/s: their bus lets out 13 Gb/s and ' +
          'takes ' +
          '13.7. The dotted lines are what is fair of the links, so no run comes up to the ' +
          'highest.',
        'The plus signs are credits on their way back; a number says how many came in a glance. ' +
          'Where a buffer is full they come as slowly as it empties.',
      ],
      ...bed,
      schemes: ['none'],
      look: ['F1'],
      bright: ['F1'],
      packets: true,
      plot: ['rates', 'queues'],
      at: '5ms',
      notes: [
        { at: 'H4', text: 'only F1 comes here', side: 'above' },
        { at: 'S1->S2', text: 'no credits: S2 is full', side: 'below', from: '20ms' },
      ],
    },
    {
      title: 'Marks and an index',
      ask: {
        question:
          'Now the switch marks packets where the congestion has its *root*, at S2 towards H5. ' +
          'F1 waits with the others for credits on the same link. Will F1 be marked?',
        guesses: ['Yes, like everyone on that link', 'Hardly ever', 'Only while F2 runs'],
        right: 1,
      },
      text: [
        'The root is the output to H5, and F1 does not pass it. Each mark lifts the sender’s ' +
          '*CCTI*, an index into a table of delays; a timer takes it down again. The plot shows ' +
          'it: F2 to F5 climb, F1 stays near *zero*. From F3 on, each flow that joins takes F1 ' +
          'down too; it is back at 13 Gb/s when they are held down: 4, 6 and 10 ms later.',
      ],
      ...bed,
      lane: 'B',
      schemes: ['none', 'infiniband'],
      look: ['F1'],
      bright: ['F1'],
      plot: ['inside ccti', 'rates'],
      at: '18ms',
    },
    {
      title: 'A timer that is too fast',
      ask: {
        question:
          'CCTI_Timer, at which the index falls, is 150 us in the paper’s table. What if it is ' +
          '40 us?',
        guesses: [
          'Senders recover sooner: better',
          'They are released too soon, and the victim pays',
          'No difference',
        ],
        right: 1,
      },
      text: [
        'In lane B the index falls faster than marks can lift it: the senders are back before ' +
          'the queue is gone, the buffers stay full, and *F1 falls*. A control that forgets ' +
          'too soon is none.',
      ],
      ...bed,
      lane: 'B',
      schemes: ['infiniband', { scheme: 'infiniband', params: { cctiTimer: '40us' } }],
      look: ['F1'],
      plot: ['inside ccti', 'rates'],
      at: '18ms',
    },
    {
      title: 'Steps that are too large',
      ask: {
        question: 'And if each mark lifts the index by eight instead of one?',
        guesses: [
          'F1 is safe, but H5’s link is not filled',
          'The queue grows',
          'Nothing: the table is the same',
        ],
        right: 0,
      },
      text: [
        'A few marks throw a sender far back. F1 is safe: it dips when a flow joins, and keeps ' +
          'about 12 Gb/s on average. But F2 to F5 together leave a part of the link to H5 ' +
          '*unused*: from 20 ms on they use 70 % of it instead of 86, which is all ' +
          'that H5’s bus takes.',
      ],
      ...bed,
      lane: 'B',
      schemes: ['infiniband', { scheme: 'infiniband', params: { cctiIncrease: '8' } }],
      look: ['S2->H5'],
      plot: ['port S2->H5', 'rates', 'inside ccti'],
      at: '18ms',
    },
    {
      title: 'Fewer steps, but larger',
      ask: {
        question:
          'A search tried 240 settings. In the best one packet in five is *marked*, but a mark ' +
          'lifts the index by four. Lane B has it. Who gains?',
        guesses: [
          'The victim, and F2 to F5 pay in fairness',
          'The victim, and F2 to F5 are closer together',
          'Only H5’s link: it is fuller',
        ],
        right: 1,
      },
      text: [
        'When F5 joins, at 40 ms, F1 is back after 3 ms instead of 10. (After the joins before ' +
          'it is back after 2, instead of 4 and 6.) And F2 to F5, who compete for H5, have *3.2 ' +
          'to 3.6 Gb/s* each on average between 41 and 50 ms, instead of 2.9 to 4.8.',
        'It is not free: H5’s link is a little less full, 82 % instead of 86. (The steps of the ' +
          'table are finer too, d = 160 instead of 106.)',
      ],
      ...bed,
      lane: 'B',
      schemes: ['infiniband', { scheme: 'infiniband', preset: 'searched' }],
      look: [],
      plot: ['rates', 'inside ccti'],
      at: '39ms',
      speed: 0.5,
      zoom: ['38ms', '54ms'],
      notes: [{ at: 'H5', text: 'F2 to F5 compete here, F1 does not', side: 'below' }],
    },
    {
      title: 'Your turn',
      text: [
        'A task: F1 back at 13 Gb/s within 2 ms of each join, and H5’s link at least 80 % full. ' +
          'Lane B, the setting of the search, does not quite do it.',
        'Go to *Experiment*: every parameter of the table is there with its unit, its range and ' +
          'where its default comes from. A line under the clock says what each turn of a knob ' +
          'has changed. The command at the foot of the page repeats what you find.',
      ],
      ...bed,
      lane: 'B',
      schemes: ['infiniband', { scheme: 'infiniband', preset: 'searched' }],
      look: ['S2->H5'],
      bright: ['F1'],
      plot: ['rates', 'port S2->H5'],
      at: '38ms',
    },
  ],
}
