/** The question that docs/theory.md answers: its table is what `weir theory` says today. */
import { readFileSync } from 'node:fs'
import { analyse } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { questionOf } from './theory.ts'
import type { TheoryOptions } from './theory.ts'

const text = readFileSync(new URL('../../../docs/theory.md', import.meta.url), 'utf8')
const ASKED = './weir theory dcqcn --flows 40 --rate 40Gbps --delay 20us'
const PLAIN = { flows: 40, rate: '40Gbps', delay: '20us', packet: '1048B', time: '1ms' }

/** Rows of the table: thresholds as options, queue in KB, margin in degrees, delay to spare. */
function rows(): { options: TheoryOptions; queueKb: number; verdict: string }[] {
  const lines = text.split('\n').filter((line) => /^\|.*degrees/.test(line))
  return lines.map((line, i) => {
    const [, thresholds, queue, verdict] = line.split('|').map((cell) => cell.trim())
    const settings = (from: string): string[] =>
      [...from.matchAll(/`(\w+=[\w.]+)`/g)].map((found) => found[1]!)
    const isSame = thresholds!.startsWith('the same')
    const before = isSame ? settings(lines[i - 1]!) : []
    const preset = /--preset (\w+)/.exec(thresholds!)?.[1]
    const set = [...before, ...settings(thresholds!)]
    return {
      options: { ...PLAIN, set, ...(preset !== undefined && { preset }) },
      queueKb: Number.parseFloat(queue!),
      verdict: verdict!,
    }
  })
}

describe('docs/theory.md', () => {
  it('shows the command that it answers, and what that prints', () => {
    expect(text).toContain(`$ ${ASKED}\n`)
    const { model, network, values } = questionOf('dcqcn', { ...PLAIN, set: [] })
    const { point, stability } = analyse(model, network, values)
    expect(stability).toBeUndefined()
    const printed = text.slice(text.indexOf(`$ ${ASKED}`)).replaceAll('\n', ' ')
    expect(printed).toContain(point.why)
    const p = point.quantities.find(({ name }) => name === 'marking probability p*')!.value
    expect(printed).toContain(p.toFixed(5))
  })

  it('has a table of thresholds whose queues, margins and verdicts are computed', () => {
    expect(rows()).toHaveLength(5)
    for (const { options, queueKb, verdict } of rows()) {
      const { model, network, values } = questionOf('dcqcn', options)
      const { point, stability } = analyse(model, network, values)
      const about = JSON.stringify(options)
      const queue = point.quantities.find(({ name }) => name === 'queue')!.value
      expect(Math.round(queue / 1e3), about).toBe(queueKb)
      expect(verdict.replaceAll('*', '').startsWith('stable'), about).toBe(stability!.isStable)
      expect(verdict, about).toContain(`${stability!.margins.phaseDegrees.toFixed(1)} degrees`)
      const spare = /([\d.]+) us of delay to spare/.exec(verdict)?.[1]
      if (spare !== undefined) {
        expect((stability!.margins.delay * 1e6).toFixed(1), about).toBe(spare)
      }
    }
  })
})
