/** The parking lot: document A, section III-A and Fig. 3. */
import type { Story } from './story.ts'

export const parkingLot: Story = {
  name: 'parking-lot',
  title: 'The parking lot',
  about: 'Why the flow from next door gets twice as much as the one from afar.',
  steps: [
    {
      title: 'Taking turns',
      text: [
        'Cars leave a car park level by level, and at each ramp they take turns. Who parks at the ' +
          'top waits at every ramp; who parks at the exit waits once.',
        'Flows f1 and f2 come from the left leaf and share a link on their way; f3 comes from next ' +
          'door. All end at H4, whose link has 10 Gb/s. Fair is a third each.',
      ],
      scenario: 'parking-lot',
      schemes: ['none'],
      look: ['leaf2->H4'],
    },
    {
      title: 'What back-pressure gives',
      text: [
        'Credits keep every buffer from overflowing, and every switch serves its *inputs* in turn. ' +
          'At the last switch f3 has an input for itself, f1 and f2 share the other.',
        'So f3 gets a half and the others a quarter each, however long it runs. The network is ' +
          'full, nothing is lost, and it is not fair.',
      ],
      scenario: 'parking-lot',
      schemes: ['none'],
      look: ['f1', 'f2', 'f3'],
    },
    {
      title: 'A share for each flow',
      text: [
        'ACCurate tells every source the share of its *narrowest link*. Each of the three flows ' +
          'crosses the link to H4, so each gets a third of it, less the 5 % that ACCurate leaves ' +
          'free to keep queues short.',
      ],
      scenario: 'parking-lot',
      schemes: ['none', 'accurate'],
      look: ['f1', 'f2', 'f3'],
    },
  ],
}
