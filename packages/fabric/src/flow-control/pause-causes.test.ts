import { describe, expect, it } from 'vitest'
import type { Fabric } from '../fabric.ts'
import { CLASSES, MODE, Ports, SLOW } from '../ports.ts'
import { star } from '../topologies/star.ts'
import { PauseCauses } from './pause-causes.ts'

/** A star of three hosts: host i sends by port 2i, the switch to it by 2i + 1. */
function bench(): {
  fabric: Fabric
  causes: PauseCauses
  queue(port: number, bytes: number): void
} {
  const ports = new Ports(star.build({ hosts: 3, rateBps: 1e10, delayPs: 1e6 }), 0)
  const node = ports.to[0]!
  const portsOf: Int32Array[] = []
  portsOf[node] = Int32Array.from({ length: ports.count }, (_, port) => port).filter(
    (port) => ports.from[port] === node,
  )
  const queue = (port: number, bytes: number): void => {
    ports.int[(port << 5) + MODE] = SLOW
    ports.queued[port * CLASSES + 3] = bytes
  }
  return {
    fabric: { ports, portsOf } as unknown as Fabric,
    causes: new PauseCauses(ports.count),
    queue,
  }
}

describe('causes of pauses', () => {
  it('are the deepest output as XOFF is sent, until XON, whatever is deep meanwhile', () => {
    const { fabric, causes, queue } = bench()
    queue(3, 500)
    queue(5, 700)
    causes.note(fabric, 0, 3, true, 100)
    queue(3, 9000)
    causes.note(fabric, 0, 3, false, 130)
    causes.note(fabric, 0, 3, true, 200)
    causes.note(fabric, 0, 3, false, 220)
    expect(causes.byPort(1000)[0]).toEqual([
      { port: 5, ps: 30 },
      { port: 3, ps: 20 },
    ])
  })

  it('count up to now where XON has not come', () => {
    const { fabric, causes, queue } = bench()
    queue(5, 700)
    causes.note(fabric, 0, 3, true, 100)
    expect(causes.byPort(160)[0]).toEqual([{ port: 5, ps: 60 }])
    expect(causes.byPort(160)[2]).toEqual([])
  })

  it('count the whole of a pause whose XOFF is sent again', () => {
    const { fabric, causes, queue } = bench()
    queue(5, 700)
    causes.note(fabric, 0, 3, true, 100)
    causes.note(fabric, 0, 3, true, 150)
    causes.note(fabric, 0, 3, false, 190)
    expect(causes.byPort(1000)[0]).toEqual([{ port: 5, ps: 90 }])
  })

  it('are the first of equally deep outputs, and of equal times the first is named first', () => {
    const { fabric, causes, queue } = bench()
    queue(3, 500)
    queue(5, 500)
    causes.note(fabric, 0, 3, true, 0)
    causes.note(fabric, 0, 3, false, 10)
    expect(causes.byPort(10)[0]).toEqual([{ port: 3, ps: 10 }])
    queue(5, 700)
    causes.note(fabric, 0, 3, true, 20)
    expect(causes.byPort(30)[0]).toEqual([
      { port: 3, ps: 10 },
      { port: 5, ps: 10 },
    ])
    // To look does not change what is counted.
    expect(causes.byPort(30)).toEqual(causes.byPort(30))
  })

  it('of several threads are added up, also by one that never saw a pause', () => {
    const { fabric, causes, queue } = bench()
    queue(5, 700)
    causes.note(fabric, 0, 3, true, 100)
    const all = new PauseCauses(fabric.ports.count)
    const account = all.account(fabric, 160)
    expect(all.byPort(160).flat()).toEqual([])
    account.add(Float64Array.from(new PauseCauses(fabric.ports.count).account(fabric, 160).read()))
    account.add(Float64Array.from(causes.account(fabric, 160).read()))
    account.add(Float64Array.from(causes.account(fabric, 160).read()))
    expect(all.byPort(160)[0]).toEqual([{ port: 5, ps: 120 }])
  })

  it('are a host itself where it takes no more', () => {
    const { fabric, causes } = bench()
    causes.note(fabric, 3, 3, true, 0)
    causes.note(fabric, 3, 3, false, 10)
    expect(causes.byPort(10)[3]).toEqual([{ port: -1, ps: 10 }])
  })
})
