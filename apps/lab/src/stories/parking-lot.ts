/** The parking lot: the ACCurate paper, section III-A and Fig. 3. */
import type { Story } from './story.ts'

export const parkingLot: Story = {
  name: 'parking-lot',
  title: 'The parking lot',
  about: 'The flow from next door gets twice as much as one from afar: why, and what evens it.',
  steps: [
    {
      title: 'Taking turns',
      ask: {
        question:
          'Cars leave a car park level by level; at each ramp they take turns. You are on the ' +
          'top level, one of many. Who is home first?',
        guesses: ['Whoever left first', 'Whoever parked by the exit', 'Everyone at the same time'],
        right: 1,
      },
      text: [
        'At every ramp the level above and the level beside are let in in turn. Whoever parks by ' +
          'the exit waits at one ramp, whoever parks on top at all of them.',
        'Here flows f1 and f2 come from the far *left* and share two links on their way; f3 ' +
          'joins from *below*, at the last switch. All three end at H4 on the *right*, whose ' +
          'link has 10 Gb/s. A fair share is a third each. f3 parks by the exit: see what it gets.',
      ],
      scenario: 'parking-lot',
      schemes: ['none'],
      look: [],
      plot: ['rates'],
      at: '0us',
      notes: [
        { at: 'H3', text: 'f3 joins here', side: 'below' },
        { at: 'leaf2->H4', text: 'the exit, 10 Gb/s', side: 'above' },
      ],
    },
    {
      title: 'What back-pressure gives',
      ask: {
        question:
          'f3 has twice as much as f1 and as f2. All three send as much as they can, and no ' +
          'switch knows flows. Why f3?',
        guesses: [
          'Its way is the shortest, so its packets are quicker',
          'It has an input of the last switch to itself',
          'It began first',
        ],
        right: 1,
      },
      text: [
        'The last switch serves its two inputs in turn. f3 has one to itself and takes *half* of ' +
          'the link, 4.7 Gb/s of payload; f1 and f2 share the ' +
          'other: a quarter each, 2.3. Look at the link to H4: the green ribbon is as wide as ' +
          'the other two together.',
        'The network is full, nothing is lost, every switch is fair to its inputs, and still the ' +
          'flows are not treated alike. It stays so for ever.',
      ],
      scenario: 'parking-lot',
      schemes: ['none'],
      look: ['f1', 'f2', 'f3'],
      plot: ['rates'],
      at: '300us',
      smooth: true,
      notes: [{ at: 'leaf2', text: 'in turn: one from the left, one from below', side: 'below' }],
    },
    {
      title: 'A share for each flow',
      ask: {
        question:
          'ACCurate tells every source the share of its narrowest link, and leaves 5 % of each ' +
          'link free. What will each flow get?',
        guesses: ['3.3 Gb/s', 'A little less than 3.2 Gb/s', '2.5 Gb/s'],
        right: 1,
      },
      text: [
        'Three equal ribbons, *3.0 Gb/s* of payload each: a third of the link less the 5 % that ' +
          'keep its queue empty, less headers. The thin bands in the plot are single packets, ' +
          'and the line through them is flat.',
        'In lane A every input is full up to the first switch. In lane B queues are all but ' +
          'empty: nobody sends what cannot pass.',
      ],
      scenario: 'parking-lot',
      lane: 'B',
      schemes: ['none', 'accurate'],
      look: ['f1', 'f2', 'f3'],
      plot: ['rates', 'queues'],
      at: '300us',
      smooth: true,
    },
  ],
}
