/** How ACCurate's heartbeat finds the fair rate: document A, sections II and III-B, Fig. 4. */
import type { Story } from './story.ts'

export const accurate: Story = {
  name: 'accurate',
  title: 'The heartbeat of ACCurate',
  about: 'One small packet a flow and period, and every rate is right within two periods.',
  steps: [
    {
      title: 'The case',
      text: [
        'Flows f2 and f3 share a link from leaf to spine. At 370 us a fourth, f4, joins them; it ' +
          'leaves the same host as f1, which does not use that link at all.',
        'With back-pressure alone the backlog of f4 reaches its host, and *f1 is dragged down* with ' +
          'it, although its own path is free.',
      ],
      scenario: 'victim',
      schemes: ['none'],
      look: ['f1', 'f4'],
    },
    {
      title: 'A heartbeat a period',
      text: [
        'With ACCurate every flow sends one small packet a period of 20 us. It carries the rate ' +
          'that the flow has and the rate that it wants. Each link on the way answers with its own ' +
          'fair share, and the *least of them* comes back.',
        'Below is the inside of the scheme: *rate* is what each source was told. Watch it at ' +
          '170, 370 and 570 us, when flows come and go.',
      ],
      scenario: 'victim',
      schemes: ['accurate'],
      look: ['f1', 'f4'],
    },
    {
      title: 'What a link computes',
      text: [
        'Choose *fsr* under “Inside the scheme”: the fair share rate of each link. A link ' +
          'counts the flows that it limits (m) and the bandwidth of those that others limit (b), ' +
          'and divides what is left among the first.',
        'No list of flows is kept: two sums a period are all.',
      ],
      scenario: 'victim',
      schemes: ['accurate'],
      look: ['f2', 'leaf1->spine1'],
    },
    {
      title: 'The circuit',
      text: [
        'The same in hardware: a few registers of 12 bits in front of each link, an adder, a ' +
          'comparison and a division. Beside the network stands the circuit of *leaf1->spine1*; ' +
          'choose another port there, or click one in the picture.',
        'Press *Next FRP*: each heartbeat is compared with FSR, counted in M or added to B, and ' +
          'leaves with the lesser rate. At a tick the registers become the old ones, and what is ' +
          'left is divided by M. From 370 us on f4 is the third in M.',
      ],
      scenario: 'victim',
      schemes: [{ scheme: 'accurate', params: { arithmetic: 'fixed' } }],
      look: ['leaf1->spine1', 'f2', 'f4'],
    },
    {
      title: 'Side by side',
      text: [
        'f1 keeps what f4 leaves of their host’s link, and when f4 stops the others have its ' +
          'share within two periods; with back-pressure the backlog must drain first.',
      ],
      scenario: 'victim',
      schemes: ['none', 'accurate'],
      look: ['f1', 'f4'],
    },
    {
      title: 'A slower heart',
      text: [
        'The period is a knob. With 100 us instead of 20 the answers come later, and so do the fair ' +
          'rates; with 5 us they come sooner and cost more packets. Try others in *Experiment*.',
      ],
      scenario: 'victim',
      schemes: ['accurate', { scheme: 'accurate', params: { rrp: '100us' } }],
      look: ['f1', 'f4'],
    },
  ],
}
