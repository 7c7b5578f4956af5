/** Names of hosts, without a browser. */
import { expect, it } from 'vitest'
import { incast } from '../stories/incast.ts'
import { closePicture, wordsOf } from '../testing/close-picture.ts'
import { recordedLanes } from '../testing/recorded.ts'
import { drawHostNames } from './hosts.ts'

it('those of flows that stand out are there, with their flows, and none lies on another', () => {
  const step = incast.steps.find(({ bright = [] }) => bright.length > 0)!
  const [lane] = recordedLanes(step, ['run.until=400us'])
  const { recording } = lane!
  const size = { width: 920, height: 312, atPs: 300e6 }
  const namesOf = (bright: readonly string[]): ReturnType<typeof wordsOf> => {
    const { picture, drawn } = closePicture(recording, size)
    const rows = bright.map((name) => recording.rowOf.get(name))
    const isFaint = (row: number): boolean => rows.length > 0 && !rows.includes(row)
    drawHostNames({ ...picture, isFaint })
    return wordsOf(drawn)
  }
  const texts = namesOf(step.bright!).map(({ text }) => text)
  expect(texts).toContain('h1: part.0')
  // Its flow's name has no room here.
  expect(texts).toContain('h40')
  expect(texts.length).toBeGreaterThan(6)
  // One of the many between the names, too.
  const names = namesOf(['part.5'])
  expect(names.map(({ text }) => text)).toContain('h6: part.5')
  const left = names.filter(({ text }) => text !== 'h0').sort((a, b) => a.y - b.y)
  left.slice(1).forEach((one, i) => expect(one.y - left[i]!.y).toBeGreaterThanOrEqual(10.9))
  // Where none stands out no flow is named.
  expect(namesOf([]).some(({ text }) => text.includes(':'))).toBe(false)
})
