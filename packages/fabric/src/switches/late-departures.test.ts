import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Fabric } from '../fabric.ts'
import { HELD, LEAVES } from '../ports.ts'
import { LateDepartures } from './late-departures.ts'

const PORTS = 9

/** Ports whose packets of one byte leave when the test says; some stand still for a while. */
class FakePorts {
  readonly ports = { int: new Int32Array(PORTS << 5), float: new Float64Array(PORTS << 4) }
  readonly portsOf = [Int32Array.from({ length: PORTS }, (_, port) => port)]
  readonly #leaving: number[][] = Array.from({ length: PORTS }, () => [])

  constructor() {
    for (let port = 0; port < PORTS; port++) this.ports.float[(port << 4) + LEAVES] = Infinity
  }

  hold(port: number): void {
    this.ports.int[(port << 5) + HELD]!++
  }

  /** What a port holds leaves from a time on, one after the other. */
  go(port: number, atPs: number): void {
    const leaving = this.#leaving[port]!
    const held = this.ports.int[(port << 5) + HELD]!
    while (leaving.length < held) leaving.push((leaving.at(-1) ?? atPs) + 3)
    this.ports.float[(port << 4) + LEAVES] = leaving[0] ?? Infinity
  }

  settle(port: number, nowPs: number): void {
    const leaving = this.#leaving[port]!
    while ((leaving[0] ?? Infinity) <= nowPs) {
      leaving.shift()
      this.ports.int[(port << 5) + HELD]!--
    }
    this.ports.float[(port << 4) + LEAVES] = leaving[0] ?? Infinity
  }

  /** What is held once all have been looked at. */
  exact(nowPs: number): number {
    let held = 0
    for (let port = 0; port < PORTS; port++) {
      const left = this.#leaving[port]!.filter((ps) => ps <= nowPs).length
      held += this.ports.int[(port << 5) + HELD]! - left
    }
    return held
  }

  get held(): number {
    return this.portsOf[0]!.reduce((sum, port) => sum + this.ports.int[(port << 5) + HELD]!, 0)
  }
}

const step = fc.record({
  port: fc.nat(PORTS - 1),
  /** Half of the ports that are joined stand still, until they go. */
  what: fc.constantFrom('join', 'join and go', 'go', 'settle'),
  afterPs: fc.nat(7),
})

it('settles whatever has left, of ports that stood still too', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const fake = new FakePorts()
      const late = new LateDepartures(fake as unknown as Fabric, 0, new Uint8Array(PORTS))
      let nowPs = 0
      for (const { port, what, afterPs } of steps) {
        nowPs += afterPs
        if (what.startsWith('join')) fake.hold(port)
        if (what.endsWith('go')) fake.go(port, nowPs)
        if (what.startsWith('join')) late.joined(port, nowPs)
        if (what !== 'settle') continue
        // The moment of joining itself counts from the next picosecond on.
        nowPs += 1
        const exact = fake.exact(nowPs)
        late.settle(nowPs)
        expect(fake.held).toBe(exact)
      }
    }),
  )
})
