/**
 * Mean waiting times of queues with Poisson arrivals, against which the fabric is tested: packets
 * of one size on a link are M/D/1, of mixed sizes M/G/1 (F. Pollaczek 1930, A. Khinchine 1932; L.
 * Kleinrock, "Queueing Systems" vol. 1, §5.6). The wait is the time in the queue, before service.
 */

/** M/D/1: W = rho s / (2 (1 - rho)). `load` is rho, the fraction of time the link is busy. */
export function md1WaitPs(load: number, servicePs: number): number {
  return mg1WaitPs(load, servicePs, 0)
}

/** M/G/1: W = rho s (1 + var / s^2) / (2 (1 - rho)), with s and var of the service time. */
export function mg1WaitPs(load: number, serviceMeanPs: number, serviceVariancePs2: number): number {
  if (!(load >= 0)) throw new RangeError(`A load of ${load} is none; give 0 or more.`)
  if (load >= 1) return Infinity
  if (load === 0) return 0
  const secondMoment = serviceMeanPs * serviceMeanPs + serviceVariancePs2
  return (load * (secondMoment / serviceMeanPs)) / (2 * (1 - load))
}

/** Mean number of packets that wait in an M/D/1 queue, by Little's law: rho^2 / (2 (1 - rho)). */
export function md1Waiting(load: number): number {
  return load * md1WaitPs(load, 1)
}
