/**
 * What a spec means where it says nothing and a value follows from others: those that do not are
 * beside what reads them. Each with its reason.
 */
import type { HostsSpec } from './valid-spec.ts'

export const defaults = {
  /** Any number will do; the same one each time, so that a run repeats. */
  seed: 1,
  /** 802.1Q has eight priorities. */
  classes: 8,
  /** HPCC section 5.1 (not verified): 32 MB per switch, as in a Broadcom Tomahawk 2 or 3. */
  sharedBuffer: '32MB',
  /** An input buffer covers a 1 us link's round trip at 200 Gb/s, with a few packets to spare. */
  inputBuffer: '64KB',
  /** One FIFO an input and class: the plain InfiniBand or ACCurate switch, with its blocking. */
  inputQueue: 'fifo',
  /** What RoCE NICs have done since ConnectX-3. */
  reliability: 'go-back-n',
  /** ACCurate, section IV-B. */
  service: 'next-service-time',
  /** Long against any round trip in a data center, short against a run. */
  rtoLossy: '1ms',
  /** DCQCN deployments put RDMA in priority 3 of 0..7, control in the highest. */
  dataClass: 3,
  /**
   * Times `until` that generated flows may take to end after it. WebSearch's largest flow takes
   * 10 ms alone at 25 Gb/s, and ten times that in a crowd, whatever `until` is.
   */
  drainTimes: 50,
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
