/**
 * Knobs of a scheme's parameters, from the same description as the command line's `explain`: unit,
 * default, range, what it does and where its default comes from. A knob's value is text, as a
 * person would write it in a spec, so that the parser is the only judge of it.
 */
import type { NumberParam, Param, ParamValue, SchemeCard } from '@weir/schemes'
import { isNumberParam, resolveParams } from '@weir/schemes'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Lane } from '../model/experiment.ts'
import { paperWords } from '../model/papers.ts'
import { written } from '../model/param-text.ts'
import { html } from './html.ts'

interface ParamsProps {
  readonly card: SchemeCard
  readonly lane: Lane
  readonly laneId: string
  /** `isLive`: the knob still moves. */
  onChange(lane: Lane, isLive?: boolean): void
}

const SLIDER_STEPS = 200

export function Params({ card, lane, laneId, onChange }: ParamsProps): VNode {
  const presets = Object.entries(card.presets)
  const base = resolveParams(card.params, card.presets[lane.preset], {})
  return html`<div class="params">
    ${
      presets.length > 0 &&
      html`<div class="field">
        <label for=${`${laneId}-preset`}>Preset</label>
        <select
          id=${`${laneId}-preset`}
          value=${lane.preset}
          onChange=${(event: Event) => onChange({ ...lane, preset: valueOf(event), params: {} })}
        >
          <option value="">as the scenario says</option>
          ${presets.map(([name]) => html`<option value=${name}>${name}</option>`)}
        </select>
        <p class="hint">${paperWords(card.presets[lane.preset]?.about ?? '')}</p>
      </div>`
    }
    ${Object.entries(card.params).map(
      ([name, param]) =>
        html`<${Knob}
          key=${name}
          id=${`${laneId}-${name}`}
          name=${name}
          param=${param}
          base=${base[name]}
          text=${lane.params[name] ?? ''}
          onChange=${(text: string, isLive?: boolean) => {
            const { [name]: _, ...others } = lane.params
            const params = text === '' ? others : { ...others, [name]: text }
            onChange({ ...lane, params }, isLive)
          }}
        />`,
    )}
    ${Object.keys(card.params).length === 0 && html`<p class="hint">This scheme has no knobs.</p>`}
  </div>`
}

interface KnobProps {
  readonly id: string
  readonly name: string
  readonly param: Param
  readonly base: ParamValue
  readonly text: string
  onChange(text: string, isLive?: boolean): void
}

function Knob({ id, name, param, base, text, onChange }: KnobProps): VNode {
  // While it moves, the knob shows where it is, and the run what it was a moment ago.
  const [moving, setMoving] = useState('')
  const shown = moving !== '' ? moving : text === '' ? written(param, base) : text
  const slider = sliderOf(param)
  return html`<div class=${text === '' ? 'field' : 'field changed'}>
    <label for=${id}>${name}</label>
    ${control({ id, param, shown, onChange })}
    ${
      slider !== undefined &&
      html`<input
        type="range"
        min="0"
        max=${SLIDER_STEPS}
        value=${toSlider(slider, numberOf(slider, shown))}
        aria-label=${`${name}, coarse`}
        onInput=${(event: Event) => {
          setMoving(slid(slider, event))
          onChange(slid(slider, event), true)
        }}
        onChange=${(event: Event) => {
          setMoving('')
          onChange(slid(slider, event))
        }}
      />`
    }
    <p class="hint" id=${`${id}-about`}>
      ${paperWords(param.about)} Default ${written(param, param.default)}${rangeText(param)}.
      <span class="source"> ${paperWords(param.source)}.</span>
      ${
        text !== '' &&
        html`<button class="link" onClick=${() => onChange('')}>
          back to ${written(param, base)}
        </button>`
      }
    </p>
  </div>`
}

function control(props: {
  id: string
  param: Param
  shown: string
  onChange(text: string): void
}): VNode {
  const { id, param, shown, onChange } = props
  const change = (event: Event): void => onChange(valueOf(event))
  if (param.unit === 'boolean' || param.unit === 'choice') {
    const choices = param.unit === 'boolean' ? ['true', 'false'] : param.choices
    return html`<select
      id=${id}
      value=${shown}
      onChange=${change}
      aria-describedby=${`${id}-about`}
    >
      ${choices.map((word) => html`<option value=${word}>${word}</option>`)}
    </select>`
  }
  return html`<input
    id=${id}
    type="text"
    inputmode="text"
    spellcheck="false"
    autocomplete="off"
    value=${shown}
    onChange=${change}
    aria-describedby=${`${id}-about`}
  />`
}

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement).value.trim()
}

/** A parameter with both bounds, which a slider can move between. */
type Slider = NumberParam & { readonly min: number; readonly max: number }

function sliderOf(param: Param): Slider | undefined {
  if (!isNumberParam(param)) return undefined
  const { min, max } = param
  return min === undefined || max === undefined ? undefined : { ...param, min, max }
}

function slid(param: Slider, event: Event): string {
  return written(param, fromSlider(param, valueOf(event)))
}

function rangeText(param: Param): string {
  const slider = sliderOf(param)
  if (slider === undefined) return ''
  return `, from ${written(param, slider.min)} to ${written(param, slider.max)}`
}

const SCALES: Readonly<Record<string, number>> = {
  ...{ ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024 },
  ...{ MiB: 1024 ** 2, GiB: 1024 ** 3, bps: 1, kbps: 1e3, Mbps: 1e6, Gbps: 1e9, Tbps: 1e12 },
}

/** Only for the slider's place: the parser reads the value itself. */
function numberOf(param: Slider, text: string): number {
  const [, digits, unit] = /^([\d.e+-]+)\s*([A-Za-z]*)$/u.exec(text) ?? []
  const value = Number(digits) * (SCALES[unit ?? ''] ?? 1)
  return Number.isFinite(value) ? value : param.default
}

/** Ranges over several orders of magnitude move by factors. */
function isLog({ min, max }: Slider): boolean {
  return max / Math.max(min, max * 1e-6) > 1000
}

function bounds(param: Slider): [number, number] {
  const { min, max } = param
  return isLog(param) ? [Math.max(min, max * 1e-6), max] : [min, max]
}

function toSlider(param: Slider, value: number): number {
  const [min, max] = bounds(param)
  const inside = Math.min(max, Math.max(min, value))
  const part = isLog(param)
    ? Math.log(inside / min) / Math.log(max / min)
    : (inside - min) / (max - min)
  return Math.round(part * SLIDER_STEPS)
}

function fromSlider(param: Slider, text: string): number {
  const part = Number(text) / SLIDER_STEPS
  const [min, max] = bounds(param)
  if (part === 0) return param.min
  const value = isLog(param) ? min * (max / min) ** part : min + (max - min) * part
  const rounded = Number(value.toPrecision(2))
  const isWhole = param.unit === 'count' || param.unit === 'size' || param.unit === 'time'
  const kept = Math.min(max, Math.max(param.min, rounded))
  return isWhole ? Math.round(kept) : kept
}
