/**
 * A hash of a flow at a switch: 32 bits, every one of which depends on every bit of the flow's key,
 * the switch and the seed. Switches must not agree in their choices: if they hashed alike, what one
 * has sorted out would all take the same port of the next (the polarization of real fabrics whose
 * switches share a hash).
 *
 * Rounds are the finalizer of A. Appleby's MurmurHash3 (public domain, 2011), one for each word.
 */

/** `flowKey` and `seed` are whole numbers up to 2^53; the result is a uint32. */
export function flowHash(flowKey: number, node: number, seed: number): number {
  let h = mix(seed ^ 0x9e3779b9)
  h = mix(h ^ Math.floor(seed / 4294967296))
  h = mix(h ^ node)
  h = mix(h + (flowKey | 0))
  h = mix(h ^ Math.floor(flowKey / 4294967296))
  return h >>> 0
}

function mix(h: number): number {
  h |= 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
