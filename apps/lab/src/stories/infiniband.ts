/** Tuning InfiniBand's table: document D (Gran et al., IPDPS 2010), sections V to VII. */
import type { Story } from './story.ts'

/** The test bed's scenario 1 in phases of 10 ms, which is enough to see it. */
const settings = [
  'run.until=50ms',
  'workload[0].flows[1].start=10ms',
  'workload[0].flows[2].start=20ms',
  'workload[0].flows[3].start=30ms',
  'workload[0].flows[4].start=40ms',
]

export const infiniband: Story = {
  name: 'infiniband',
  title: 'Tuning InfiniBand’s table',
  about: 'Marks, an index and a table of delays: which values save the victim, and at what cost.',
  steps: [
    {
      title: 'Credits alone',
      text: [
        'The test bed of document D: two switches, seven hosts. F1 goes to H4; F2 to F5 all go to ' +
          'H5 and begin one by one.',
        'InfiniBand loses nothing: a switch sends only where it has credits. So F1, which shares a ' +
          'link with F2 and F3, *waits with them* although H4 is idle.',
      ],
      scenario: 'infiniband-testbed',
      settings,
      schemes: ['none'],
      look: ['F1', 'F4'],
    },
    {
      title: 'Marks and an index',
      text: [
        'With congestion control the switch marks packets where the congestion has its *root*. The ' +
          'receiver returns the mark, and the sender takes a step up in a table of delays: the ' +
          'index CCTI, shown below. A timer takes it down again.',
        'F1 crosses no root and is never marked. Compare its rate in both lanes.',
      ],
      scenario: 'infiniband-testbed',
      settings,
      schemes: ['none', 'infiniband'],
      look: ['F1', 'F4'],
    },
    {
      title: 'A timer that is too fast',
      text: [
        'Tuning begins with *CCTI_Timer*, 150 us in the paper’s table. At 40 us the index ' +
          'falls faster than marks can lift it: senders are released too soon, the queue stays, and ' +
          'the victim pays.',
      ],
      scenario: 'infiniband-testbed',
      settings,
      schemes: ['infiniband', { scheme: 'infiniband', params: { cctiTimer: '40us' } }],
      look: ['F1', 'F4'],
    },
    {
      title: 'Steps that are too large',
      text: [
        '*CCTI_Increase* is the step a mark takes. With steps of eight a few marks throw a sender ' +
          'far back: F1 is safe, but F2 to F5 together leave more of the link to H5 unused.',
      ],
      scenario: 'infiniband-testbed',
      settings,
      schemes: ['infiniband', { scheme: 'infiniband', params: { cctiIncrease: '8' } }],
      look: ['F2', 'F4'],
    },
    {
      title: 'Fewer steps, but larger',
      text: [
        'A search over 240 settings found one that beats the paper’s table for the victim and ' +
          'for fairness alike: *one packet in five* is marked, a mark takes four steps, and the ' +
          'steps themselves are finer (d = 160 instead of 106).',
        'Watch F2 to F5 after each of them joins: in the second lane they lie closer together.',
      ],
      scenario: 'infiniband-testbed',
      settings,
      schemes: ['infiniband', { scheme: 'infiniband', preset: 'searched' }],
      look: ['F2', 'F4'],
    },
    {
      title: 'Your turn',
      text: [
        'Go to *Experiment*: every parameter of the table is there with its unit, its range and ' +
          'where its default comes from. The command line at the foot of the page repeats what you ' +
          'find, and sweeps go further than a hand can.',
      ],
      scenario: 'infiniband-testbed',
      settings,
      schemes: ['infiniband'],
      look: ['F1'],
    },
  ],
}
