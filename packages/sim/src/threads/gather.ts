/**
 * What threads have counted, put together in the first one, when a run is over. A thread counts
 * what its own nodes do, and of others' nodes nothing, so that all columns are simply added up; the
 * first thread then has what a thread would have that ran alone.
 */
import type { Account } from '@weir/engine'
import type { Agents, Flow } from '@weir/fabric'
import type { Run } from '../run.ts'
import type { Share } from './share.ts'

export function* gather(run: Run, share: Share): Generator<void, void> {
  const { team } = share
  const accounts = accountsOf(run, share)
  const out = team.out[0]!
  out.length = 0
  if (team.me !== 0) {
    for (const account of accounts) {
      const words = account.read()
      out.put(words.length)
      out.putAll(words)
    }
  }
  yield
  if (team.me === 0) {
    team.in.forEach(({ array, length }, member) => {
      let at = 0
      if (member !== 0) {
        for (const account of accounts) {
          const to = at + 1 + array[at]!
          account.add(array.subarray(at + 1, to))
          at = to
        }
        if (at !== length) throw new Error(`thread ${member} has counted other things`)
      }
    })
  }
  share.clear()
}

function accountsOf(run: Run, share: Share): Account[] {
  const { fabric, fingerprint, hosts, observer, switches } = run.network
  const { agents, ports } = fabric
  const flows = hosts.flows.filter((flow) => flow !== undefined)
  const isMine = (node: number): boolean => share.border.isMine(node)
  const memory = 'usedBytesMax' in switches ? switches.usedBytesMax : switches.inputBytesMax
  return [
    {
      read: () => [fabric.packetHops, ...agentCounts(agents), ...hosts.counts()],
      add: ([hops, packets, bytes, inner, ...counts]) => {
        fabric.packetHops += hops!
        agents.packets += packets!
        agents.bytes += bytes!
        agents.innerBytes += inner!
        hosts.addCounts(counts)
      },
    },
    added(ports.marks),
    added(ports.drops),
    added(ports.trims),
    added(ports.lost),
    added(ports.pauseFrames),
    added(memory),
    observer.account(run.nowPs),
    fabric.gate.causes.account(fabric, run.nowPs),
    fingerprint.account(isMine),
    added(run.rows.deliveredBytes.subarray(0, run.rows.count)),
    added(run.rows.retransmitted.subarray(0, run.rows.count)),
    added(run.rows.notifications.subarray(0, run.rows.count)),
    added(run.rows.reorderPackets.subarray(0, run.rows.count)),
    ...(run.drain === undefined ? [] : [added(run.drain.departedBytes)]),
    ...(run.drain === undefined ? [] : [added(run.drain.deliveredByRow)]),
    halves(flows, (host) => share.isMyHost(host)),
    ...run.sampler.accounts(),
    ...run.jobs.accounts(),
  ]
}

function agentCounts({ packets, bytes, innerBytes }: Agents): number[] {
  return [packets, bytes, innerBytes]
}

function added(column: { [i: number]: number; readonly length: number }): Account {
  return {
    read: () => column,
    add: (words) => words.forEach((word, i) => (column[i] = column[i]! + word)),
  }
}

/**
 * Flows that have not ended: each half is another thread's, or none is this one's. Of the sender's
 * half also what its path depends on: its entropy, and the member of the routing that it was given
 * (its number and 1; 0 if its sender is elsewhere).
 */
function halves(flows: readonly Flow[], isMyHost: (host: number) => boolean): Account {
  return {
    read: () =>
      flows.flatMap(({ entropy, notifications, reaction, receiver, retransmitted, source }) => [
        ...[receiver.deliveredBytes, receiver.reorder?.most ?? 0],
        ...[retransmitted, notifications, entropy, isMyHost(source) ? reaction.routing + 1 : 0],
      ]),
    add: (words) => {
      flows.forEach((flow, i) => {
        const [delivered, reordered, ...sent] = words.slice(6 * i, 6 * i + 6)
        const [retransmitted, notifications, entropy, routing] = sent
        flow.receiver.deliveredBytes += delivered!
        if (flow.receiver.reorder !== undefined) flow.receiver.reorder.most += reordered!
        flow.retransmitted += retransmitted!
        flow.notifications += notifications!
        flow.entropy += entropy!
        if (!isMyHost(flow.source))
          flow.reaction.routing = Math.max(flow.reaction.routing, routing! - 1)
      })
    },
  }
}
