/** The figures of transports that no document of ours describes, small. */
import { expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { figures } from './index.ts'
import { swiftFigure } from './swift.ts'

const reproduced = describeFigures('the figures of other transports', figures, {})

it('Swift: says how many transfers its tails are of', async () => {
  const { notes } = await reproduced(swiftFigure)
  const [, count] = /ended: ([\d,]+) in each seed/u.exec(notes.join(' '))!
  // One each 4 us, from 0.5 to 6 ms: more than ten are beyond a 99th percentile.
  expect(Number(count!.replaceAll(',', ''))).toBeGreaterThan(1350)
  expect(Number(count!.replaceAll(',', ''))).toBeLessThanOrEqual(1375)
})
