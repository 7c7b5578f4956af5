/** What the scheme has at ports and nodes begins: at those that are this thread's. */
import type { Network } from './network.ts'
import type { Share } from './threads/share.ts'

export function startPoints({ fabric }: Network, share: Share | undefined): void {
  const { agents, contention, ports } = fabric
  const isMine = (node: number): boolean => share?.border.isMine(node) ?? true
  for (let port = 0; port < ports.count; port++) {
    if (isMine(ports.from[port]!)) contention[port]?.onStart(0)
  }
  agents.of.forEach((agent, node) => {
    if (isMine(node)) agent?.onStart(0)
  })
}
