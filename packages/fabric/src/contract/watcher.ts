/**
 * The watcher: somebody outside who wants to see packets that are no flow's, one by one, such as a
 * page that draws them. It only hears; nothing is told unless one has been given to
 * `Observer.watch`.
 */
export interface Watcher {
  /** An agent's packet has come to the far end of a port's link, at `nowPs`. */
  onAgentPacket(
    port: number,
    bytes: number,
    code: number,
    a: number,
    b: number,
    nowPs: number,
  ): void
  /** Room for so many bytes is on its way back to a port, which will know of it at `duePs`. */
  onCredit(port: number, bytes: number, duePs: number): void
}
