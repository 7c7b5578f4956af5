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
          'down with it*: both leave the host in turn, so f1 gets what f4 gets, 3.1 Gb/s of ' +
          'payload, while the links behind leaf1 that it alone uses are idle for two thirds.',
        'It was entitled to all that f4 leaves of their host’s link, 6.2 Gb/s: the upper dotted ' +
          'line.',
      ],
      scenario: 'victim',
      schemes: ['none'],
      look: ['f1', 'f4'],
      bright: ['f1', 'f4'],
      plot: ['rates'],
      at: '300us',
      speed: 0.5,
      notes: [
        { at: 'H1', text: 'f1 and f4 leave in turn', side: 'above', from: '370us' },
        { at: 'leaf1->spine1', text: 'the full link', side: 'above' },
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
        'Each *diamond* is a heartbeat with the rate that it carries. Follow that of f2: it ' +
          'leaves H3 with all that its link can give, *9.5 Gb/s*. leaf1 has three flows to serve ' +
          'and lowers it to *3.16*. The links after that could give more, and leave it as it is: ' +
          'the number may fall on the way, it never rises.',
        'What arrives is the *minimum of the path*. It goes back to the source (an envelope), ' +
          'which sends at that rate from then on. f1 asks for what f4 leaves of their host’s ' +
          'link, and no link lowers it.',
        'A heartbeat’s rate is that of the wire; what is *received*, below, is payload alone, ' +
          '6 % less. With *arithmetic fixed* rates are whole numbers of few bits, as in a circuit.',
        'In truth a heartbeat crosses this network within a microsecond; here it takes its time.',
      ],
      scenario: 'victim',
      schemes: [FIXED],
      look: [],
      circuit: false,
      packets: true,
      credits: false,
      bright: ['f1', 'f2'],
      plot: ['inside rate', 'rates'],
      at: '421us',
      speed: 0.1,
      zoom: ['300us', '640us'],
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
          'Look at *rate*, what each source was told, after 370 us: f2, f3 and f4 have their ' +
          'third at the next heartbeat. f1 first gives up half of its host’s link, and takes ' +
          'back what f4 cannot use with the heartbeat after that: at 404 us all four are right.',
        'Some packets wait in leaf1 meanwhile. But nobody waits for a queue to say something: ' +
          'no mark and no delay is needed.',
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
      ask: {
        question:
          'A link of 10 Gb/s is crossed by three flows. One of them gets only 1 Gb/s elsewhere. ' +
          'What is the fair share here of the other two?',
        guesses: ['3.3 Gb/s: a third', '4.5 Gb/s: half of what the one leaves', '5 Gb/s: a half'],
        right: 1,
      },
      text: [
        'A link needs no list of flows for that. It counts the flows that it limits itself (M) ' +
          'and adds up the rates of those that others limit (B), and divides: *FSR = (capacity - ' +
          'B) / M*. Two sums per period are the heart of it; the circuit of the ' +
          'next step keeps three numbers more, for flows that come and go.',
        'The plot shows the fair share of leaf1->spine1, of 95 % of 10 Gb/s: a half from 170 us ' +
          'on, when f3 has joined f2, and a third when f4 has joined them.',
      ],
      scenario: 'victim',
      schemes: ['accurate'],
      look: ['leaf1->spine1'],
      plot: ['inside fsr', 'rates'],
      at: '130us',
      speed: 0.5,
      notes: [
        {
          at: 'leaf1->spine1',
          text: 'three flows, all limited here',
          side: 'above',
          from: '370us',
          to: '570us',
        },
      ],
    },
    {
      title: 'The circuit',
      ask: {
        question: 'What must a circuit in front of a link remember of a thousand flows?',
        guesses: [
          'A rate for each of them',
          'A bit for each of them',
          'Five numbers for all of them, and the same of the period before',
        ],
        right: 2,
      },
      text: [
        'A few registers of some 12 bits, an adder, a comparison and a division: the circuit of ' +
          '*leaf1->spine1* has a panel of its own.',
        'Press *Next FRP*: each heartbeat (the paper calls it FRP) is compared with FSR, ' +
          'counted in M or added to B, and leaves with the lesser rate. At a tick the ' +
          'registers become the old ones. From 370 us on f4 is the third in M, and FSR a third.',
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
        'With back-pressure (lane A) f4’s backlog must drain first, until 720 us, and f1 waits ' +
          'for it: its part of the few KB in the plot of switches, and some 60 KB that wait in ' +
          'its host. With ACCurate (lane B) there is none: *15 us* later everyone has a new ' +
          'rate, and after 30 us it is what they get.',
      ],
      scenario: 'victim',
      lane: 'B',
      schemes: ['none', 'accurate'],
      look: ['f1', 'f4', 'leaf1->spine1', 'leaf1->spine2'],
      plot: ['rates', 'queues'],
      at: '555us',
      speed: 0.25,
      zoom: ['540us', '760us'],
    },
    {
      title: 'A slower heart',
      ask: {
        question:
          'Lane B has a heartbeat every 100 us instead of every 20. f4 joins at 370 us. When ' +
          'does f1 have its fair share again?',
        guesses: ['As soon as in lane A', 'Some 100 us later than in lane A', 'Never'],
        right: 1,
      },
      text: [
        'At 404 us in lane A, at 504 us in lane B: two periods are two periods, and the first ' +
          'has begun before f4 comes. With 5 us it would be sooner still, and cost more packets.',
        'Turn it yourself: open *Experiment*, then the parameters of ACCurate, and move *rrp*. ' +
          'The lines follow while you move it, and the run before stays as a faint line.',
      ],
      scenario: 'victim',
      lane: 'B',
      schemes: ['accurate', { scheme: 'accurate', params: { rrp: '100us' } }],
      look: ['f1', 'f4'],
      plot: ['inside rate', 'rates'],
      at: '350us',
      speed: 0.5,
      zoom: ['340us', '560us'],
    },
  ],
}
