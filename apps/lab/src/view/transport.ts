/** Play, pause, step, speed and the time bar, which is drawn at every tick without a new view. */
import { shortTime } from '@weir/engine'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Session } from '../model/session.ts'
import { momentsOf } from '../model/moments.ts'
import type { Moment } from '../model/moments.ts'
import { nextPart } from '../model/zoom.ts'
import type { Range } from '../model/zoom.ts'
import { BEFORE_AXIS_PX } from './chart.ts'
import { LABELS_PX } from './end-labels.ts'
import { html, throttled } from './html.ts'
import { letterOf } from './lanes.ts'
import { timeText } from './time-text.ts'

const SPEEDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8]
const STEPS = 1000
const TEXT_MS = 100
/** Of the words of a tick: none, above, below. */
const ROWS = ['bare', 'r0', 'r1']

export function Transport({ session }: { readonly session: Session }): VNode {
  const clock = useRef<HTMLOutputElement>(null)
  const rate = useRef<HTMLSpanElement>(null)
  useEffect(() => listenKeys(session), [session])
  useEffect(() => {
    const showText = throttled(() => {
      if (clock.current !== null) clock.current.value = clockText(session)
      if (rate.current !== null) {
        rate.current.textContent = `${Math.round(session.framesPerSecond)} pictures/s`
      }
    }, TEXT_MS)
    return whenTimeMoves(session, showText)
  }, [session])
  return html`<div class="transport" role="group" aria-label="Time">
    <button
      class="primary"
      id="play"
      disabled=${session.isAsking}
      title=${session.isAsking ? 'Time waits for your guess' : ''}
      onClick=${() => session.play(!session.isPlaying)}
    >
      ${session.isPlaying ? 'Pause' : 'Play'}
    </button>
    <button onClick=${() => session.step(-1)} aria-label="One step back">
      ◂<span class="step-word"> Step</span>
    </button>
    <button onClick=${() => session.step(1)} aria-label="One step on">
      <span class="step-word">Step </span>▸
    </button>
    <button
      class="to-start"
      onClick=${() => {
        session.seek(0)
        session.changed()
      }}
    >
      To start
    </button>
    <${Speed} session=${session} />
    <output ref=${clock} class="clock" aria-label="Simulated time">${clockText(session)}</output>
    <button id="stop" disabled=${!session.isSimulating} onClick=${() => session.halt()}>
      Stop the run
    </button>
    <span class="faint rate"><span ref=${rate} id="fps">60 pictures/s</span></span>
    <${TimeBar} session=${session} />
  </div>`
}

/**
 * What happens when, how far the run has come, and the time that is shown: of the part of time that
 * the plots show, and, where they stand in one column, above their axis.
 */
function TimeBar({ session }: { readonly session: Session }): VNode {
  const bar = useRef<HTMLInputElement>(null)
  useEffect(() => {
    let beforePs = session.playheadPs
    const show = (): void => {
      const nowPs = session.playheadPs
      const next = session.isPlaying
        ? nextPart(session.zoomPs, session.endPs, beforePs, nowPs)
        : null
      beforePs = nowPs
      if (next !== null) session.zoom(next)
      // What is dragged stays under the finger.
      if (bar.current === null || bar.current.matches(':active')) return
      bar.current.value = String(Math.round(partOf(session, nowPs) * STEPS))
    }
    return whenTimeMoves(session, show)
  }, [session])
  const seek = (event: Event): void => {
    const value = Number((event.target as HTMLInputElement).value)
    const [from, to] = timeShown(session)
    session.seek(from + (value / STEPS) * (to - from))
  }
  const progress = partOf(session, session.frontierPs)
  const isOverPlots = session.lanes.length === 1 || session.isOverlaid
  return html`<span class=${isOverPlots ? 'bar over-plots' : 'bar'} style=${BESIDE_AXIS}>
    <${Ticks} session=${session} />
    <progress value=${progress} max="1" aria-label="Simulated so far"></progress>
    <input
      ref=${bar}
      type="range"
      min="0"
      max=${STEPS}
      step="1"
      disabled=${session.isAsking}
      onInput=${seek}
      aria-label=${session.zoomPs === undefined ? 'Time shown' : `Time shown, ${zoomText(session)}`}
      id="scrub"
    />
  </span>`
}

const BESIDE_AXIS = { '--before-axis': `${BEFORE_AXIS_PX}px`, '--after-axis': `${LABELS_PX}px` }

function timeShown({ zoomPs, endPs }: Session): Range {
  return zoomPs ?? [0, Math.max(1, endPs)]
}

/** Of the time that is shown: 0 to 1. */
function partOf(session: Session, ps: number): number {
  const [from, to] = timeShown(session)
  return Math.max(0, Math.min(1, (ps - from) / Math.max(1, to - from)))
}

function zoomText(session: Session): string {
  const [from, to] = timeShown(session)
  const [first, last] = [from === 0 ? '0' : shortTime(from), shortTime(to)]
  const unit = last.slice(last.indexOf(' '))
  return `${first.endsWith(unit) ? first.slice(0, -unit.length) : first} to ${last}`
}

/** Returns what ends it. */
function whenTimeMoves(session: Session, show: () => void): () => void {
  const unlisten = [session.listen('tick', show), session.listen('state', show)]
  return () => unlisten.forEach((stop) => stop())
}

function Speed({ session }: { readonly session: Session }): VNode {
  return html`<label class="speed"
    ><span class="speed-word">Speed</span>
    <select
      aria-label="Speed"
      value=${session.speed}
      onChange=${(event: Event) => {
        session.speed = Number((event.target as HTMLSelectElement).value)
        session.changed()
      }}
    >
      ${SPEEDS.map((speed) => html`<option value=${speed}>${speed}x</option>`)}
    </select></label
  >`
}

/** Where things happened, above the bar; a tick leads there. */
function Ticks({ session }: { readonly session: Session }): VNode {
  const [from, to] = timeShown(session)
  const all = lettered(
    session.shown.map(({ recording, result }) => momentsOf(recording, result)),
    (to - from) / 100,
  ).filter(({ ps }) => ps >= from && ps <= to)
  const until: [number, number] = [-1, -1]
  return html`<span class="ticks">
    ${all
      .sort((a, b) => a.ps - b.ps)
      .map(({ ps, seenPs = ps, text, kind }) => {
        const at = partOf(session, ps)
        const wide = (text.length * 6.2 + 8) / 760
        const start = at + wide > 1 ? at - wide : at
        // A stroke of the upper row passes the lower one, whose words must be over by then.
        const row = until[1] > start ? -1 : until[0] > start ? 1 : 0
        if (row >= 0) until[row as 0 | 1] = start + wide
        return html`<button
          key=${text}
          class=${`tick ${kind} ${ROWS[row + 1]}${start < at ? ' ends-here' : ''}`}
          style=${{ left: `${(100 * at).toFixed(2)}%` }}
          title=${`${text} at ${shortTime(ps)}`}
          onClick=${() => {
            session.play(false)
            session.seek(seenPs)
          }}
        >
          <span class=${row < 0 ? 'off-screen' : ''}>${text}</span>
        </button>`
      })}
  </span>`
}

/** What happens in every lane at nearly the same time is said once, without a letter. */
export function lettered(lanes: readonly (readonly Moment[])[], nearPs: number): Moment[] {
  const [first = [], ...others] = lanes
  const isCommon = ({ text, ps }: Moment): boolean =>
    lanes.every((lane) =>
      lane.some((one) => one.text === text && Math.abs(one.ps - ps) <= nearPs / 2),
    )
  const common = first.filter(isCommon)
  const said = new Set(common.map(({ text }) => text))
  const own = [first, ...others].flatMap((lane, i) =>
    lane
      .filter(({ text }) => !said.has(text))
      .map((one) => ({
        ...one,
        text: lanes.length > 1 ? `${letterOf(i)}: ${one.text}` : one.text,
      })),
  )
  return [...common, ...own]
}

/** A clock that goes slowly has the digits that move. */
function clockText(session: Session): string {
  const { playheadPs, pacePs, endPs, zoomPs } = session
  const stepPs = 10 ** Math.floor(Math.log10(Math.max(1, pacePs / 4)))
  // Before a run has said how long it is, nothing moves.
  const isFine = pacePs > 0 && stepPs < playheadPs / 1000
  const now = isFine ? timeText(playheadPs, stepPs) : shortTime(playheadPs)
  if (zoomPs === undefined) return `${now} of ${shortTime(endPs)}`
  const isIn = playheadPs >= zoomPs[0] && playheadPs <= zoomPs[1]
  return `${now}${isIn ? ' of ' : ', shown: '}${zoomText(session)}`
}

/** Keys of the whole page, where nobody writes: Space plays, arrows step, + - 0 zoom. */
function listenKeys(session: Session): () => void {
  const onKey = (event: KeyboardEvent): void => {
    // Editors have a shadow: seen from outside, the target is the element that they stand in.
    const target = event.composedPath()[0]
    const isIn = (what: string): boolean =>
      target instanceof Element && target.closest(what) !== null
    const isTaken = isIn('input:not([type=range]), select, textarea, [role=textbox]')
    // A bar moves by arrows itself.
    const isMoved = isIn('input[type=range]') && event.key.startsWith('Arrow')
    const isPressed = isIn('button, summary, a')
    if (isTaken || isMoved || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === ' ' && !isPressed) session.play(!session.isPlaying)
    else if (event.key === 'ArrowLeft') session.step(-1)
    else if (event.key === 'ArrowRight') session.step(1)
    else if (event.key === '+' || event.key === '=') session.zoomBy(2)
    else if (event.key === '-') session.zoomBy(0.5)
    else if (event.key === '0') session.zoom(undefined)
    else return
    event.preventDefault()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
