/** Play, pause, step, speed and the time bar, which is drawn at every tick without a new view. */
import { shortTime } from '@weir/engine'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Session } from '../model/session.ts'
import { html, throttled } from './html.ts'

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8]
const STEPS = 1000
const TEXT_MS = 100

export function Transport({ session }: { readonly session: Session }): VNode {
  const bar = useRef<HTMLInputElement>(null)
  const clock = useRef<HTMLOutputElement>(null)
  const rate = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const showText = throttled(() => {
      if (clock.current !== null) clock.current.value = clockText(session)
      if (rate.current !== null) {
        rate.current.textContent = `${Math.round(session.framesPerSecond)} pictures/s`
      }
    }, TEXT_MS)
    const show = (): void => {
      const end = session.endPs
      if (bar.current !== null && document.activeElement !== bar.current) {
        bar.current.value = String(end > 0 ? Math.round((session.playheadPs / end) * STEPS) : 0)
      }
      showText()
    }
    const unlisten = [session.listen('tick', show), session.listen('state', show)]
    return () => unlisten.forEach((stop) => stop())
  }, [session])
  const seek = (event: Event): void => {
    const value = Number((event.target as HTMLInputElement).value)
    session.seek((value / STEPS) * session.endPs)
  }
  const progress = session.endPs > 0 ? session.frontierPs / session.endPs : 0
  return html`<div class="transport" role="group" aria-label="Time">
    <button class="primary" onClick=${() => session.play(!session.isPlaying)} id="play">
      ${session.isPlaying ? 'Pause' : 'Play'}
    </button>
    <button onClick=${() => session.step(-1)} aria-label="One step back">◂ Step</button>
    <button onClick=${() => session.step(1)} aria-label="One step on">Step ▸</button>
    <button
      onClick=${() => {
        session.seek(0)
        session.changed()
      }}
    >
      To start
    </button>
    <label class="speed"
      >Speed
      <select
        value=${session.speed}
        onChange=${(event: Event) => {
          session.speed = Number((event.target as HTMLSelectElement).value)
          session.changed()
        }}
      >
        ${SPEEDS.map((speed) => html`<option value=${speed}>${speed}x</option>`)}
      </select></label
    >
    <output ref=${clock} class="clock" aria-label="Simulated time">${clockText(session)}</output>
    <span class="bar">
      <progress value=${progress} max="1" aria-label="Simulated so far"></progress>
      <input
        ref=${bar}
        type="range"
        min="0"
        max=${STEPS}
        step="1"
        onInput=${seek}
        aria-label="Time shown"
        id="scrub"
      />
    </span>
    <span class="faint rate"><span ref=${rate} id="fps">60 pictures/s</span></span>
  </div>`
}

function clockText(session: Session): string {
  return `${shortTime(session.playheadPs)} of ${shortTime(session.endPs)}`
}
