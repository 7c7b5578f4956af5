/**
 * A spec with every default filled in and every quantity in one unit: time in whole picoseconds,
 * sizes in bytes, rates in bits per second. Only `validate` makes one, so an unchecked spec cannot
 * be simulated. It is plain JSON: a worker, a cluster node and a page all take the same one.
 */
import type { MessagesInput } from '@weir/workloads'

export interface ValidSpec {
  readonly name: string
  readonly title: string
  /** What to look for, in a few sentences; shown by `weir list` and in the lab. */
  readonly description: string
  /** Of the workload: which flows arrive when, and how long they are. */
  readonly seed: number
  /** Of everything else that is drawn: marks, sprayed packets, timers. */
  readonly chanceSeed: number
  readonly topology: TopologySpec
  readonly fabric: FabricSpec
  readonly hosts: HostsSpec
  readonly routing: RoutingSpec
  readonly workload: readonly WorkloadSpec[]
  readonly scheme: SchemeSpec
  readonly run: RunSpec
  readonly metrics: MetricsSpec
}

/** The kinds are the file names of `fabric/src/topologies/`. */
export type TopologySpec =
  | { kind: 'star'; hosts: number; rateBps: number; delayPs: number }
  | {
      kind: 'dumbbell'
      left: number
      right: number
      rateBps: number
      delayPs: number
      bottleneckRateBps: number
      bottleneckDelayPs: number
    }
  | {
      kind: 'leaf-spine'
      leaves: number
      spines: number
      hostsPerLeaf: number
      hostRateBps: number
      hostDelayPs: number
      fabricRateBps: number
      fabricDelayPs: number
    }
  | {
      kind: 'fat-tree'
      k: number
      rateBps: number
      delayPs: number
    }
  /** PACC: 16 core, 20 aggregation, 20 top-of-rack switches, 16 hosts per rack. */
  | {
      kind: 'three-tier'
      cores: number
      pods: number
      aggsPerPod: number
      torsPerPod: number
      hostsPerTor: number
      hostRateBps: number
      hostDelayPs: number
      fabricRateBps: number
      fabricDelayPs: number
    }
  /** A k-ary n-cube: `dimensions: [8, 8, 8]`. `mesh` has no wrap-around links. */
  | {
      kind: 'torus' | 'mesh'
      dimensions: readonly number[]
      rateBps: number
      delayPs: number
      injectionRateBps: number
      injectionDelayPs: number
    }
  /** ACCurate, Fig. 5a: blades of fully connected groups of fully connected nodes. */
  | {
      kind: 'two-blade'
      blades: number
      groupsPerBlade: number
      nodesPerGroup: number
      linksBetweenBlades: number
      rateBps: number
      delayPs: number
      injectionRateBps: number
      injectionDelayPs: number
    }
  | {
      kind: 'folded-clos'
      hosts: number
      radix: number
      rateBps: number
      delayPs: number
    }
  | {
      kind: 'graph'
      hosts: readonly string[]
      switches: readonly string[]
      links: readonly { a: string; b: string; rateBps: number; delayPs: number }[]
    }

export interface FabricSpec {
  /** Shared memory with output queues (RoCE), or buffers at inputs (InfiniBand, ACCurate). */
  readonly switch: 'shared-memory' | 'input-buffered'
  readonly forwarding: 'store-and-forward' | 'cut-through'
  /** Time from a packet's arrival at a switch until it may leave: look-up and crossbar. */
  readonly switchDelayPs: number
  /**
   * Traffic classes (Ethernet) or virtual lanes (InfiniBand) in use, 1 to 8. Class 0 is the lowest.
   */
  readonly classes: number
  readonly scheduler: {
    readonly kind: 'strict' | 'round-robin' | 'weighted-round-robin'
    /** A weight for each class; used by weighted-round-robin. */
    readonly weights: readonly number[]
  }
  readonly buffer: {
    /** Shared memory: bytes a switch. Input-buffered: bytes an input port and class. */
    readonly bytes: number
    /** How much of a shared memory one output queue may take. */
    readonly threshold:
      | { readonly kind: 'static'; readonly bytes: number }
      | { readonly kind: 'dynamic'; readonly alpha: number }
    /** Input-buffered: one FIFO an input and class, or one queue an output (VOQ). */
    readonly inputQueue: 'fifo' | 'voq'
    /** Input-buffered: bytes of each output's FIFO, by class; 0: none. */
    readonly outputQueueBytes: number
    /**
     * Where a lossy fabric drops: the arriving packet at a full output queue, or at a full input.
     */
    readonly dropAt: 'outputs' | 'inputs'
  }
  readonly flowControl:
    | { readonly kind: 'none' }
    /** `pause` is PFC with a single class: 802.3x. */
    | {
        readonly kind: 'pause' | 'pfc'
        /**
         * Bytes of an ingress port and class at which XOFF is sent; or a share of the free buffer.
         */
        readonly xoff:
          | { readonly kind: 'static'; readonly bytes: number }
          | { readonly kind: 'dynamic'; readonly alpha: number }
        /** XON is sent when the ingress has fallen this many bytes below the XOFF threshold. */
        readonly xonGapBytes: number
        /**
         * Bytes reserved above XOFF for each ingress port and class; `auto` is worst case of link.
         */
        readonly headroomBytes: number | 'auto'
        /** Headroom as a multiple of what a link's delay holds at its rate; 0: as above. */
        readonly headroomDelays: number
        /** Bytes of an ingress port and class that are its own, and not counted against XOFF. */
        readonly reserveBytes: number
        /** Alpha is for links of this rate, and grows with a faster one's; 0: the same for all. */
        readonly referenceRateBps: number
        /** Classes that are never dropped but stopped; others are as without flow control. */
        readonly losslessClasses: readonly number[]
        readonly frameBytes: number
      }
    | {
        readonly kind: 'credits'
        /** A credit is returned once this many bytes are free; 1 returns each packet's at once. */
        readonly creditBytes: number
      }
  /** `auto` takes the marking that the scheme's preset recommends for each link rate. */
  readonly ecn:
    | 'auto'
    | { readonly kind: 'none' }
    | {
        readonly kind: 'threshold'
        readonly kBytes: number
        readonly at: 'enqueue' | 'dequeue'
        /** K is for this link rate and scales with a port's own; 0 does not scale. */
        readonly referenceRateBps: number
      }
    | {
        readonly kind: 'red'
        readonly kminBytes: number
        readonly kmaxBytes: number
        readonly pmax: number
        readonly at: 'enqueue' | 'dequeue'
        /** Thresholds are for this link rate and scale with a port's own; 0 does not scale. */
        readonly referenceRateBps: number
      }
}

export interface HostsSpec {
  /** Payload bytes of a full packet. */
  readonly mtuBytes: number
  /** Bytes of headers on the wire with each packet, besides what the scheme adds. */
  readonly headerBytes: number
  readonly ack: {
    /** An ACK each n packets (and at the last); 0: none. */
    readonly every: number
    readonly bytes: number
    /** Class ACKs travel in: that of the data, or the highest. */
    readonly class: 'data' | 'control'
    /** The data's path turned round, or one that routing finds for the ACKs themselves. */
    readonly path: 'reverse' | 'own'
    /** May switches mark ACKs, and does a mark on one tell the sender of congestion? */
    readonly ecn: 'none' | 'ignored' | 'heard'
  }
  readonly reliability: 'go-back-n' | 'selective-repeat' | 'unordered' | 'tcp' | 'none'
  /** Of reliability `tcp`. */
  readonly tcp: TcpSpec
  /** A bound on the payload that any flow has in flight, whatever its scheme. */
  readonly window: WindowSpec
  /** Sender's timeout when nothing is acknowledged; 0: never. TCP keeps its own. */
  readonly rtoPs: number
  /** One queue a flow at the NIC, or a shared FIFO in front of the link (head-of-line blocking). */
  readonly injection: 'per-flow' | 'shared-fifo'
  /** Packets the shared FIFO holds. */
  readonly injectionFifoPackets: number
  /** Caps on what a host sends and on what it takes (Gran et al. 2010: PCIe). */
  readonly rateCap: RateCapSpec
  /** Packets at its own rate that a flow may catch up when it was served late; 0: none. */
  readonly burst: number
  /** Which of the flows that are due goes first: that due longest, the next, or the shortest. */
  readonly service: 'next-service-time' | 'round-robin' | 'shortest-first'
  /** Class of data packets unless a flow says otherwise. */
  readonly dataClass: number
}

export interface RateCapSpec {
  /** 0: none. */
  readonly sendBps: number
  readonly takeBps: number
  /** What the caps count: bytes on the wire, or payload alone, which leaves ACKs free. */
  readonly counts: 'wire' | 'payload'
}

export type WindowSpec =
  | { readonly kind: 'none' }
  /** `followsRate`: W R / C, with C the rate of the host's link. */
  | { readonly kind: 'fixed'; readonly bytes: number; readonly followsRate: boolean }
  /** Bandwidth-delay products of a flow's own path, or the largest between any two hosts. */
  | {
      readonly kind: 'bdp'
      readonly bdps: number
      readonly of: 'path' | 'fabric'
      readonly followsRate: boolean
    }

export interface TcpSpec {
  /** Least and most that the retransmission timer is set to, and the tick it is rounded up to. */
  readonly rtoMinPs: number
  readonly rtoMaxPs: number
  /** 0: exact. */
  readonly granularityPs: number
  /** Bytes that a receiver takes beyond what it has acknowledged; 0: no bound. */
  readonly receiveWindowBytes: number
  /** With `ack.every` above 1, the longest that an ACK waits for more packets. */
  readonly delayedAckPs: number
  /** Receivers say what has come out of order (RFC 2018); without, recovery is NewReno's. */
  readonly sack: boolean
  /**
   * `persistent`: a flow goes on with the window and timer of one that has ended between its two
   * hosts, in its class.
   */
  readonly connection: 'per-flow' | 'persistent'
  /** Such a connection, idle for more than its RTO, starts from the initial window at most. */
  readonly idleRestart: boolean
}

export type RoutingSpec =
  | { readonly kind: 'shortest-path' }
  | { readonly kind: 'ecmp'; readonly hashSeed: number }
  | { readonly kind: 'packet-spray' }

export type WorkloadSpec = FlowsSpec | GenerateSpec | MessagesSpec

/** Processes on hosts, and the program that they carry out. */
export type MessagesSpec = MessagesInput

export interface FlowsSpec {
  readonly kind: 'flows'
  readonly flows: readonly FlowSpec[]
}

export interface FlowSpec {
  readonly name: string
  readonly from: string
  readonly to: string
  /** 0: no size; the flow runs until `stopPs`, or to the end of the run. */
  readonly sizeBytes: number
  readonly startPs: number
  /** 0: none. */
  readonly stopPs: number
  /** Names of the switches to pass, in order; empty: as routing says. */
  readonly path: readonly string[]
  /** -1: `hosts.dataClass`. */
  readonly class: number
  readonly weight: number
}

export interface GenerateSpec {
  readonly kind: 'generate'
  /** Prefix of the names of its flows, and of its own random streams. */
  readonly name: string
  readonly arrivals:
    /** Fraction of the hosts' link capacity that is asked for, all hosts alike. */
    | { readonly kind: 'poisson'; readonly load: number }
    | { readonly kind: 'poisson-rate'; readonly meanIntervalPs: number }
    /** All flows of the pattern at once, `count` times (0: to the end), `periodPs` apart. */
    | { readonly kind: 'periodic'; readonly periodPs: number; readonly count: number }
  readonly sizes: SizesSpec
  readonly pattern: PatternSpec
  /** Names or ranges (`h0..h15`); empty: every host. */
  readonly hosts: readonly string[]
  readonly startPs: number
  /** No arrivals from here on; 0: the run's end. */
  readonly stopPs: number
  /** No more flows than this; 0: no bound. */
  readonly flowsMax: number
  readonly class: number
}

export type SizesSpec =
  | { readonly kind: 'fixed'; readonly bytes: number }
  | {
      readonly kind: 'mixture'
      readonly parts: readonly { readonly weight: number; readonly bytes: number }[]
    }
  | {
      readonly kind: 'pareto'
      readonly shape: number
      readonly meanBytes: number
      readonly maxBytes: number
    }
  /** `rows` are [bytes, cumulative fraction], from a file or from a built-in table. */
  | {
      readonly kind: 'cdf'
      readonly source: string
      readonly rows: readonly (readonly [number, number])[]
    }

export type PatternSpec =
  | { readonly kind: 'uniform' }
  | { readonly kind: 'permutation' }
  | { readonly kind: 'all-to-all' }
  /** `senders` to one; receiver '' is the first host; senders are the next ones, or drawn anew. */
  | {
      readonly kind: 'incast'
      readonly senders: number
      readonly receiver: string
      readonly drawSenders: boolean
    }
  /** A fraction of all flows goes to the hot host, the rest anywhere. */
  | { readonly kind: 'hot-spot'; readonly host: string; readonly fraction: number }

export interface SchemeSpec {
  readonly name: string
  readonly preset: string
  /** Every parameter of the scheme, in its base unit (ps, bytes, bit/s, or a plain number). */
  readonly params: Readonly<Record<string, number | boolean | string>>
  /** Parameters that are others at some places, or from some time on; by order of time. */
  readonly changes?: readonly SchemeChange[]
}

export interface SchemeChange {
  /** 0: from the start. */
  readonly atPs: number
  /** Names of nodes (`S2`) and of ports (`S2->H5`); empty: the whole fabric. */
  readonly where: readonly string[]
  /** Only what changes, in base units. */
  readonly params: Readonly<Record<string, number | boolean | string>>
}

export interface RunSpec {
  /**
   * Nothing arrives from here on, and what is sampled over time ends here. The run does too, unless
   * flows with a size are left and there is a drain; sooner, when they have all ended before.
   */
  readonly untilPs: number
  /** How long after `untilPs`, at the most, flows that have begun may take to end; 0: no drain. */
  readonly drainPs: number
  /** Stop after this many events; 0: no bound. */
  readonly eventsMax: number
}

export interface MetricsSpec {
  /** Time series are sampled this often; 0: no series. */
  readonly intervalPs: number
  /** Which series; globs over their names are allowed (`queue.leaf0*`). */
  readonly series: readonly string[]
  /** Flow-size bucket edges for summaries, bytes. */
  readonly bucketsBytes: readonly number[]
  /** Convergence: within this fraction of the max-min rate. */
  readonly convergenceFraction: number
}
