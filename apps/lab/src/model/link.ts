/**
 * The URL holds the whole experiment: JSON, deflated, in base64 of the alphabet for URLs. Short
 * forms can be written by hand: `#scenario=incast&schemes=none,dcqcn`, `#story=incast`,
 * `#figure=accurate/fig3`, `#gallery`.
 */
import { schemes } from '@weir/schemes'
import { scenarioByName } from '@weir/sim'
import { experimentOf, LANES_MAX } from './experiment.ts'
import type { Experiment, Lane } from './experiment.ts'

export type Place =
  | {
      readonly view: 'experiment'
      readonly experiment: Experiment
      /** Schemes that the link names and this lab does not have. */
      readonly missing?: readonly string[]
    }
  | { readonly view: 'story'; readonly story: string; readonly step: number }
  | { readonly view: 'figures'; readonly figure: string }
  | { readonly view: 'gallery' }

/** A link whose text would be longer than this when inflated is refused: it is not ours. */
const TEXT_MAX = 2_000_000

export async function hashOf(experiment: Experiment): Promise<string> {
  const isPlain =
    experiment.text === '' &&
    experiment.settings.length === 0 &&
    experiment.ownScheme === '' &&
    experiment.lanes.every((lane) => lane.preset === '' && Object.keys(lane.params).length === 0)
  if (isPlain) {
    const names = experiment.lanes.map((lane) => lane.scheme).join(',')
    return `#scenario=${experiment.scenario}&schemes=${names}`
  }
  const bytes = new TextEncoder().encode(JSON.stringify(experiment))
  return `#x=${toBase64(await through(bytes, new CompressionStream('deflate-raw')))}`
}

/** Where a hash leads; undefined if it is empty. Throws a sentence if it cannot be read. */
export async function placeOf(hash: string): Promise<Place | undefined> {
  const given = new URLSearchParams(hash.replace(/^#/u, ''))
  const story = given.get('story')
  if (story !== null) return { view: 'story', story, step: Number(given.get('step') ?? 0) || 0 }
  if (given.has('gallery')) return { view: 'gallery' }
  const figure = given.get('figure')
  if (figure !== null) return { view: 'figures', figure }
  const scenario = given.get('scenario')
  if (scenario !== null) {
    if (scenarioByName(scenario) === undefined) {
      throw new Error(`the link names a scenario '${scenario}' that this lab does not have`)
    }
    const names = (given.get('schemes') ?? '').split(',').filter((name) => name !== '')
    const experiment = experimentOf(scenario, names.slice(0, LANES_MAX))
    const missing = names.filter((name) => !schemes.some((scheme) => scheme.name === name))
    return missing.length === 0
      ? { view: 'experiment', experiment }
      : { view: 'experiment', experiment, missing }
  }
  const packed = given.get('x')
  if (packed === null) return undefined
  return { view: 'experiment', experiment: await unpack(packed) }
}

async function unpack(packed: string): Promise<Experiment> {
  let given: unknown
  try {
    const bytes = await through(fromBase64(packed), new DecompressionStream('deflate-raw'))
    given = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new Error('the link is damaged: copy the whole of it again')
  }
  return checked(given)
}

function checked(given: unknown): Experiment {
  const it = given as Partial<Record<keyof Experiment, unknown>> | null
  const isGood =
    typeof it === 'object' &&
    it !== null &&
    ['scenario', 'text', 'ownScheme'].every((key) => typeof it[key as 'text'] === 'string') &&
    isTexts(it.settings) &&
    Array.isArray(it.lanes) &&
    it.lanes.length >= 1 &&
    it.lanes.length <= LANES_MAX &&
    it.lanes.every(isLane)
  if (!isGood) throw new Error('the link does not hold an experiment of this lab')
  return it as Experiment
}

function isLane(given: unknown): given is Lane {
  const it = given as Partial<Lane> | null
  return (
    typeof it === 'object' &&
    it !== null &&
    typeof it.scheme === 'string' &&
    typeof it.preset === 'string' &&
    typeof it.params === 'object' &&
    it.params !== null &&
    isTexts(Object.values(it.params))
  )
}

function isTexts(given: unknown): boolean {
  return Array.isArray(given) && given.every((text) => typeof text === 'string')
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
    if (length > TEXT_MAX) throw new Error('too long')
  }
  const all = new Uint8Array(length)
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0)
  return all
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}
