/**
 * R2C2: every node knows every flow, and computes what its own may send.
 *
 * P. Costa et al., "R2C2: A Network Stack for Rack-scale Computers", SIGCOMM 2015. Agent: when a
 * flow starts or ends its node broadcasts 16 bytes along a shortest-path tree (section 3.2); every
 * rho each node fills the links of the whole rack with the flows that it knows, by weight and
 * priority, up to a headroom (section 3.3), and paces its own by the outcome. RP: flows younger
 * than rho are announced and not limited. CP and NP do nothing: no probing, no marks, no feedback.
 *
 * Made for routing that sprays packets (`routing: packet-spray`), whose fractions it reckons with;
 * with one path a flow the loads of links are right on average only.
 *
 * Differs: see docs/schemes/r2c2.md.
 */
import type { Control } from '@weir/fabric'
import { inertControl } from '@weir/fabric'
import type { Params, Presets } from './param.ts'
import { CentralHost } from './r2c2/central.ts'
import { LONGEST_BYTES, R2c2Reaction, RackHost, RackSwitch } from './r2c2/node.ts'
import { RackWorld } from './r2c2/world.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const US = 1e6
const PAPER = 'SIGCOMM 2015'

const params = {
  rho: {
    unit: 'time',
    default: 500 * US,
    min: 1 * US,
    max: 1e6 * US,
    about: 'Between two computations of rates; younger flows are not limited.',
    source: `${PAPER}, section 5.2: 500 us`,
  },
  headroom: {
    unit: 'fraction',
    default: 0.05,
    min: 0,
    max: 0.9,
    about: 'Part of every link that computed rates leave free.',
    source: `${PAPER}, section 3.3.2: 5%`,
  },
  trees: {
    unit: 'count',
    default: 4,
    min: 1,
    max: 16,
    about: 'Broadcast trees of each node, taken in turn.',
    source: `ours: enough to balance; ${PAPER}, section 3.2, says several`,
  },
  digests: {
    unit: 'boolean',
    default: true,
    about: 'Nodes broadcast what flows they have from time to time, for those who missed one.',
    source: 'ours: a last broadcast that is lost has nobody to tell of it',
  },
  digestPeriod: {
    unit: 'time',
    default: 1000 * US,
    min: 10 * US,
    max: 1e7 * US,
    about: 'Between two digests of a node.',
    source: 'ours: as often as twice rho',
  },
  start: {
    unit: 'choice',
    default: 'paths',
    choices: ['paths', 'link'],
    about: 'What a flow sends that is not limited yet: as much as all its ways carry, or one link.',
    source: `ours: ${PAPER}, section 3.3.2, says only that such flows are not limited`,
  },
  control: {
    unit: 'choice',
    default: 'broadcast',
    choices: ['broadcast', 'central'],
    about: 'Who computes: every node from broadcasts, or the first host, which sends rates.',
    source: `${PAPER}, section 5.2: the centralized design of Fig. 19`,
  },
} as const satisfies Params

const presets: Presets<typeof params> = {
  paper: {
    about: 'As evaluated: 5% headroom, 500 us, and no digests, which are ours.',
    source: `${PAPER}, section 5.2`,
    values: { digests: false },
  },
  central: {
    about: 'One controller computes all rates at each event and sends them.',
    source: `${PAPER}, section 5.2, Fig. 19`,
    values: { control: 'central', digests: false },
  },
}

export const r2c2: Scheme = defineScheme({
  name: 'r2c2',
  title: 'R2C2, rates from global visibility',
  cite: 'Costa et al., SIGCOMM 2015',
  needs: [],
  params,
  presets,
  create(values, { graph }): Control {
    const world = new RackWorld(graph, {
      rhoPs: values.rho,
      headroom: values.headroom,
      trees: values.trees,
      digestPs: values.digests ? values.digestPeriod : Infinity,
      start: values.start,
    })
    return {
      ...inertControl,
      controlBytesMax: LONGEST_BYTES,
      flowInternals: ['rate'],
      reaction: (flow) => new R2c2Reaction(flow, world),
      agent: (node) => {
        if (node.host < 0) return new RackSwitch(node, world)
        const isCentral = values.control === 'central'
        return isCentral ? new CentralHost(node, world) : new RackHost(node, world)
      },
    }
  },
})
