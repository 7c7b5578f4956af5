/**
 * ACCurate, sections I and III: ACCurate 'keeps the backlogs outside of the network'; buffers of
 * 2.5 KB an input are enough. The paper shows it by its effect; here is the backlog itself: bytes
 * that wait for an output, over all outputs and moments, under ACCurate and under back-pressure
 * alone.
 */
import { holds } from '../figure.ts'
import type { Figure, FigureContext, FigureResult } from '../figure.ts'
import { scenarios } from '@weir/sim'
import type { Result } from '@weir/sim'
import { twoBladeText } from './two-blade.ts'
import { specOf, variantNamed } from './variants.ts'

const PLACES = ['parking-lot', 'victim', 'two blades at 0.2'] as const

export const queue: Figure = {
  id: 'accurate/queue',
  title: 'Backlog inside the network',
  cite: 'Karampelas et al. (ACCurate), sections I and III; not a figure of the paper',
  claim: 'ACCurate keeps backlogs out of the network; 2.5 KB per input are enough.',
  switches: [
    {
      name: 'ACCurate',
      without: ({ scheme }) => (scheme.name === 'accurate' ? ['scheme={name: none}'] : []),
      breaks: ['parking-lot: 99th', 'victim: 99th', 'two blades'],
    },
  ],
  async reproduce(context: FigureContext): Promise<FigureResult> {
    const arrivalsMs = context.size === 'full' ? 20 : 1.5
    const textOf = (place: (typeof PLACES)[number]): string =>
      scenarios.find(({ name }) => name === place)?.text ?? twoBladeText(0.2, arrivalsMs)
    const run = (place: (typeof PLACES)[number], scheme: string): Promise<Result> =>
      context.simulate(
        specOf(textOf(place), variantNamed(scheme), ['metrics.interval=1us', 'metrics.series=[]']),
      )
    const ours = await Promise.all(PLACES.map((place) => run(place, 'ACCurate')))
    context.progress(0.5, 'ACCurate')
    const pause = await Promise.all(PLACES.map((place) => run(place, 'PAUSE-only')))
    context.progress(1, 'PAUSE-only')
    const p99 = (results: readonly Result[]): number[] =>
      results.map(({ summary }) => summary.queueBytesP99)
    const most = (results: readonly Result[]): number[] =>
      results.map(({ counters }) => counters.bufferBytesMax)
    return {
      checks: [
        ...PLACES.map((place, i) => {
          const [less, more] = [p99(ours)[i] ?? NaN, p99(pause)[i] ?? NaN]
          const name = `${place}: 99th percentile of queues, ACCurate over PAUSE-only`
          return holds(name, 'backlogs are kept out', less / more, less < more, 'times')
        }),
      ],
      plots: [
        {
          title: 'Bytes that wait for an output, 99th percentile; and most held at one input',
          kind: 'bars',
          x: { label: 'place', unit: '' },
          y: { label: 'backlog', unit: 'bytes' },
          curves: [
            { name: 'ACCurate, 99th', x: PLACES, y: p99(ours) },
            { name: 'PAUSE-only, 99th', x: PLACES, y: p99(pause) },
            { name: 'ACCurate, most at an input', x: PLACES, y: most(ours) },
            { name: 'PAUSE-only, most at an input', x: PLACES, y: most(pause) },
          ],
        },
      ],
      draws: 'one seed',
      notes: [
        'An input never holds more than its 2.5 KB: credits see to that. What differs is how ' +
          'often it is full, that is, how often back-pressure spreads.',
      ],
    }
  },
}
