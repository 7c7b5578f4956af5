/**
 * InfiniBand congestion control: switches that are the root of a congestion tree mark packets
 * (FECN), receivers return the mark (BECN), and senders wait between packets by a table.
 *
 * InfiniBand Architecture Specification 1.2.1, annex A10; E. G. Gran et al., "First Experiences
 * with Congestion Control in InfiniBand Hardware", IPDPS 2010, whose section numbers
 * appear below and whose Table I gives the defaults.
 *
 * CP: `infiniband/switch-port.ts`. NP and RP: `infiniband/channel-adapter.ts`. Who sets parameters:
 * `infiniband/manager.ts`. Each says what departs from the specification.
 */
import type { Control } from '@weir/fabric'
import { inertControl } from '@weir/fabric'
import {
  AckNotification,
  CNP_BYTES,
  CongestionIndex,
  ExplicitNotification,
  PortLevel,
  QueuePair,
} from './infiniband/channel-adapter.ts'
import { CongestionControlManager } from './infiniband/manager.ts'
import { SwitchPort } from './infiniband/switch-port.ts'
import type { Params, Presets } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const US = 1e6
const SERVICE_LEVELS = 16
const TABLE_I = 'IPDPS 2010, Table I'

const params = {
  threshold: {
    unit: 'count',
    default: 15,
    min: 0,
    max: 15,
    about: 'CP: weight of the threshold; 0 marks nothing, 1 to 15 are 15/16 to 1/16 of a buffer.',
    source: TABLE_I,
  },
  markingRate: {
    unit: 'count',
    default: 1,
    min: 0,
    max: 65_535,
    about: 'CP: mean number of eligible packets between two that are marked (Marking_Rate).',
    source: TABLE_I,
  },
  packetSize: {
    unit: 'count',
    default: 8,
    min: 0,
    max: 255,
    about: 'CP: packets shorter than this number of 64 B credits are not marked (Packet_Size).',
    source: TABLE_I,
  },
  victimMask: {
    unit: 'choice',
    default: 'hosts',
    choices: ['none', 'hosts', 'all'],
    about: 'CP: ports that mark though they have no credits: none, those to hosts, or all.',
    source: 'IPDPS 2010, section II-A: "typically set for ports connecting a channel adapter"',
  },
  congestionEnd: {
    unit: 'choice',
    default: 'threshold',
    choices: ['empty', 'threshold'],
    about: 'CP: the congestion state ends when nothing waits, or at the threshold.',
    source: 'none: left to the switch; chosen by IPDPS 2010, fig. 13 and Table II',
  },
  feedback: {
    unit: 'choice',
    default: 'ack',
    choices: ['ack', 'cnp'],
    about: 'NP: the BECN travels on the next ACK, or in a notification packet of its own.',
    source: 'IPDPS 2010, section II-B; ACK: "for a reliable connection", as the test bed has',
  },
  becnEvery: {
    unit: 'count',
    default: 20,
    min: 1,
    max: 1024,
    about: 'NP: at most one BECN per this number of packets of a flow, which share it.',
    source: 'none; fitted to the edge of IPDPS 2010, fig. 11, near 150 us',
  },
  level: {
    unit: 'choice',
    default: 'qp',
    choices: ['qp', 'sl'],
    about:
      'RP: one CCTI for each queue pair (a flow), or for all flows of a host and service level.',
    source: 'IPDPS 2010, section II-B: either, exclusively',
  },
  cct: {
    unit: 'choice',
    default: 'testbed',
    choices: ['testbed', 'vendor', 'formula', 'table'],
    about: 'RP: delays by i^2 * 7 / d^2 us, d being 106, 95 or cctDivisor; or by cctTable.',
    source: 'IPDPS 2010, section VII-B: the test bed has 106, the manufacturer 95',
  },
  cctDivisor: {
    unit: 'count',
    default: 106,
    min: 1,
    max: 10_000,
    about: 'RP: d of the delays i^2 * 7 / d^2 us; used by cct: formula. Larger: finer steps.',
    source: 'IPDPS 2010, section VII-B: 106 in the test bed',
  },
  cctTable: {
    unit: 'text',
    default: '',
    about: 'RP: the delays themselves, such as "0us 0.1us 0.4us"; used by cct: table.',
    source: 'none; the document has formulas only',
  },
  cctiIncrease: {
    unit: 'count',
    default: 1,
    min: 0,
    max: 255,
    about: 'RP: steps in the table for each BECN (CCTI_Increase).',
    source: TABLE_I,
  },
  cctiLimit: {
    unit: 'count',
    default: 127,
    min: 0,
    max: 16_383,
    about: 'RP: the last entry of the table (CCTI_Limit).',
    source: TABLE_I,
  },
  cctiMin: {
    unit: 'count',
    default: 0,
    min: 0,
    max: 16_383,
    about: 'RP: the entry below which the index never falls (CCTI_Min).',
    source: TABLE_I,
  },
  cctiTimer: {
    unit: 'time',
    default: 150 * US,
    min: 1 * US,
    max: 67_108 * US,
    about:
      'RP: each such time the index falls by one, for all flows of a port and SL (CCTI_Timer).',
    source: `${TABLE_I}: 150, in us by section VII-B; the specification counts in 1.024 us`,
  },
} as const satisfies Params

const presets: Presets<typeof params> = {
  paper: { about: 'Table I.', source: TABLE_I, values: {} },
  vendor: {
    about: "Table I with the manufacturer's own table of delays.",
    source: 'IPDPS 2010, section VII-B: "the default formula provided by the switch manufacturer"',
    values: { cct: 'vendor' },
  },
  searched: {
    about:
      'Better than Table I for victim and fairness alike in the test bed: fewer, larger steps.',
    source: 'none; found by `weir reproduce infiniband/tune --full` among 240 settings of Table IV',
    values: {
      threshold: 14,
      markingRate: 4,
      cctiIncrease: 4,
      cctiTimer: 125 * US,
      cct: 'formula',
      cctDivisor: 160,
    },
  },
}

export const infiniband: Scheme = defineScheme({
  name: 'infiniband',
  title: 'InfiniBand CC',
  cite: 'IBA 1.2.1, annex A10; Gran et al., IPDPS 2010',
  needs: ['credits', 'acks'],
  params,
  presets,
  isManaged: true,
  create(values, context): Control {
    const manager = new CongestionControlManager(values, context.bufferBytes, context.hostNames)
    const isOnAck = values.feedback === 'ack'
    const isByLevel = values.level === 'sl'
    const ports = new Map<number, PortLevel>()
    const levels = new Map<PortLevel, CongestionIndex>()
    const portOf = (host: number, serviceLevel: number): PortLevel => {
      const key = host * SERVICE_LEVELS + serviceLevel
      let port = ports.get(key)
      if (port === undefined) {
        const settings = manager.host(host)
        const phase = context.random(`infiniband.timer.${host}.${serviceLevel}`).uniform()
        port = new PortLevel(settings, Math.floor(phase * settings.timerPs))
        ports.set(key, port)
        manager.watch(host, port)
      }
      return port
    }
    const indexOf = (port: PortLevel): CongestionIndex => {
      if (!isByLevel) return new CongestionIndex(port)
      const shared = levels.get(port) ?? new CongestionIndex(port)
      levels.set(port, shared)
      return shared
    }
    return {
      ...inertControl,
      controlBytesMax: CNP_BYTES,
      ecnCapable: true,
      flowInternals: ['ccti', 'delay'],
      portInternals: ['congested', 'fecns'],
      reaction: (flow) =>
        new QueuePair(flow, indexOf(portOf(flow.source, flow.class)), !isByLevel, isOnAck),
      notification: (receiver) => {
        const settings = manager.host(receiver.target)
        return isOnAck
          ? new AckNotification(settings)
          : new ExplicitNotification(receiver, settings)
      },
      contention: (port) => (port.atHost ? undefined : new SwitchPort(port, manager.port(port))),
      manage: (change, nowPs) => manager.set(change, nowPs),
    }
  },
})
