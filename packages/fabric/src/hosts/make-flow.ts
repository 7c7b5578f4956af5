/** A flow as its hosts know it when it begins: both halves, and the scheme's points at each. */
import { hashOf } from '@weir/engine'
import type { Control } from '../contract/control.ts'
import type { Fabric } from '../fabric.ts'
import { reversed } from '../paths.ts'
import { Flow } from './flow.ts'
import { setStart } from './flow-start.ts'
import type { FlowStart } from './flow-start.ts'
import type { Hosts } from './hosts.ts'
import { baseRttPs } from './ideal.ts'
import { waysOf } from './packet-ways.ts'
import { ReceiverFlow } from './receiver-flow.ts'
import { ReorderDepth } from './reorder-depth.ts'
import { windowOfPath } from './window.ts'

export function makeFlow(
  hosts: Hosts,
  fabric: Fabric,
  control: Control,
  start: FlowStart,
  nowPs: number,
): Flow {
  const { params } = hosts
  const { cutThroughBytes, paths, ports } = fabric
  const flow = new Flow(hosts)
  setStart(flow, start, params.mtuBytes)
  // A scheme's parameter is a double to V8, whatever its value; packets have whole bytes.
  flow.packetBytes = (params.mtuBytes + params.headerBytes + control.dataHeaderBytes) | 0
  flow.lineRateBps = ports.rateBps[hosts.hostPort[start.source]]
  if (start.path !== undefined) flow.path = paths.add(start.path)
  const path = start.timingPath
  const back = start.pathBack ?? reversed(path)
  const answerBytes = params.ackBytes + control.ackHeaderBytes
  flow.hops = path.length - 1
  flow.baseRttPs = baseRttPs(ports, path, back, flow.packetBytes, answerBytes, cutThroughBytes)
  flow.ownWindowBytes = windowOfPath(params.window, ports, path, flow.baseRttPs)
  flow.followsRate = params.window?.followsRate === true
  flow.member = params.routing.memberOf?.(hashOf(flow.key)) ?? 0
  if (start.path === undefined) flow.ways = waysOf(hosts, fabric, params.routing, flow)
  flow.nstPs = nowPs
  flow.servedPs = nowPs
  flow.rtoPs = params.rtoPs
  params.reliability.onStart(flow)
  flow.reaction = control.reaction(flow)
  flow.receiver = makeReceiver(hosts, fabric, control, flow, start.pathBack)
  return flow
}

/** The other half, which the target host keeps. */
function makeReceiver(
  hosts: Hosts,
  fabric: Fabric,
  control: Control,
  flow: Flow,
  pathBack: readonly number[] | undefined,
): ReceiverFlow {
  const receiver = new ReceiverFlow(flow, hosts)
  if (pathBack !== undefined) receiver.ownPath = fabric.paths.add(pathBack)
  hosts.params.reliability.onReceiverStart?.(receiver)
  if (hosts.params.reorders === true) receiver.reorder = new ReorderDepth()
  receiver.notification = control.notification(receiver)
  return receiver
}
