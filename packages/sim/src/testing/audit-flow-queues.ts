/**
 * Per-flow queues, looked at from outside: each queue holds its own flow and counts it, is full
 * when it says so, and what a node has told its neighbours is what they know or will hear.
 */
import { classOfKey, flowOfKey } from '@weir/fabric'
import type { PerFlowQueues } from '@weir/fabric'
import type { Network } from '../network.ts'

/** Returns a sentence for each thing that is wrong. */
export function auditFlowQueues(network: Network, switches: PerFlowQueues): string[] {
  return [...auditQueues(network, switches), ...auditStops(network, switches)]
}

function auditQueues({ fabric }: Network, switches: PerFlowQueues): string[] {
  const { inventory, ports } = fabric
  const wrong: string[] = []
  const full = new Map<string, number>()
  switches.queues.each(({ port, key, first, bytes, isStopped, isFull }) => {
    const place = `port ${port}'s queue of flow ${flowOfKey(key)}`
    const chain = inventory.chain(first)
    const found = chain.reduce((sum, p) => sum + inventory.bytes(p), 0)
    if (found !== bytes) wrong.push(`${place} says ${bytes} bytes and holds ${found}`)
    for (const p of chain) {
      if (inventory.flow(p) !== flowOfKey(key) || inventory.trafficClass(p) !== classOfKey(key)) {
        wrong.push(`${place} holds a packet of flow ${inventory.flow(p)}`)
      }
    }
    if (chain.length === 0 && !isStopped) wrong.push(`${place} is empty, and was not forgotten`)
    const isData = (key & 1) === 0
    if (isFull !== (isData && bytes > switches.xoffBytes(port))) {
      wrong.push(`${place} holds ${bytes} bytes and says ${isFull ? 'full' : 'not full'}`)
    }
    const at = `${ports.from[port]} ${key}`
    if (isFull) full.set(at, (full.get(at) ?? 0) + 1)
  })
  switches.stops.each((node, key, fullQueues) => {
    const at = `${node} ${key}`
    const found = full.get(at) ?? 0
    if (found !== fullQueues || found === 0) {
      wrong.push(`node ${node} counts ${fullQueues} full queues of ${key}, not ${found}`)
    }
    full.delete(at)
  })
  for (const at of full.keys()) wrong.push(`a queue is full and its flow not off: ${at}`)
  return wrong
}

/** The last word on a flow, heard or on its way: 'off' at those who were told, and only there. */
function auditStops({ fabric, hosts }: Network, switches: PerFlowQueues): string[] {
  const { ports } = fabric
  const last = new Map<string, boolean>()
  switches.queues.each(({ port, key, isStopped }) => {
    if (isStopped) last.set(`${port} ${key}`, true)
  })
  hosts.flows.forEach((flow, number) => {
    for (let c = 0; flow !== undefined && flow.heldClasses >> c > 0; c++) {
      const port = hosts.hostPort[flow.source]!
      if ((flow.heldClasses >> c) & 1) last.set(`${port} ${(number << 5) | (c << 1)}`, true)
    }
  })
  for (let port = 0; port < ports.count; port++) {
    switches.messages.each(port, (key, isOff) => last.set(`${port} ${key}`, isOff))
  }
  const wrong: string[] = []
  switches.stops.each((node, key, _fullQueues, told) => {
    for (const link of told) {
      const at = `${link} ${key}`
      if (ports.to[link] !== node) wrong.push(`node ${node} has told port ${link}, not its own`)
      const isGone = ports.fromHost[link] === 1 && hosts.flows[flowOfKey(key)] === undefined
      if (last.get(at) !== true && !isGone) wrong.push(`${at} was told to stop, and does not know`)
      last.delete(at)
    }
  })
  for (const [at, isOff] of last) if (isOff) wrong.push(`${at} waits, and nobody stops it`)
  return wrong
}
