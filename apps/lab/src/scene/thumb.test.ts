/** Cards of the gallery. */
import { expect, it } from 'vitest'
import type { Recording } from '../model/recording.ts'
import { loopStartPs } from './thumb.ts'

const INTERVAL_PS = 10
const COUNT = 100

/** Two ports, the second of which carries something from a picture on. */
function carriesFrom(first: number): Recording {
  const utilisation = new Uint8Array(2 * COUNT + 40)
  for (let at = first; at < COUNT; at++) utilisation[2 * at + 1] = 9
  // Room for more pictures, of which none has been taken.
  utilisation.fill(7, 2 * COUNT)
  const nowPs = COUNT * INTERVAL_PS
  return { utilisation, ports: 2, count: COUNT, intervalPs: INTERVAL_PS, nowPs } as Recording
}

it('begin where something is to be seen, at most a fifth of the run later', () => {
  expect(loopStartPs(carriesFrom(0))).toBe(50)
  expect(loopStartPs(carriesFrom(6))).toBe(110)
  expect(loopStartPs(carriesFrom(60))).toBe(200)
  expect(loopStartPs(carriesFrom(COUNT))).toBe(0)
})
