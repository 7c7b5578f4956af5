/** One flow at one moment has one rate, and what is called fair is what the scheme shares out. */
import { describe, expect, it } from 'vitest'
import { meanRates } from '../scene/arrived.ts'
import { portByName } from '../scene/picture.ts'
import { stories } from '../stories/index.ts'
import { recordedLanes } from '../testing/recorded.ts'
import { guidesOf, headroomGuides, queueGuides } from '../view/guides.ts'
import { banded } from '../view/smooth.ts'
import { fairRates } from './fair-rates.ts'
import { rateOfDigits } from './rate-text.ts'

const stepOf = (story: string, step: number) =>
  stories.find(({ name }) => name === story)!.steps[step]!

describe('rates', () => {
  it('beside a receiver are those of the plots, whatever the window', () => {
    const { recording: shown } = recordedLanes(stepOf('accurate', 5))[0]!
    const rows = shown.flows.map((_, row) => row)
    for (const part of [1 / 15, 1 / 60, 1 / 160, 1 / 640]) {
      const plotted = shown.ratesOf(rows).map((values) => banded(values, part).values)
      for (let frame = 0; frame < shown.count; frame += 3) {
        const beside = meanRates(shown, frame, part)
        expect(beside.size).toBe(shown.flowsAt(frame).rows.length)
        for (const [row, rate] of beside) expect(rate).toBeCloseTo(plotted[row]![frame]!, 3)
      }
    }
  })

  it('of a flow that has just begun add up with the others to no more than the link', () => {
    const { recording } = recordedLanes(stepOf('accurate', 2))[0]!
    const atUs = (us: number): number => Math.ceil((us * 1e6) / recording.intervalPs) - 1
    const row = (name: string): number => recording.rowOf.get(name)!
    const before = meanRates(recording, atUs(369.9), 1 / 60)
    for (let us = 366; us < 400; us++) {
      const rates = meanRates(recording, atUs(us), 1 / 60)
      const sum = (names: readonly string[]): number =>
        names.reduce((all, name) => all + (rates.get(row(name)) ?? 0), 0)
      for (const link of [
        ['f1', 'f4'],
        ['f2', 'f3', 'f4'],
      ])
        expect(sum(link), `${link} ${us}`).toBeLessThan(9.4e9)
    }
    // Nothing falls before f4 has begun, at 370 us.
    expect(before.get(row('f1'))).toBeGreaterThan(8.8e9)
  })

  it.each([
    { story: 'accurate', step: 2, given: 0.95 },
    { story: 'r2c2', step: 0, given: 0.95 },
    { story: 'accurate', step: 0, given: 1 },
  ])('that are fair in $story $step are of $given of each link', ({ story, step, given }) => {
    const { recording } = recordedLanes(stepOf(story, step))[0]!
    const fastest = Math.max(...fairRates(recording)!.flatMap((list) => list.map(({ bps }) => bps)))
    expect(fastest).toBeCloseTo(given * 10e9, -7)
    const asked = { payloadShare: 1, part: 1 / 60, hasTotal: false }
    const names = new Set(guidesOf(recording, [], asked).map(({ name }) => name))
    expect(names).toEqual(new Set([given < 1 ? 'fair of 95%' : 'fair']))
    const full = headroomGuides(recording).map(({ values }) => values[0])
    expect(full).toEqual(given < 1 ? [0.95] : [])
  })

  it.each([
    { story: 'pfc', step: 1, owners: ['victim', 'a, b, c'] },
    { story: 'accurate', step: 0, owners: ['f1', 'f2, f3, f4'] },
    // Who comes and goes is not named; many are the others.
    { story: 'fluid', step: 2, owners: [undefined] },
    { story: 'tcp-to-here', step: 4, owners: ['shares-sender', 'others'] },
    { story: 'tcp-to-here', step: 5, owners: ['shares-sender', 'others'] },
    { story: 'tcp-to-here', step: 6, owners: ['shares-sender', 'others'] },
  ])('that are fair say for whom: $story $step', ({ story, step, owners }) => {
    for (const { recording } of recordedLanes(stepOf(story, step))) {
      const asked = { payloadShare: 1, part: 1 / 60, hasTotal: false }
      expect(guidesOf(recording, [], asked).map(({ of }) => of)).toEqual(owners)
    }
  })

  it('of flows that go many ways are read against no link: most cross that of a host', () => {
    const { recording } = recordedLanes(stepOf('r2c2', 2))[0]!
    const rows = ['f1', 'f2', 'f4'].map((name) => recording.rowOf.get(name)!)
    const lines = recording.ratesOf(rows).map((values, i) => ({ name: `${i}`, colour: i, values }))
    const asked = { payloadShare: 1, part: 1 / 60, hasTotal: undefined }
    const names = guidesOf(recording, lines, asked).map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(['fair of 95%']))
    const wanted = guidesOf(recording, lines, { ...asked, hasTotal: true })
    expect(wanted.map(({ name }) => name)).toContain('link')
  })

  it('have queues beside them that are read against marks and limits, where they come near', () => {
    const levelsOf = (story: string, step: number, most: number): string[][] =>
      recordedLanes(stepOf(story, step), ['run.until=1ms']).map(({ recording }) => {
        const port = portByName(recording, 'switch->h0')
        const told = [{ name: 'reference', bytes: 125e3 }]
        return queueGuides(recording, [port], { most, told }).map(
          ({ name, values }) => `${name} ${values[0]! / 1e3}`,
        )
      })
    expect(levelsOf('fluid', 0, 101e3)).toEqual([['K 97.5']])
    expect(levelsOf('tcp-to-here', 1, 300e3)).toEqual([
      ['limit 300', 'reference 125'],
      ['K 30', 'limit 300', 'reference 125'],
    ])
    // Far above the queue it would flatten it.
    expect(levelsOf('tcp-to-here', 1, 40e3)).toEqual([[], ['K 30']])
  })

  it('beside each other have as many digits', () => {
    expect([7.7e9, 8e9, 7.999e9, 13e9, 949e6, 0].map((bps) => rateOfDigits(bps, 3))).toEqual([
      ...['7.70 Gb/s', '8.00 Gb/s', '8.00 Gb/s', '13.0 Gb/s', '949 Mb/s', '0 b/s'],
    ])
    expect([7.77e9, 803e6].map((bps) => rateOfDigits(bps, 2))).toEqual(['7.8 Gb/s', '800 Mb/s'])
  })

  it('that were computed are dots, and what was measured is none', () => {
    const { recording } = recordedLanes(stepOf('accurate', 2))[0]!
    const asked = { payloadShare: 1, part: 1 / 60, hasTotal: true }
    const dots = guidesOf(recording, [], asked).filter(({ isComputed }) => isComputed === true)
    expect(new Set(dots.map(({ name }) => name))).toEqual(new Set(['fair of 95%']))
  })
})
