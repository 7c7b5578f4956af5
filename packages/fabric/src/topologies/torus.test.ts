import { conforms } from './conforms.ts'

conforms(
  {
    kind: 'torus',
    dimensions: [3, 2, 4],
    rateBps: 10e9,
    delayPs: 1e6,
    injectionRateBps: 10e9,
    injectionDelayPs: 0,
  },
  { hostsLowest: false },
)
