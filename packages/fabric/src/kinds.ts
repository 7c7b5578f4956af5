/**
 * Kinds of event, in the order in which they run at one time; events of one kind run by target.
 * Kind 0 is the engine's own.
 *
 * First comes what is no node's own, and sees everything before its time and nothing at it. Then,
 * at each node: a port finishes a packet and begins the next, and only then the node hears of what
 * arrives; timers follow, and NICs send last, knowing all of it.
 */

/** Flows have ended: is the run over? */
export const ENDS = 1
/** Time series are sampled. */
export const SAMPLE = 2
/** Half of a run's time is over: how much is undelivered? */
export const WATCH = 3
/** Parameters of the scheme change. Target: number of the change. */
export const MANAGE = 4
/** A flow is told to stop. Target: its row. */
export const FLOW_STOP = 5
/** A flow that was handed out begins at its source. Target: its row. */
export const FLOW_ARRIVAL = 6

/** A port's packet in service has left. Target: port. */
export const PORT = 7
/** Credits come back to a port that waits for them. Target: port. */
export const CREDIT = 8
/** A node hears that it must stop a flow, or may go on with it. Target: the port. */
export const FLOW_PAUSE = 9
/** A pause that was not renewed is over. Target: port * CLASSES + class. */
export const PAUSE_ENDS = 10
/** XOFF is sent again. Target: link * CLASSES + class. */
export const PAUSE_AGAIN = 11
/** The first packet in flight on a link reaches the other end. Target: the port it left by. */
export const LINK = 12
/** A host with a rate cap has taken in a packet. Target: host number. */
export const TAKE_IN = 13
/** Target: port * 2 + which timer. */
export const PORT_TIMER = 14
/** A timer of a node's agent. Target: node * 4 + which timer. */
export const NODE_TIMER = 15
/** Target: flow * 4 + which timer. */
export const FLOW_TIMER = 16
/** A timer of a flow's notification point. Target: flow. */
export const RECEIVER_TIMER = 17
/** The transport's own timeout. Target: flow. */
export const TIMEOUT = 18
/** A receiver's ACK has waited long enough for another packet. Target: flow. */
export const DELAYED_ACK = 19
/** A process of a message program goes on. Target: job and process. */
export const MESSAGE = 20
/** A NIC may send its next packet. Target: host number. */
export const NIC = 21

/** Of no node, as the first ones: a link changes. Target: number of the change. */
export const LINK_CHANGE = 22
/** Routes are found anew. */
export const ROUTES = 23
/** What nodes have written for all becomes what all read. */
export const PUBLISH = 24
