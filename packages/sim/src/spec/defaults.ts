/**
 * What a spec that says nothing means: the RoCE fabric most people run, each value with its reason.
 * Written as a user would write it, so that this table, the JSON Schema and docs/spec.md agree.
 * Values that follow from others (an interval from a run's length) are at the end, as functions.
 */
import type { HostsSpec } from './valid-spec.ts'

export const defaults = {
  /** Any number will do; the same one each time, so that a run repeats. */
  seed: 1,

  /** Hosts of the published RoCE experiments (HPCC, PACC) have 25 Gb/s. */
  hostRate: '25Gbps',
  /** Switches of the same experiments are joined at four times that. */
  fabricRate: '100Gbps',
  /** 200 m of fibre; HPCC section 5.1 and PACC section II take 1 us a link. */
  linkDelay: '1us',
  /** Rack-scale computers (ACCurate, R2C2) have 10 Gb/s links ... */
  rackRate: '10Gbps',
  /** ... of a few metres, with a forwarding step: R2C2 section 5.2 takes 100 ns a hop. */
  rackDelay: '100ns',
  /** A server's own injection link crosses a chip, not a rack. */
  injectionDelay: '10ns',

  /** PACC, Fig. 1: 16 core, 20 aggregation and 20 top-of-rack switches, 320 hosts. */
  threeTier: { cores: 16, pods: 5, aggsPerPod: 4, torsPerPod: 4, hostsPerTor: 16 },
  /** ACCurate, Fig. 5(a). */
  twoBlade: { blades: 2, groupsPerBlade: 4, nodesPerGroup: 4, linksBetweenBlades: 2 },

  /** RoCE runs on shared-memory Ethernet switches. */
  switch: 'shared-memory',
  /** What the published simulators do; cut-through is the exception that one asks for. */
  forwarding: 'store-and-forward',
  /** The link's delay is taken to hold the switch's pipeline too, as in HPCC's simulator. */
  switchDelay: '0ns',
  /** 802.1Q has eight priorities. */
  classes: 8,
  /** Control in a higher class must not wait for data. */
  scheduler: 'strict',
  /** HPCC section 5.1 (not verified): 32 MB a switch, as in a Broadcom Tomahawk 2 or 3. */
  sharedBuffer: '32MB',
  /** An input buffer covers a 1 us link's round trip at 200 Gb/s, with a few packets to spare. */
  inputBuffer: '64KB',
  /** One queue may take as much as is left free (Choudhury and Hahne, 1998). */
  thresholdAlpha: 1,
  /** One FIFO an input and class: the plain InfiniBand or ACCurate switch, with its blocking. */
  inputQueue: 'fifo',

  /** HPCC's simulator: XOFF at an eighth of the free buffer ... */
  xoffAlpha: '1/8',
  /** ... and XON three packets below. */
  xonGap: '3072B',
  /** A PFC frame is the shortest Ethernet frame. */
  pauseFrame: '64B',
  /** 1 byte: a packet's credit is returned as soon as the packet has left. */
  credit: '1B',
  /** HPCC's run.py for DCQCN: 100 KB to 400 KB at 25 Gb/s, scaled by link rate; Pmax 20%. */
  red: { kmin: '100KB', kmax: '400KB', pmax: 0.2, referenceRate: '25Gbps' },

  /** 1,000 bytes of payload, as all of HPCC's descendants send. */
  mtu: '1000B',
  /** Ethernet 18, IPv4 20, UDP 8, less the ICRC: the 48 B that HPCC's simulator adds. */
  header: '48B',
  /** Every packet is acknowledged, or schemes that live on ACKs starve ... */
  ackEvery: 1,
  /** ... by 60 B, the shortest frame before its checksum ... */
  ackSize: '60B',
  /** ... in the class of the data, as RoCE NICs do. */
  ackClass: 'data',
  /** ... by the way the data came, as where ECMP's hash is symmetric ... */
  ackPath: 'reverse',
  /** ... and not ECN-capable: RFC 3168, section 6.1.4. */
  ackEcn: 'none',
  /** What RoCE NICs have done since ConnectX-3. */
  reliability: 'go-back-n',
  tcp: {
    /** Linux's TCP_RTO_MIN, and the lecture's 200 ms; RFC 6298 says 1 s. */
    rtoMin: '200ms',
    /** RFC 6298 section 2.5: at least 60 s. */
    rtoMax: '60s',
    /** A Linux jiffy at HZ = 1000. */
    granularity: '1ms',
    /** Receive buffers grow as needed (Linux, DRS); ACCurate has 21 KB. */
    receiveWindow: 'none',
    /** Linux's TCP_DELACK_MIN; RFC 5681 section 4.2 says less than 500 ms. */
    delayedAck: '40ms',
    /** Stacks have it; the papers of incast, which the figures here stand on, have NewReno. */
    sack: false,
    /** Each flow is a transfer of its own, as in the papers that the figures stand on. */
    connection: 'per-flow',
    /** RFC 5681 section 4.1; Linux's tcp_slow_start_after_idle. */
    idleRestart: true,
  },
  /** In flight is what the scheme allows; RoCE NICs have no other bound. */
  window: 'none',
  /** Long against any round trip in a data center, short against a run. */
  rtoLossy: '1ms',
  /** A NIC with one queue pair a flow does not block at the head of a line. */
  injection: 'per-flow',
  /** Depth of a shared FIFO: a few packets in front of the link, no more. */
  injectionFifoPackets: 16,
  /** ACCurate, section IV-B: 'small bursts (1-2 packets)': the one that is due, and one more. */
  burst: 1,
  /** ACCurate, section IV-B. */
  service: 'next-service-time',
  /** DCQCN deployments put RDMA in priority 3 of 0..7, control in the highest. */
  dataClass: 3,

  routing: 'ecmp',
  hashSeed: 1,

  /** Traffic between any two hosts. */
  pattern: 'uniform',
  flowWeight: 1,

  messages: {
    /**
     * Half of the 1.5 us or so that MPI takes over a cable (Gran et al. 2010, Table III), per end.
     */
    overhead: '0.75us',
    /** Between processes of one host (Gran et al. 2010, Table III: 1.1 us and 880 MB/s). */
    localDelay: '1.1us',
    localRate: '7Gbps',
  },

  /** The congestion control that RoCE NICs ship with. */
  scheme: 'dcqcn',

  /** Longer than flows of some megabytes need; a run ends sooner when all is done. */
  until: '10ms',

  /**
   * Times `until` that generated flows may take to end after it. WebSearch's largest flow takes
   * 10 ms alone at 25 Gb/s, and ten times that in a crowd, whatever `until` is.
   */
  drainTimes: 50,

  /** The sizes between which HPCC and PACC (Figs. 9, 10) report completion times. */
  buckets: ['10KB', '20KB', '30KB', '50KB', '80KB', '200KB', '1MB', '2MB', '5MB', '10MB', '30MB'],
  /** A flow has converged once it is within 10% of its max-min rate. */
  convergenceWithin: '10%',
} as const

/** Class 3 of 8; where there are so few classes that 3 is the control class, the lowest. */
export function defaultDataClass(classes: number): number {
  return classes > defaults.dataClass + 1 ? defaults.dataClass : 0
}

/** 1, 2 or 5 times a power of ten, so that a run yields 200 to 500 samples. */
export function autoIntervalPs(untilPs: number): number {
  const most = untilPs / 200
  if (most < 1) return 1
  let scale = 1
  while (scale * 10 <= most) scale *= 10
  return scale * (most >= 5 * scale ? 5 : most >= 2 * scale ? 2 : 1)
}

/**
 * Every series of a small scenario; of a large one only the queues, or the result is all series.
 */
export function autoSeries(hosts: number, generates: boolean): readonly string[] {
  if (hosts > 64) return []
  return generates ? ['queue.*', 'paused.*'] : ['*']
}

/** Hosts that never lose a packet need no timeout, and one that fires in a long pause does harm. */
export function needsTimeout(reliability: HostsSpec['reliability'], canLose: boolean): boolean {
  return canLose && reliability !== 'none' && reliability !== 'tcp'
}
