import { conforms } from '@weir/sim/testing'
import { r2c2 } from './r2c2.ts'

conforms(r2c2, {
  // What 16 flows put into the network in their first rho drains through the headroom alone.
  bounds: {
    utilisation: 0.93,
    jain: 0.98,
    source: 'SIGCOMM 2015, section 3.3: max-min rates of 95% of the link',
  },
})
