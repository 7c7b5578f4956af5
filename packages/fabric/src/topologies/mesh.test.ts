import { conforms } from './conforms.ts'

conforms(
  {
    kind: 'mesh',
    dimensions: [5],
    rateBps: 10e9,
    delayPs: 1e6,
    injectionRateBps: 10e9,
    injectionDelayPs: 0,
  },
  { hostsLowest: false },
)
