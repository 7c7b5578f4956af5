/** How ACCurate's heartbeat finds the fair rate: the paper's sections II and III-B, Fig. 4. */
import type { Story } from './story.ts'

const FIXED = { scheme: 'accurate', params: { arithmetic: 'fixed' } }

export const accurate: Story = {
  name: 'accurate',
  title: 'The heartbeat of ACCurate',
  about: 'One small packet per flow and period, and every rate is right within two periods.',
  steps: [
    {
      title: 'The case',
      ask: {
        question:
          'f2 and f3 fill the link from leaf1 to spine1. At 370 us f4 joins them; it leaves the ' +
          'same host as f1, which does not use that link at all. What happens to f1?',
        guesses: [
          'Nothing: its own path is free',
          'It gives f4 its share of their host’s link',
          'It falls to what f4 gets',
        ],
        right: 2,
      },
      text: [
        'With back-pressure alone the backlog of f4 reaches back to its host, and *f1 is held ' +
          'down with it*: both leave the host in turn, so f1 gets what f4 gets, 3.3 Gb/s, while ' +
          'two thirds of its path are idle.',
        'It was entitled to all that f4 leaves of their host’s link: 6.7 Gb/s.',
      ],
      scenario: 'victim',
      schemes: ['none'],
      look: ['f1', 'f4'],
      bright: ['f1', 'f4'],
      plot: ['rates'],
      at: '300us',
      speed: 0.5,
      notes: [
        { at: 'leaf1->spine1', text: 'the full link', side: 'above' },
        { at: 'H1', text: 'f1 and f4 leave in turn', side: 'below', from: '370us' },
      ],
    },
    {
      title: 'A heartbeat',
      ask: {
        question:
          'Every 20 us each flow sends one small packet that asks for a rate. What should a link ' +
          'do with it?',
        guesses: [
          'Write its own fair share into it',
          'Lower it to its own fair share, if that is less',
          'Add its queue to it',
        ],
        right: 1,
      },
      text: [
        'Time goes slowly here. Each *diamond* is a heartbeat, in the colour of its flow, ' +
          'with the rate that it carries. It leaves with all that its source wants; every ' +
          'link lowers it to its own fair share if that is less; the *minimum of the path* ' +
          'arrives, and goes back to the source. (It crosses the network in half a ' +
          'microsecond: the picture holds it for the eye.)',
        'Compare the diamonds of a flow from left to right: the number may fall, it never rises.',
      ],
      scenario: 'victim',
      schemes: [FIXED],
      look: [],
      circuit: false,
      packets: true,
      credits: false,
      plot: ['inside rate', 'rates'],
      at: '372us',
      speed: 0.1,
    },
    {
      title: 'Two periods',
      ask: {
        question: 'f4 joins at 370 us. How long until all four rates are right?',
        guesses: ['Two periods: 40 us', 'Ten periods', 'It depends on the queue'],
        right: 0,
      },
      text: [
        'One period in which every link counts who is there, and one in which everyone is told. ' +
          'Look at *rate*, what each source was told, after 170, 370 and 570 us, when flows come ' +
          'and go. No queue has to build up first: nobody waits for a mark or a delay.',
        'f1 keeps what f4 leaves it.',
      ],
      scenario: 'victim',
      schemes: ['accurate'],
      look: ['f1', 'f4'],
      plot: ['inside rate', 'rates'],
      at: '340us',
      speed: 0.25,
      zoom: ['300us', '640us'],
    },
    {
      title: 'What a link computes',
      text: [
        'A link needs no list of flows. It counts the flows that it limits itself (M) and adds ' +
          'up the rates of those that others limit (B), and divides: *FSR = (capacity - B) / M*. ' +
          'Two sums per period are all that it keeps.',
        'The plot shows the fair share of each link. That of leaf1->spine1 falls to a third when ' +
          'f4 joins.',
      ],
      scenario: 'victim',
      schemes: ['accurate'],
      look: ['leaf1->spine1'],
      plot: ['inside fsr', 'rates'],
      at: '300us',
      speed: 0.5,
    },
    {
      title: 'The circuit',
      text: [
        'The same in hardware: a few registers of 12 bits in front of each link, an adder, a ' +
          'comparison and a division. Beside the network stands the circuit of *leaf1->spine1*.',
        'Press *Next FRP*: each heartbeat (the paper calls it FRP) is compared with FSR, ' +
          'counted in M or added to B, and leaves with the lesser rate. At a tick the ' +
          'registers become the old ones. From 370 us on f4 is the third in M.',
      ],
      scenario: 'victim',
      schemes: [FIXED],
      look: ['leaf1->spine1', 'f2', 'f4'],
      plot: ['inside fsr'],
      at: '365us',
      speed: 0.1,
    },
    {
      title: 'Side by side',
      ask: {
        question: 'At 570 us f4 stops. In which lane do the others have its share first?',
        guesses: ['Back-pressure: it has no periods', 'ACCurate', 'Both at once'],
        right: 1,
      },
      text: [
        'With back-pressure (A) f4’s backlog must drain from every buffer first, and f1 waits ' +
          'for it. With ACCurate (B) there is no backlog: 40 us later everyone has a new rate.',
      ],
      scenario: 'victim',
      schemes: ['none', 'accurate'],
      look: ['f1', 'f4'],
      plot: ['rates', 'queues'],
      at: '540us',
      speed: 0.25,
    },
    {
      title: 'A slower heart',
      text: [
        'The period is a knob. With 100 us instead of 20 the answers come later, and so do the ' +
          'fair rates; with 5 us they come sooner and cost more packets.',
        'Turn it yourself: open *Experiment*, then the parameters of ACCurate, and move *rrp*. ' +
          'The lines follow while you move it, and the run before stays as a faint line.',
      ],
      scenario: 'victim',
      schemes: ['accurate', { scheme: 'accurate', params: { rrp: '100us' } }],
      look: ['f1', 'f4'],
      plot: ['rates', 'inside rate'],
      at: '340us',
      speed: 0.5,
    },
  ],
}
