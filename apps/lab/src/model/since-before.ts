/** What a turned knob has changed, in words: its values before and now, and what came of it. */
import { schemes } from '@weir/schemes'
import { written } from './param-text.ts'
import type { Experiment, Lane } from './experiment.ts'
import { measures } from './compare.ts'
import type { Before, LaneResult } from './lane-run.ts'

/** A difference of less is not worth a word. */
const WORTH_SAYING = 1.05
const SAID_MAX = 4

/** `rateAi 40Mbps → 400Mbps`; settings of the fabric too. */
export function turned(before: Before, experiment: Experiment, lane: Lane): string {
  const old = before.lane
  const words: string[] = []
  if (old.scheme !== lane.scheme) words.push(`${old.scheme} → ${lane.scheme}`)
  else {
    if (old.preset !== lane.preset) words.push(`preset ${said(old.preset)} → ${said(lane.preset)}`)
    const names = new Set([...Object.keys(old.params), ...Object.keys(lane.params)])
    for (const name of names) {
      const [from, to] = [old.params[name] ?? '', lane.params[name] ?? '']
      if (from === to) continue
      words.push(`${name} ${from || ranWith(before, name)} → ${to || 'as given'}`)
    }
  }
  for (const [path, from, to] of settingChanges(before.experiment, experiment)) {
    words.push(`${path} ${said(from)} → ${said(to)}`)
  }
  return words.join(', ') || 'the scheme’s text'
}

/** The value that a run had of a parameter that nobody set. */
function ranWith({ result, lane }: Before, name: string): string {
  const param = schemes.find((scheme) => scheme.name === lane.scheme)?.params[name]
  const value = result.spec.scheme.params[name]
  return param === undefined || value === undefined ? 'as given' : written(param, value)
}

function said(text: string): string {
  return text === '' ? 'as given' : text
}

function settingChanges(a: Experiment, b: Experiment): [string, string, string][] {
  const valuesOf = ({ settings }: Experiment): Map<string, string> =>
    new Map(settings.map((one) => [one.split('=')[0]!, one.slice(one.indexOf('=') + 1)]))
  const [old, now] = [valuesOf(a), valuesOf(b)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((path) => {
    const [from, to] = [old.get(path) ?? '', now.get(path) ?? '']
    return from === to ? [] : [[path, from, to] as [string, string, string]]
  })
}

/** The largest differences first: `longest queue 290 KB → 41 KB`. */
export function outcome(before: LaneResult, now: LaneResult): string {
  const found = measures.flatMap(({ name, key, show, of, worthSaying }) => {
    const isBound = [before, now].some(
      ({ summary }) => key !== undefined && (summary.atLeast as readonly string[]).includes(key),
    )
    const [from, to] = [of(before), of(now)]
    if (isBound || !Number.isFinite(from) || !Number.isFinite(to) || from === to) return []
    const [low, high] = [Math.min(from, to), Math.max(from, to)]
    const ratio = low > 0 ? high / low : high > 0 ? 1000 : 1
    const isWorth = worthSaying === undefined ? ratio >= WORTH_SAYING : high - low >= worthSaying
    return isWorth ? [{ ratio, text: `${name} ${show(from)} → ${show(to)}` }] : []
  })
  if (found.length === 0) {
    return now.fingerprint === before.fingerprint
      ? 'not a single packet moved otherwise'
      : 'no measure differs by more than 5 %'
  }
  found.sort((a, b) => b.ratio - a.ratio)
  return found
    .slice(0, SAID_MAX)
    .map(({ text }) => text)
    .join('; ')
}
