/**
 * One run in a worker of its own: it simulates ahead as fast as it can and hands pictures to the
 * page, which plays them back by its own clock. Four lanes are four workers; one that hangs is
 * ended without the others.
 */
import { createRun, loadSpec } from '@weir/sim'
import type { Run } from '@weir/sim'
import { schemes } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { limitBuffers } from './buffer-budget.ts'
import { maxMinJain } from './fair-shares.ts'
import { lineIn } from '../own/source-lines.ts'
import { loadOwnScheme, OwnSchemeError, wordsOf } from './own-scheme.ts'
import { checkStart } from './protocol.ts'
import type { Failed, FromRun, StartRun } from './protocol.ts'
import { Recorder } from './recorder.ts'

/** Pictures are handed over about this often. */
const HAND_OVER_MS = 40

interface WorkerScope {
  onmessage: ((event: MessageEvent) => void) | null
  postMessage(message: FromRun, transfer?: Transferable[]): void
}

const scope = globalThis as unknown as WorkerScope
const post = scope.postMessage.bind(globalThis)

const listen = (): void => {
  scope.onmessage = (event: MessageEvent): void => {
    scope.onmessage = null
    post({ type: 'hello' })
    void begin(event.data)
  }
}
listen()

async function begin(message: unknown): Promise<void> {
  let hasOwn = false
  let url = ''
  let code = ''
  try {
    const start = checkStart(message)
    code = start.ownScheme
    hasOwn = code !== ''
    if (hasOwn) limitBuffers()
    const own = hasOwn ? await loadOwnScheme(start.ownScheme) : undefined
    url = own?.url ?? ''
    const run = makeRun(start, own?.scheme)
    await simulateShown(run, own?.scheme, start.hasPackets)
    // Its code is warm: the next run begins at once. One that ran a user's code is thrown away.
    if (!hasOwn) listen()
  } catch (error) {
    post(failureOf(error, hasOwn, url, code))
  }
}

function makeRun({ text, sourceName, settings }: StartRun, own: Scheme | undefined): Run {
  const cards = own === undefined ? schemes : [...schemes.filter((s) => s.name !== own.name), own]
  const given = own === undefined ? settings : settings.map((s) => s.replace('@own', own.name))
  const spec = loadSpec({ text, sourceName, settings: given, schemes: cards })
  const isOwn = own !== undefined && spec.scheme.name === own.name
  // What is shown moves until `until`: a page does not wait for the last flow.
  const shown = { ...spec, run: { ...spec.run, drainPs: 0 } }
  return createRun(shown, isOwn ? own : undefined)
}

async function simulateShown(
  run: Run,
  own: Scheme | undefined,
  hasPackets: boolean,
): Promise<void> {
  const recorder = new Recorder(run, hasPackets)
  const { name } = run.spec.scheme
  const title = (own ?? schemes.find((scheme) => scheme.name === name))?.title ?? name
  post(recorder.scene(title, own === undefined ? '' : cardOf(own)))
  let nextPs = 0
  let handedMs = performance.now()
  for (let goesOn = true; goesOn;) {
    nextPs += recorder.intervalPs
    goesOn = run.step(nextPs)
    // The run's end is not on the grid: its picture is of the part that was.
    recorder.take(goesOn ? nextPs : Math.min(run.nowPs, nextPs))
    const isFull = recorder.kept >= recorder.framesMax
    const nowMs = performance.now()
    if (!isFull && goesOn && nowMs - handedMs < HAND_OVER_MS) continue
    hand(recorder, run.nowPs)
    if (isFull && goesOn) {
      recorder.halve()
      post({ type: 'halve' })
    }
    handedMs = nowMs
    await nextTurn()
  }
  const { series: _, ...result } = run.result()
  const shown = { ...result, maxMinJain: maxMinJain(run) }
  post({ type: 'done', result: JSON.stringify(shown) })
}

function cardOf({ name, title, cite, needs, params, presets }: Scheme): string {
  return JSON.stringify({ name, title, cite: String(cite), needs, params, presets })
}

function hand(recorder: Recorder, nowPs: number): void {
  const steps = recorder.circuits.hand()
  if (steps !== undefined) post(steps, [steps.steps.buffer as ArrayBuffer])
  const packets = recorder.packets?.hand(nowPs)
  if (packets !== undefined) post(packets, [packets.notes.buffer as ArrayBuffer])
  const { frames, transfer } = recorder.hand()
  post(frames, transfer)
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** Errors that are written for people keep their words; the rest says whose fault it is. */
function failureOf(error: unknown, hasOwn: boolean, url: string, code: string): Failed {
  const name = error instanceof Error ? error.name : ''
  const words = wordsOf(error)
  if (error instanceof OwnSchemeError) {
    const sentence = `${words}${placeOf(error, url, code)}`
    return { type: 'failed', sentence, cause: 'scheme' }
  }
  if (/^(Spec|Unit|Workload|Topology|Routing)Error$/u.test(name)) {
    return { type: 'failed', sentence: words, cause: 'spec' }
  }
  if (hasOwn) {
    const line = placeOf(error, url, code)
    return { type: 'failed', sentence: `the scheme threw: ${words}${line}`, cause: 'scheme' }
  }
  return { type: 'failed', sentence: `a fault in Weir itself: ${words}`, cause: 'weir' }
}

/** The line of the user's module in the stack, if there is one. */
function placeOf(error: unknown, url: string, code: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const at = url === '' ? -1 : stack.indexOf(url)
  const line = at < 0 ? null : /^:(\d+):/u.exec(stack.slice(at + url.length))
  return line === null ? '' : ` (line ${lineIn(code, Number(line[1]))})`
}
