/**
 * Knobs that were turned and move nothing: values that differ from their defaults while something
 * else keeps them from being read. Whoever turned one should know. What cannot be meant at all is
 * refused when a spec is read; these are harmless.
 */
import { readWhole } from '@weir/engine/codec'
import { hostsCodec } from './spec/hosts.ts'
import type { FabricSpec, HostsSpec, ValidSpec } from './spec/valid-spec.ts'

/** One sentence for each; `isEcnCapable` says whether the scheme's packets may be marked. */
export function idleKnobs(spec: ValidSpec, isEcnCapable: boolean): string[] {
  const { fabric, hosts, routing, scheme } = spec
  const idle: string[] = []
  const say = (knob: string, why: string): unknown => idle.push(`${knob} has no effect: ${why}`)
  for (const key of changedTcp(hosts)) {
    if (hosts.reliability !== 'tcp') {
      say(`hosts.tcp.${key}`, `hosts.reliability is ${hosts.reliability}`)
    }
  }
  if (hosts.rtoPs > 0 && hosts.reliability === 'tcp') {
    say('hosts.rto', 'TCP has a timer of its own, hosts.tcp.rtoMin')
  }
  if (hosts.rtoPs > 0 && hosts.reliability === 'none') say('hosts.rto', 'nothing is sent again')
  if (isThresholdIdle(fabric)) {
    const why = isPerFlow(fabric) ? 'each flow is' : 'every class is lossless, and'
    say('fabric.buffer.threshold', `${why} stopped by flowControl.xoff`)
  }
  if (fabric.classes === 1 && fabric.scheduler.kind !== 'strict') {
    say('fabric.scheduler', 'there is one class')
  }
  const { flowControl } = fabric
  if (
    (flowControl.kind === 'pfc' || flowControl.kind === 'pause') &&
    flowControl.referenceRateBps > 0 &&
    flowControl.xoff.kind === 'static'
  ) {
    say('fabric.flowControl.referenceRate', 'it scales a dynamic xoff, and this one is static')
  }
  if (hosts.ack.path === 'own' && routing.kind === 'packet-spray') {
    say('hosts.ack.path', 'packet-spray draws a path for every packet, ACKs too')
  }
  if (fabric.ecn !== 'auto' && fabric.ecn.kind !== 'none' && !isEcnCapable) {
    say('fabric.ecn', `packets of ${scheme.name} cannot be marked`)
  }
  return idle
}

/** Keys of `hosts.tcp` as users write them. */
function changedTcp({ tcp }: HostsSpec): string[] {
  const usual = readWhole(hostsCodec, {}).tcp
  return (Object.keys(tcp) as (keyof typeof tcp)[])
    .filter((key) => tcp[key] !== usual[key])
    .map((key) => key.replace(/(Ps|Bytes)$/u, ''))
}

function isPerFlow({ flowControl }: FabricSpec): boolean {
  return flowControl.kind === 'per-flow'
}

/** It bounds lossy queues of a shared memory alone. */
function isThresholdIdle({ buffer, classes, flowControl, switch: kind }: FabricSpec): boolean {
  const { threshold } = buffer
  const isUsual = threshold.kind === 'dynamic' && threshold.alpha === 1
  const isPausing = flowControl.kind === 'pfc' || flowControl.kind === 'pause'
  if (isUsual) return false
  if (kind === 'per-flow-queues') return true
  if (kind !== 'shared-memory' || !isPausing) return false
  return flowControl.losslessClasses.length >= classes
}
