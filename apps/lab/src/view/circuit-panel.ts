/**
 * ACCurate's circuit in front of one output, beside the picture of the network: its registers at
 * the playhead, what the last FRP met in it, and the FRPs before (ACCurate, section IV, Fig. 6).
 * It is there where a scheme has one (`arithmetic: fixed`), for the port that is selected or
 * pinned.
 */
import { shortTime } from '@weir/engine'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { atRest, countedIn, division, kindOf, REGISTERS, told } from '../model/circuit-log.ts'
import type { CircuitStep, RegisterName } from '../model/circuit-log.ts'
import { rateText } from '../model/rate-text.ts'
import type { Recording } from '../model/recording.ts'
import type { Session } from '../model/session.ts'
import { portByName } from '../scene/picture.ts'
import { NOTES_MAX } from '../worker/protocol.ts'
import type { CircuitCard } from '../worker/protocol.ts'
import { html, throttled } from './html.ts'
import type { ShownLane } from './plots.ts'

const REFRESH_MS = 50
const LISTED = 5
const LIST_HEAD = ['time', 'what', 'CR', 'M', 'B', 'FSR']

/** Where the person has stepped to; several FRPs may pass in one moment. */
interface Held {
  readonly port: number
  readonly atPs: number
  readonly index: number
}

export function hasCircuit({ recording }: ShownLane): boolean {
  return recording.scene.circuits.length > 0
}

export function CircuitPanel({ session, lane }: { session: Session; lane: ShownLane }): VNode {
  const [, again] = useState(0)
  const [held, hold] = useState<Held | undefined>(undefined)
  useEffect(() => {
    const show = throttled(() => again((n) => n + 1), REFRESH_MS)
    return session.listen('tick', show)
  }, [session])
  const { recording } = lane
  const card = shownCircuit(session, recording)
  const steps = recording.circuits.stepsOf(card.port)
  const isHeld = held?.port === card.port && held.atPs === session.playheadPs
  const at = isHeld ? held.index : recording.circuits.lastAt(card.port, session.playheadPs)
  const step = steps[at] ?? atRest(card)
  const before = steps[at - 1] ?? atRest(card)
  const go = (index: number): void => {
    const next = steps[index]
    if (next === undefined) return
    session.play(false)
    session.seek(next.atPs)
    hold({ port: card.port, atPs: session.playheadPs, index })
  }
  return html`<section class="circuit" aria-label="The circuit of a port">
    <h2>The circuit in front of ${recording.portName(card.port)}</h2>
    <div class="row wrap">
      <${PortChoice} session=${session} recording=${recording} card=${card} />
      <button id="circuit-back" disabled=${at < 1} onClick=${() => go(at - 1)}>FRP before</button>
      <button id="circuit-next" disabled=${at + 1 >= steps.length} onClick=${() => go(at + 1)}>
        Next FRP
      </button>
    </div>
    <${Passing} step=${step} before=${before} flow=${flowName(recording, step)} />
    <p class="told" id="circuit-told">${told(step, before, card)}</p>
    <${Registers} step=${step} before=${before} card=${card} />
    <p class="divider"><strong>Divider</strong>, of the old registers: ${division(step, card)}</p>
    ${cutOf(recording)}
    <${Passed} recording=${recording} steps=${steps.slice(Math.max(0, at + 1 - LISTED), at + 1)} />
    <p class="hint">
      Rates in steps of ${rateText(card.stepBps)}, ${card.rateBits} bits; C (1 - alpha) is
      ${' '}${card.shareable}. Squares are bits; framed is what the last FRP or tick changed.
    </p>
  </section>`
}

/** Where the log of FRPs is full, the registers stand still and should not be believed. */
function cutOf({ circuits }: Recording): VNode | undefined {
  const words = `FRPs are not noted after ${shortTime(circuits.cutPs)}: the log holds ${NOTES_MAX}.`
  return circuits.cutPs < Infinity ? html`<p class="warning">${words}</p>` : undefined
}

/** The selected port, else a pinned one, else the one that most passes; with a circuit. */
function shownCircuit(session: Session, recording: Recording): CircuitCard {
  const { circuits } = recording.scene
  const names = [session.selected, ...session.pins].flatMap((pin) =>
    pin?.kind === 'port' ? [pin.name] : [],
  )
  for (const name of names) {
    const port = portByName(recording, name)
    const found = circuits.find((card) => card.port === port)
    if (found !== undefined) return found
  }
  const passed = ({ port }: CircuitCard): number => recording.circuits.stepsOf(port).length
  return circuits.reduce((most, card) => (passed(card) > passed(most) ? card : most))
}

function PortChoice(props: { session: Session; recording: Recording; card: CircuitCard }): VNode {
  const { session, recording, card } = props
  const names = recording.scene.circuits.map(({ port }) => recording.portName(port))
  return html`<label class="inside"
    >Port
    <select
      id="circuit-port"
      value=${recording.portName(card.port)}
      onChange=${(event: Event) =>
        session.select({ kind: 'port', name: (event.target as HTMLSelectElement).value })}
    >
      ${names.map((name) => html`<option value=${name}>${name}</option>`)}
    </select></label
  >`
}

function flowName(recording: Recording, { row }: CircuitStep): string {
  return recording.flows[row]?.name ?? ''
}

interface PassingProps {
  readonly step: CircuitStep
  readonly before: CircuitStep
  readonly flow: string
}

/** The way of the last FRP through the circuit: compared, counted, limited, out. */
function Passing({ step, before, flow }: PassingProps): VNode {
  const isFrp = step.row >= 0
  const value = (number: number): string => (isFrp ? String(number) : '-')
  const asked = (share: number): string =>
    isFrp ? `${share}: ${share <= step.inCurrent ? 'yes' : 'no'}` : String(share)
  return html`<div class="passing">
    <div class="box">
      <strong>${isFrp ? `${kindOf(step)} of ${flow}` : step.atPs < 0 ? 'idle' : 'tick'}</strong>
      <span>CR ${value(step.inCurrent)}</span><span>DR ${value(step.inDesired)}</span>
    </div>
    <span class="arrow" aria-hidden="true">→</span>
    <div class="box">
      <strong>≤ CR ?</strong>
      <span>FSR ${asked(step.fsr)}</span><span>old ${asked(step.oldFsr)}</span>
    </div>
    <span class="arrow" aria-hidden="true">→</span>
    <div class="box">
      <strong>${addition(step, before)}</strong>
      <span>least of CR, FSR</span><span>least of DR, FSR</span>
    </div>
    <span class="arrow" aria-hidden="true">→</span>
    <div class="box">
      <strong>${isFrp && step.isUrgent === 1 ? 'out, and back' : 'out'}</strong>
      <span>CR ${value(step.outCurrent)}</span><span>DR ${value(step.outDesired)}</span>
    </div>
  </div>`
}

/** What the adders did. */
function addition(step: CircuitStep, before: CircuitStep): string {
  const register = countedIn(step, before)
  if (register === 'M') return step.m > before.m ? 'M + 1' : 'M - 1'
  if (register === 'B') return step.b > before.b ? 'B + CR' : 'B - CR'
  return 'no count'
}

interface RegistersProps {
  readonly step: CircuitStep
  readonly before: CircuitStep
  readonly card: CircuitCard
}

function Registers({ step, before, card }: RegistersProps): VNode {
  const cell = (register: RegisterName, kind: 'rate' | 'count' | 'sum'): VNode => {
    const value = step[register]
    const hasChanged = step.atPs >= 0 && value !== before[register]
    const bits = kind === 'count' ? card.countBits : card.rateBits + (kind === 'sum' ? 1 : 0)
    const unit = kind === 'count' ? '' : rateText(value * card.stepBps)
    return html`<td
      class=${hasChanged ? 'register changed' : 'register'}
      data-register=${register}
      data-value=${value}
    >
      <strong>${value}</strong>
      <small>${unit}${hasChanged ? ` was ${before[register]}` : ''}</small>
      <${Bits} value=${value} bits=${bits} />
    </td>`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Registers">
    <table class="registers">
      <thead>
        <tr>
          <th scope="col">register</th>
          <th scope="col">this period</th>
          <th scope="col">old</th>
        </tr>
      </thead>
      <tbody>
        ${REGISTERS.map(
          ({ name, now, old, kind }) =>
            html`<tr key=${name}>
              <th scope="row">${name}</th>
              ${cell(now, kind)}${cell(old, kind)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** The bits, the highest first. */
function Bits({ value, bits }: { value: number; bits: number }): VNode {
  const digits = value.toString(2).padStart(bits, '0').split('')
  return html`<span class="bits" aria-hidden="true">
    ${digits.map((digit) => html`<i class=${digit === '1' ? 'on' : ''}></i>`)}
  </span>`
}

/** The last FRPs and ticks, the latest below. */
function Passed(props: { recording: Recording; steps: readonly CircuitStep[] }): VNode {
  const { recording, steps } = props
  const rows: (CircuitStep | undefined)[] = [...steps]
  while (rows.length < LISTED) rows.unshift(undefined)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="The last FRPs">
    <table class="passed">
      <thead>
        <tr>
          ${LIST_HEAD.map((word) => html`<th scope="col">${word}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map((step) =>
          step === undefined
            ? html`<tr class="empty" aria-hidden="true">
                <td colspan="6"></td>
              </tr>`
            : html`<tr>
                <td>${`${(step.atPs / 1e6).toFixed(2)} us`}</td>
                <td>${kindOf(step)} ${flowName(recording, step)}</td>
                <td>${step.row < 0 ? '' : `${step.inCurrent} → ${step.outCurrent}`}</td>
                <td>${step.m}</td>
                <td>${step.b}</td>
                <td>${step.fsr}</td>
              </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
