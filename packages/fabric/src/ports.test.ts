import { expect, it } from 'vitest'
import { Ports } from './ports.ts'
import { star } from './topologies/star.ts'

function portsOf(): Ports {
  return new Ports(star.build({ hosts: 2, rateBps: 10e9, delayPs: 1e6 }), 0)
}

it('knows for how long a class has been paused, while it is and afterwards', () => {
  const ports = portsOf()
  const [port, c] = [1, 3]
  expect(ports.pausedForPs(port, c, 100)).toBe(0)
  ports.setPaused(port, c, true, 100)
  expect(ports.pausedForPs(port, c, 130)).toBe(30)
  ports.setPaused(port, c, false, 150)
  expect(ports.pausedForPs(port, c, 400)).toBe(50)
  ports.setPaused(port, c, true, 1000)
  expect([ports.isPaused(port, c), ports.pausedForPs(port, c, 1007)]).toEqual([true, 57])
  // Neither another class nor another port.
  expect([ports.isPaused(port, 2), ports.pausedForPs(port, 2, 1007)]).toEqual([false, 0])
  expect([ports.isPaused(0, c), ports.pausedForPs(0, c, 1007)]).toEqual([false, 0])
})
