/**
 * R2C2: every node knows every flow, and computes what its own may send.
 *
 * P. Costa et al., "R2C2: A Network Stack for Rack-scale Computers", SIGCOMM 2015. Agent: when a
 * flow starts or ends its node broadcasts 16 bytes along a shortest-path tree (section 3.2); every
 * rho each node fills the links of the whole rack with the flows that it knows, by weight and
 * priority, up to a headroom (section 3.3), and paces its own by the outcome. RP: flows younger
 * than rho are announced and not limited. CP and NP do nothing: no probing, no marks, no feedback.
 *
 * Nodes reckon with what the scenario's routing puts on each link: packets sprayed over ports or
 * paths, VLB, WLB, ROMM, dimension order, or a choice of them per flow, of which long flows may get
 * another (`routes: adaptive`, section 3.4). With one path per flow that a hash chooses the loads
 * of links are right on average only.
 *
 * Differs: see docs/schemes/r2c2.md.
 */
import type { Control } from '@weir/fabric'
import { inertControl } from '@weir/fabric'
import type { Params, Presets } from './param.ts'
import { CentralHost } from './r2c2/central.ts'
import { LONGEST_BYTES, RackHost, RackSwitch } from './r2c2/node.ts'
import { checkChoice, protocolsOf, warningsOf } from './r2c2/protocols.ts'
import { R2c2Reaction } from './r2c2/reaction.ts'
import { RackWorld } from './r2c2/world.ts'
import {
  GENETIC,
  genetic,
  hillClimbing,
  logLinearLearning,
  simulatedAnnealing,
} from '@weir/theory/selection'
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
  routes: {
    unit: 'choice',
    default: 'fixed',
    choices: ['fixed', 'adaptive'],
    about: 'Whether nodes, in turn, choose the routing of long flows among those of the scenario.',
    source: `${PAPER}, section 3.4`,
  },
  routePeriod: {
    unit: 'time',
    default: 2000 * US,
    min: 100 * US,
    max: 1e9 * US,
    about: 'Between two turns at choosing routes.',
    source: `ours: ${PAPER}, section 3.4, has seconds to minutes, longer than a simulation`,
  },
  routeSearch: {
    unit: 'choice',
    default: 'genetic',
    choices: ['genetic', 'genetic-uniform', 'hill-climbing', 'annealing', 'log-linear'],
    about: 'How routes are searched for; genetic-uniform also tries each routing for all flows.',
    source: `${PAPER}, section 3.4: genetic, after the others were tried`,
  },
  routeUtility: {
    unit: 'choice',
    default: 'aggregate',
    choices: ['aggregate', 'tail'],
    about: 'What choosing routes is to raise: the sum of all rates, or the lowest of them.',
    source: `${PAPER}, section 3.4`,
  },
  routeEvaluations: {
    unit: 'count',
    default: 2000,
    min: 100,
    max: 1e6,
    about: 'Assignments of routes that one turn may try.',
    source: 'ours: the search has an end; 20 generations of 100',
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

const SEARCHES = {
  genetic,
  'genetic-uniform': () => genetic({ ...GENETIC, hasUniform: true }),
  'hill-climbing': hillClimbing,
  annealing: simulatedAnnealing,
  'log-linear': logLinearLearning,
} as const

export const r2c2: Scheme = defineScheme({
  name: 'r2c2',
  title: 'R2C2, rates from global visibility',
  cite: 'Costa et al., SIGCOMM 2015',
  needs: [],
  params,
  presets,
  create(values, { graph, routing }): Control {
    if (values.routes === 'adaptive') {
      checkChoice(routing)
      if (values.control === 'central') {
        throw new Error(
          'scheme.params.routes is adaptive, which nodes are; write control: broadcast',
        )
      }
    }
    const world = new RackWorld(graph, {
      rhoPs: values.rho,
      headroom: values.headroom,
      trees: values.trees,
      digestPs: values.digests ? values.digestPeriod : Infinity,
      start: values.start,
      protocols: protocolsOf(routing),
      select:
        values.routes === 'fixed'
          ? undefined
          : {
              periodPs: values.routePeriod,
              evaluations: values.routeEvaluations,
              search: SEARCHES[values.routeSearch](),
              utility: values.routeUtility,
            },
    })
    return {
      ...inertControl,
      controlBytesMax: LONGEST_BYTES,
      headroom: values.headroom,
      flowInternals: ['rate', 'routing'],
      warnings: world.isForked ? warningsOf(routing) : [],
      reaction: (flow) => new R2c2Reaction(flow, world),
      agent: (node) => {
        if (node.host < 0) return new RackSwitch(node, world)
        const isCentral = values.control === 'central'
        return isCentral ? new CentralHost(node, world) : new RackHost(node, world)
      },
    }
  },
})
