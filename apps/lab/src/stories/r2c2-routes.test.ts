/** Every number that the story of the choice of routes says is what its pictures show. */
import { describe, expect, it } from 'vitest'
import type { Recording } from '../model/recording.ts'
import { broadcastWords, drawBroadcasts } from '../scene/broadcasts.ts'
import { layoutOf } from '../scene/layout.ts'
import { inkOf } from '../scene/palette.ts'
import type { ClosePicture } from '../scene/picture.ts'
import { portByName } from '../scene/picture.ts'
import { wiresOf } from '../scene/wires.ts'
import { meanIn, recordedLanes } from '../testing/recorded.ts'
import { r2c2Routes } from './r2c2-routes.ts'
import type { StoryStep } from './story.ts'

const step = (title: string): StoryStep => r2c2Routes.steps.find((one) => one.title === title)!
const saidIn = ({ text, ask }: StoryStep): string =>
  [...text, ask?.question, ask?.guesses[ask.right]].join(' ')
/** Of what is the same at 1 ms as later, or over soon after it, no more is run. */
const recordingsOf = (title: string, until: string): Recording[] =>
  recordedLanes(step(title), [`run.until=${until}`]).map(({ recording }) => recording)

/** Mean rates that flows are given, and that they get, in Gb/s. */
function rates(recording: Recording, from: number, to: number): { given: number; got: number } {
  const rows = recording.flows.map(({ row }) => row)
  const mean = (values: readonly (number | null)[]): number => meanIn(recording, values, from, to)
  const got = recording.ratesOf(rows).map(mean)
  const given = rows.map((row) => mean(recording.internalOfFlow(row, 0)))
  // All flows of these steps have the same.
  for (const rate of given) expect(rate / given[0]!).toBeCloseTo(1, 3)
  for (const rate of got) expect(rate / given[0]!).toBeCloseTo(1, 1)
  const sum = got.reduce((a, b) => a + b, 0)
  return { given: given[0]! / 1e9, got: sum / 1e9 }
}

const useOf = (recording: Recording, name: string, from: number, to: number): number =>
  meanIn(recording, recording.utilisationOf(portByName(recording, name)), from, to)

describe('the story of the choice of routes', () => {
  it.each([
    ['Everyone sends three on', 3.17],
    ['By way of anyone', 4.75],
    ['The wrong cure', 4.75],
  ])('%s: %f Gb/s each', (title, gbps) => {
    expect(saidIn(step(title))).toContain(`${gbps} Gb/s`)
    const [recording] = recordingsOf(title, '1ms') as [Recording]
    const { given, got } = rates(recording, 600, 1000)
    expect(given).toBeCloseTo(gbps, 2)
    expect(Math.abs(got / 8 / gbps - 1)).toBeLessThan(0.02)
    const isShort = title === 'Everyone sends three on'
    expect(useOf(recording, 'n7->n0', 600, 1000)).toBeCloseTo(0.95, 1)
    expect(useOf(recording, 'n0->n7', 600, 1000)).toBeCloseTo(isShort ? 0 : 0.95, 1)
  })

  it('would give neighbours 9.5 Gb/s straight on', () => {
    const wrong = step('The wrong cure')
    expect(saidIn(wrong)).toMatch(/would have had \*9\.5\*/)
    const straight = {
      ...wrong,
      spec: wrong.spec!.replace('routing: vlb', 'routing: packet-spray'),
    }
    expect(
      rates(recordedLanes(straight, ['run.until=500us'])[0]!.recording, 300, 500).given,
    ).toBeCloseTo(9.5, 2)
  })

  it('lets the rack choose VLB for the tornado at 1 ms', () => {
    const title = 'The rack decides'
    expect(saidIn(step(title))).toMatch(/VLB for all eight/)
    expect(saidIn(step(title))).toMatch(/3\.17 to \*4\.75 Gb\/s\*, 38 in all instead of 25\.3/)
    const [fixed, chosen] = recordingsOf(title, '1500us') as [Recording, Recording]
    expect(rates(fixed, 1100, 1500).got).toBeCloseTo(25.3, 0)
    expect(rates(chosen, 900, 1000).given).toBeCloseTo(3.17, 2)
    const { given, got } = rates(chosen, 1100, 1500)
    expect(given).toBeCloseTo(4.75, 2)
    expect(Math.abs(got - 38)).toBeLessThan(0.6)
    const ways = chosen.flows.map(({ spreads }) => spreads.map(({ by }) => by).join())
    expect(new Set(ways)).toEqual(new Set(['packet-spray,vlb']))
    expect(useOf(chosen, 'n0->n7', 800, 1000)).toBeLessThan(0.01)
    expect(useOf(chosen, 'n0->n7', 1100, 1500)).toBeGreaterThan(0.9)
  })

  it('lets it choose for each flow, and beats any one routing by a third', () => {
    const mixed = step('Each flow its own')
    const SOON = ['run.until=1300us']
    expect(saidIn(mixed)).toMatch(/\*3\.17 Gb\/s\*.*a third more.*2\.38 Gb\/s.*2\.38 as well/)
    const [fixed, chosen] = recordedLanes(mixed, SOON).map(({ recording }) => recording)
    const all = { ...mixed, spec: mixed.spec!.replace(/routing: .*/u, 'routing: vlb') }
    const valiant = recordedLanes({ ...all, schemes: mixed.schemes!.slice(0, 1) }, SOON)[0]!
      .recording
    for (const one of [fixed!, valiant]) expect(rates(one, 1050, 1300).given).toBeCloseTo(2.375, 3)
    expect(rates(chosen!, 1050, 1300).given).toBeCloseTo(3.17, 2)
    for (const { name, spreads } of chosen!.flows) {
      expect(spreads.at(-1)!.by, name).toBe(name.startsWith('far') ? 'vlb' : 'packet-spray')
    }
  })

  it('tells all servers of it within 1.76 us', () => {
    const [recording] = recordingsOf('Five bytes per flow', '1010us') as [Recording]
    const said = broadcastWords({ recording, playheadPs: 1002e6 } as ClosePicture, 5e5)
    expect(said).toEqual(['h1 tells new routes: all 8 nodes know, 1.76 us later'])
    expect(saidIn(step('Five bytes per flow'))).toContain('1.76 us')
  })
  it('rings as many nodes as its words say that know', () => {
    const [recording] = recordingsOf('Five bytes per flow', '1010us') as [Recording]
    const seen = new Set<number>()
    for (let playheadPs = 1000.1e6; playheadPs < 1002.2e6; playheadPs += 0.1e6) {
      const { said, ringed } = broadcastAt(recording, playheadPs, 5.6e5)
      if (said === undefined) continue
      const count = Number(/ (\d+) (of \d+ )?nodes know/u.exec(said)![1])
      expect(ringed, `${said} at ${playheadPs / 1e6} us`).toBe(count)
      seen.add(count)
    }
    expect(seen.size).toBeGreaterThan(4)
    expect(seen).toContain(8)
  })
})

/** What is said of a broadcast at a moment, and how many nodes have a ring. */
function broadcastAt(
  recording: Recording,
  playheadPs: number,
  glidePs: number,
): { said: string | undefined; ringed: number } {
  const { scene } = recording
  const layout = layoutOf(scene, { width: 900, height: 280, yaw: 0, pitch: 0 })
  const rings = new Set<string>()
  const context = new Proxy({} as CanvasRenderingContext2D, {
    get: (_, name) => (x: number, y: number, r: number) => {
      if (name === 'arc' && r > layout.hostRadius) rings.add(`${x} ${y}`)
    },
  })
  const picture = {
    ...{ context, recording, layout, wires: wiresOf(scene, layout, 4), ink: inkOf(false) },
    ...{ playheadPs, colourOf: (row: number) => row },
  } as unknown as ClosePicture
  drawBroadcasts(picture, glidePs)
  return { said: broadcastWords(picture, glidePs)[0], ringed: rings.size }
}
