/** How PFC makes victims, and a deadlock: document B, the limitations of PFC; SIGCOMM 2015, 2.2. */
import type { Story } from './story.ts'

export const pfc: Story = {
  name: 'pfc',
  title: 'PFC: victims and a deadlock',
  about: 'A switch that never loses a packet stops the one before it, and whoever stands there.',
  steps: [
    {
      title: 'Nothing is lost',
      text: [
        'RDMA wants a network that loses nothing. With PFC a switch whose buffer fills sends a ' +
          '*pause* frame to the one that fills it: stop, this class, until I say go.',
        'Three flows (a, b and c) end at R, and R can take only one link’s worth. Where a ' +
          'link is *hatched* it is paused, and the words say by whom and for which queue.',
      ],
      scenario: 'pfc-victim',
      schemes: ['none'],
      look: ['near->R', 'a'],
    },
    {
      title: 'The victim',
      text: [
        'Now look at the flow *victim*. It goes from V to W, and nobody else sends to W: two ' +
          'thirds of the link between the switches are free for it.',
        'It gets no more than flow a: read both at R and W. PFC knows classes, not flows: when ' +
          'near pauses ' +
          'the link between the switches because of a, the victim stands still with it.',
      ],
      scenario: 'pfc-victim',
      schemes: ['none'],
      look: ['victim', 'far->near'],
    },
    {
      title: 'Slow down at the source',
      text: [
        'A congestion control slows flow a down *where it comes from*, so that the pause is hardly ' +
          'needed. Compare the rate of the victim, and the pause frames in the table of results.',
        'DCQCN needs the first pauses to learn of it: its marks come back after the burst. ACCurate ' +
          'asks every link before it sends, and no pause is ever sent.',
      ],
      scenario: 'pfc-victim',
      schemes: ['none', { scheme: 'dcqcn', preset: 'firmware' }, 'accurate'],
      look: ['victim', 'far->near'],
    },
    {
      title: 'Fair to ports, not to flows',
      text: [
        'Pausing is also unfair. Three flows come to R through one port, the fourth has a port of ' +
          'its own. The switch pauses both ports alike, so the fourth flow takes a half and the ' +
          'three share the rest.',
        'With rates per flow they come closer (DCQCN) or meet (ACCurate).',
      ],
      scenario: 'pfc-unfair',
      schemes: ['none', 'dcqcn', 'accurate'],
      look: ['f1', 'f4'],
    },
    {
      title: 'A deadlock',
      text: [
        'Four switches in a ring, four flows, each over two links, clockwise. Every switch fills, ' +
          'pauses the one before it, and waits for the one after it.',
        'Within a moment *everybody waits for everybody*. Nothing moves again, and no timeout ' +
          'helps: the buffers stay full. The result names the cycle.',
      ],
      scenario: 'pfc-deadlock',
      schemes: ['none'],
      settings: ['run.until=4ms'],
      look: ['S0->S1', 'S1->S2'],
    },
    {
      title: 'Breaking the cycle',
      text: [
        'Put one flow into a class of its own and the cycle of waiting is broken: PFC fires as ' +
          'before, and every flow ends. Routing that cannot form a cycle does the same.',
      ],
      scenario: 'pfc-deadlock-lanes',
      schemes: ['none'],
      look: ['S0->S1', 'S1->S2'],
    },
  ],
}
