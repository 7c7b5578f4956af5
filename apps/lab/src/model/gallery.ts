/** The gallery: scenarios and stories grouped by what they teach, each with what to look for. */
import { scenarios } from '@weir/sim'
import { stories } from '../stories/index.ts'
import type { Story } from '../stories/story.ts'
import { experimentOf, laneOf } from './experiment.ts'
import type { Experiment } from './experiment.ts'
import { storyExperiment } from './story-experiment.ts'

export interface GalleryCard {
  readonly id: string
  readonly title: string
  /** What to look for. */
  readonly look: string
  /** Where it leads. */
  readonly hash: string
  /** What its picture shows: a run that is short enough for a card. */
  readonly picture: Experiment
  /** What the strip under it shows; else rates of few flows, or the longest queue. */
  readonly trace?: 'rates' | 'queue'
}

export interface GalleryGroup {
  readonly title: string
  readonly about: string
  readonly cards: readonly GalleryCard[]
}

interface Teaching {
  readonly title: string
  readonly about: string
  /** Scenario, title, what to look for, and settings of the picture. */
  readonly of: readonly (readonly [name: string, title: string, look: string, ...set: string[]])[]
}

const TEACHING: readonly Teaching[] = [
  {
    title: 'Who gets what of one link',
    about: 'A full link has to be divided. Fair is not what happens by itself.',
    of: [
      [
        'dumbbell-fair',
        'Four flows join and leave',
        'How soon everyone has the new share, and how far the queue swings meanwhile.',
      ],
      [
        'parking-lot',
        'The parking lot',
        'Two flows from afar share what the one from next door has alone.',
      ],
      [
        'pfc-unfair',
        'Fair to ports, not to flows',
        'One flow has a port of its own and takes half; three share the rest.',
      ],
    ],
  },
  {
    title: 'Many to one',
    about: 'Everybody answers at once, and the last link is too narrow for all of them.',
    of: [
      [
        'incast',
        'Sixteen to one, with two bystanders',
        'The tank in the switch fills; bystanders on other links suffer, or not.',
      ],
      [
        'leaf-spine-mix',
        'Web search with bursts',
        'Short bursts across long transfers: which tail gets longer?',
        'run.until=300us',
      ],
    ],
  },
  {
    title: 'The innocent',
    about: 'Back-pressure stops links. Flows that only share the link stop with it.',
    of: [
      [
        'victim',
        'A victim behind its own host',
        'f1 never crosses the full link, and is held down when f4 begins.',
      ],
      [
        'pfc-victim',
        'A victim of PFC',
        'Hatching wanders upstream until it stands in front of a flow that goes elsewhere.',
      ],
      [
        'infiniband-testbed',
        'InfiniBand’s victim',
        'Four flows to one host join one by one; watch the fifth, which goes elsewhere.',
        'run.until=10ms',
        'workload[0].flows[1].start=2ms',
        'workload[0].flows[2].start=4ms',
        'workload[0].flows[3].start=6ms',
        'workload[0].flows[4].start=8ms',
      ],
      [
        'infiniband-testbed-2',
        'InfiniBand without a victim',
        'Nobody innocent is there to save: what does the control cost?',
        'run.until=6ms',
        'workload[0].flows[1].start=1ms',
        'workload[0].flows[2].start=2ms',
      ],
    ],
  },
  {
    title: 'Deadlock',
    about: 'A ring of switches in which each waits for the next.',
    of: [
      ['pfc-deadlock', 'Everybody waits', 'Within a moment nothing moves, and nothing ever will.'],
      [
        'pfc-deadlock-lanes',
        'The same ring, one class more',
        'One flow in a class of its own, and the circle is open.',
      ],
    ],
  },
  {
    title: 'Large networks',
    about: 'Racks and tori, with the traffic of data centres.',
    of: [
      [
        'permutation',
        'Everyone sends to someone',
        'Hashing puts several flows on one link while others idle.',
        'run.until=100us',
      ],
      [
        'torus-uniform',
        'A torus of 64 servers',
        'A rack without a switch: servers forward for each other.',
        'run.until=100us',
      ],
      [
        'torus-per-flow',
        'A queue for each flow',
        'The same rack, and no flow waits for another.',
        'run.until=100us',
      ],
      [
        'websearch-320',
        'Web search on 320 hosts',
        'Most flows are short; most bytes are in long ones.',
        'run.until=150us',
      ],
      [
        'hadoop-320',
        'Hadoop on 320 hosts',
        'Even more of the flows are a packet or two.',
        'run.until=100us',
      ],
      [
        'permutation-1024',
        '1,024 hosts',
        'A fat tree with every host sending at full rate.',
        'run.until=12us',
      ],
    ],
  },
]

/** The step whose picture says most of each story, and settings of the picture. */
const STORY_PICTURE: Readonly<Record<string, StoryPicture>> = {
  incast: { step: 1, settings: ['run.until=10ms'] },
  // No other card shows these networks under these schemes.
  pfc: { step: 2, lane: 1 },
  'parking-lot': { step: 2 },
  accurate: { step: 2 },
  infiniband: { step: 4, settings: ['run.until=50ms'] },
  pacc: { step: 0, trace: 'queue' },
  r2c2: { step: 2 },
  'r2c2-routes': { step: 3 },
  'tcp-to-here': { step: 0, trace: 'queue' },
  fluid: { step: 1, trace: 'queue' },
}

interface StoryPicture {
  readonly step: number
  /** Else the last. */
  readonly lane?: number
  readonly settings?: readonly string[]
  readonly trace?: 'rates' | 'queue'
}

function storyCard(story: Story): GalleryCard {
  const { step, lane = -1, settings = [], trace } = STORY_PICTURE[story.name] ?? { step: 0 }
  const { experiment } = storyExperiment(story.steps[step] ?? story.steps[0]!)
  return {
    id: `story-${story.name}`,
    title: story.title,
    look: story.about,
    hash: `#story=${story.name}&step=0`,
    ...(trace !== undefined && { trace }),
    picture: {
      ...experiment,
      settings: [...experiment.settings, ...settings],
      lanes: [experiment.lanes.at(lane)!],
    },
  }
}

export function gallery(): GalleryGroup[] {
  const told = {
    title: 'Told step by step',
    about: 'Stories: a question, a guess, and the network that answers. Begin here.',
    cards: stories.map(storyCard),
  }
  const groups = TEACHING.map(({ title, about, of }) => ({
    title,
    about,
    cards: of.map(([name, cardTitle, look, ...settings]): GalleryCard => {
      const base = experimentOf(name, [], settings)
      const lanes = base.lanes.length > 0 ? base.lanes : [laneOf('none')]
      const hash = `#scenario=${name}`
      return { id: name, title: cardTitle, look, hash, picture: { ...base, lanes } }
    }),
  }))
  const placed = new Set(groups.flatMap(({ cards }) => cards.map(({ id }) => id)))
  // A scenario that nobody has placed yet is shown all the same.
  const rest = scenarios
    .filter(({ name }) => !placed.has(name))
    .map(({ name }) => ({
      id: name,
      title: name,
      look: '',
      hash: `#scenario=${name}`,
      picture: experimentOf(name, [], ['run.until=100us']),
    }))
  const others = rest.length === 0 ? [] : [{ title: 'More', about: '', cards: rest }]
  return [told, ...groups, ...others]
}
