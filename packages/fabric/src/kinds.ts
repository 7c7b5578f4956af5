/** Kinds of event on a network's calendar. Kind 0 is the calendar's own. */

/** The first packet in flight on a link reaches the other end. Target: the port it left by. */
export const LINK = 1
/** A port's packet in service has left. Target: port. */
export const PORT = 2
/** A NIC may send its next packet. Target: host number. */
export const NIC = 3
/** Target: flow slot * 4 + which timer. */
export const FLOW_TIMER = 4
/** Target: port * 2 + which timer. */
export const PORT_TIMER = 5
/** Credits come back to a port that waits for them. Target: port. */
export const CREDIT = 6
/** A host with a rate cap has taken in a packet. Target: host number. */
export const TAKE_IN = 7
/** The transport's own timeout. Target: flow slot. */
export const TIMEOUT = 8
/** The next flow arrives. */
export const FLOW_ARRIVAL = 9
/** A flow is told to stop. Target: flow slot. */
export const FLOW_STOP = 10
/** Time series are sampled. */
export const SAMPLE = 11
/** The run looks for ports that wait for each other. */
export const WATCH = 12
/** A receiver's ACK has waited long enough for another packet. Target: flow slot. */
export const DELAYED_ACK = 13
/** A process of a message program goes on. Target: job and process. */
export const MESSAGE = 14
/** Parameters of the scheme change. Target: number of the change. */
export const MANAGE = 15
