/** How PFC makes victims, and a deadlock: SIGCOMM 2015 (DCQCN), section 2.2; IEEE 802.1Qbb. */
import type { Story } from './story.ts'

export const pfc: Story = {
  name: 'pfc',
  title: 'PFC: victims and a deadlock',
  about: 'A switch that never loses a packet stops the one before it, and whoever stands there.',
  steps: [
    {
      title: 'Nothing is lost',
      ask: {
        question:
          'Three flows (a, b and c) end at R, each able to fill R’s link alone. The switches may ' +
          'not lose a single packet. Where do the packets go that do not fit?',
        guesses: [
          'They wait in the last switch',
          'They wait everywhere back to the senders',
          'The senders are told to slow down',
        ],
        right: 1,
      },
      text: [
        'RDMA wants a network that loses nothing. With *priority flow control* a switch that ' +
          'holds XOFF, 100 KB, of what came in by *one* link sends a *pause* to who sent it: ' +
          'stop, until I say go. (Queues are drawn by where packets go: that to R holds what ' +
          'came ' +
          'in by three links, and is beyond 200 KB when the first of them is paused.)',
        'A link that is paused is *hatched*, and the words say who stops whom, and for which ' +
          'queue. Time goes slowly here: near stops B and C after *56 us*; far, where two ' +
          'senders want one link, stops A and V after *66 us*; and after *109 us* near stops far ' +
          'too. Each resumes for a moment, and is stopped again: a thousand pauses in four ' +
          'milliseconds.',
      ],
      scenario: 'pfc-victim',
      schemes: ['none'],
      look: ['near->R', 'far->near'],
      plot: ['queues', 'rates'],
      at: '20us',
      speed: 0.05,
      zoom: ['0us', '400us'],
      bright: ['a', 'b', 'c'],
      notes: [{ at: 'R', text: 'all three end here', side: 'above', to: '60us' }],
    },
    {
      title: 'The victim',
      ask: {
        question:
          'The fourth flow goes from V to W. Nobody else sends to W, and flow a can use only a ' +
          'third of the link between the switches. How much will it get of its 25 Gb/s?',
        guesses: ['All of W’s 25 Gb/s', 'The other two thirds: 16 Gb/s', 'About 8 Gb/s, as flow a'],
        right: 2,
      },
      text: [
        'It gets *7.8 Gb/s* over the run, and flow a gets 7.7: in the plot all four lines lie ' +
          'on each other. ' +
          'The upper dotted line is what would be fair for the victim, twice as much.',
        'PFC knows classes, not flows. When near stops the link between the switches because of ' +
          'a, everything on that link stops: the victim waits, and two thirds of the link to W ' +
          'stay free. The lower plot is the link between the switches: it is kept from sending a ' +
          'third of the time.',
      ],
      scenario: 'pfc-victim',
      schemes: ['none'],
      look: [],
      bright: ['victim', 'a'],
      plot: ['rates', 'port far->near'],
      at: '1ms',
      speed: 0.1,
      smooth: true,
      notes: [{ at: 'near->W', text: 'two thirds of this link stay free', side: 'below' }],
    },
    {
      title: 'Slow down at the source',
      ask: {
        question:
          'What if flow a were told to slow down where it comes from, instead of being ' +
          'stopped on the way? Which flow gains most?',
        guesses: ['Flow a', 'Flows b and c', 'The victim'],
        right: 2,
      },
      text: [
        'Lane A has PFC alone, lane B DCQCN, lane C ACCurate. The *victim* doubles, to means ' +
          'of 17 and 15 Gb/s from 0.8 ms on. R’s link is shared evenly in lane C; in lane B ' +
          'flow a, which crosses ' +
          'both full links, has 6 Gb/s and the others 8 to 9.',
        'Pauses are still there as a last resort. DCQCN needs some thirty before its marks have ' +
          'come back; ACCurate asks every link before it sends, and none is ever needed. ' +
          '(*Firmware*: ' +
          'the values that HPCC’s authors took for DCQCN; the next step has those of its paper.)',
      ],
      scenario: 'pfc-victim',
      lane: 'B',
      schemes: ['none', { scheme: 'dcqcn', preset: 'firmware' }, 'accurate'],
      look: ['victim'],
      bright: ['victim'],
      plot: ['rates', 'queues'],
      at: '1200us',
      smooth: true,
    },
    {
      title: 'Fair to ports, not to flows',
      ask: {
        question:
          'Four flows to R; three come through one port of the last switch, the fourth has a ' +
          'port of its own. How is R’s link shared?',
        guesses: ['A quarter each', 'Half for the fourth', 'The fourth is starved'],
        right: 1,
      },
      text: [
        'The switch stops both ports alike, so each port gets a half: f4 has *12 Gb/s*, the ' +
          'others 4 each.',
        'DCQCN cuts flow by flow and comes closer within 10 ms; at first it leaves two thirds of ' +
          'the link empty (the dashed line is the total). ACCurate computes rates, and is even.',
      ],
      scenario: 'pfc-unfair',
      lane: 'A',
      schemes: ['none', 'dcqcn', 'accurate'],
      look: ['f1', 'f4'],
      plot: ['rates', 'fairness'],
      smooth: true,
    },
    {
      title: 'A deadlock',
      ask: {
        question:
          'Four switches in a ring, four flows, each over two links, all clockwise. Every switch ' +
          'may stop the one before it. What happens?',
        guesses: [
          'All flows share the ring',
          'They take turns, slowly',
          'At some moment everything stops for ever',
        ],
        right: 2,
      },
      text: [
        'S0 waits for room at S1, S1 for S2, S2 for S3, and S3 for S0. *Everybody waits for ' +
          'everybody.* No packet is lost, no timeout helps, and the buffers stay full.',
        'Time goes slowly here: watch the hatching close the circle, at *141 us*. What is on its ' +
          'way arrives, and from *145 us* on nothing moves. In the plot the four queues fill ' +
          'alike, and never fall again.',
      ],
      scenario: 'pfc-deadlock',
      schemes: ['none'],
      settings: ['run.until=4ms'],
      look: ['S0->S1', 'S1->S2', 'S2->S3', 'S3->S0'],
      plot: ['queues', 'rates'],
      at: '40us',
      speed: 0.05,
      zoom: ['0us', '400us'],
      sharp: true,
    },
    {
      title: 'Breaking the cycle',
      ask: {
        question:
          'Put one of the four flows, f3, into a class of its own, which has its own pauses. Is ' +
          'one enough?',
        guesses: ['One is enough', 'The other three still lock up', 'Only with larger buffers'],
        right: 0,
      },
      text: [
        'A circle with a gap is no circle: the other three never close it, and every flow ends. ' +
          'Routing that cannot turn in a circle does the same.',
        'It is not fair, though. f3’s class is the higher one: it is *served first*, never ' +
          'stopped, and runs at 24 Gb/s. f0 and f2 wait for the links that it fills, f1 stands ' +
          'behind f2, and all three *starve* until f3 has ended, after 1.7 ms. Then they share ' +
          'the ring, at 11 to 13 Gb/s each. Open is not the same as fair.',
      ],
      scenario: 'pfc-deadlock-lanes',
      schemes: ['none'],
      look: [],
      plot: ['rates'],
      at: '300us',
      speed: 0.5,
      notes: [
        {
          at: 'S3->S0',
          text: 'f3 is served first',
          side: 'below',
          to: '1600us',
        },
      ],
    },
  ],
}
