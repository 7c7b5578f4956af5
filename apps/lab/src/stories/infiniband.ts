/** Tuning InfiniBand's table: Gran et al., IPDPS 2010, sections V to VII. */
import type { Story } from './story.ts'

/** The test bed's scenario 1 in phases of 10 ms, which is enough to see it. */
const settings = [
  'run.until=50ms',
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
          'flows fill H5’s link, the buffers of S2 and then of S1 fill, and F1, which shares the ' +
          'link between the switches with F2 and F3, *waits with them* although H4 is idle. From ' +
          '13 Gb/s it falls to 2.',
        'The plus signs are credits on their way back, with how many. Where a buffer is full ' +
          'they come as slowly as it empties.',
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
          'F1 crosses the same full link. Will F1 be marked?',
        guesses: ['Yes, like everyone on that link', 'Hardly ever', 'Only while F2 runs'],
        right: 1,
      },
      text: [
        'The root is the output to H5, and F1 does not pass it. Each mark lifts the sender’s ' +
          '*CCTI*, an index into a table of delays; a timer takes it down again. The plot shows ' +
          'it: F2 to F5 climb, F1 stays near *zero*, and is soon back at 13 Gb/s after each join.',
      ],
      ...bed,
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
        'A few marks throw a sender far back. F1 is safe, but F2 to F5 together leave a part of ' +
          'the link to H5 *unused*: look at how its use falls below what it was.',
      ],
      ...bed,
      schemes: ['infiniband', { scheme: 'infiniband', params: { cctiIncrease: '8' } }],
      look: ['S2->H5'],
      plot: ['port S2->H5', 'inside ccti', 'rates'],
      at: '18ms',
    },
    {
      title: 'Fewer steps, but larger',
      text: [
        'A search over 240 settings found one that beats the paper’s table for the victim and ' +
          'for fairness alike: *one packet in five* is marked, a mark takes four steps, and the ' +
          'steps themselves are finer (d = 160 instead of 106).',
        'Watch F2 to F5 after each of them joins: in lane B they lie closer together.',
      ],
      ...bed,
      schemes: ['infiniband', { scheme: 'infiniband', preset: 'searched' }],
      look: [],
      plot: ['rates', 'fairness', 'inside ccti'],
      at: '18ms',
    },
    {
      title: 'Your turn',
      text: [
        'Go to *Experiment*: every parameter of the table is there with its unit, its range and ' +
          'where its default comes from. The command at the foot of the page repeats what you ' +
          'find, and sweeps go further than a hand can.',
      ],
      ...bed,
      schemes: ['infiniband'],
      look: ['F1'],
      plot: ['inside ccti', 'rates'],
    },
  ],
}
