/** What a person chooses of how a run is shown, beside the picture and the plots. */
import { shortSize, shortTime } from '@weir/engine'
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Session } from '../model/session.ts'
import { inputRoom } from '../scene/input-parts.ts'
import { PAUSE_COLOUR } from '../scene/palette.ts'
import { racksIn } from '../scene/racks.ts'
import { shownLevels } from '../scene/tanks.ts'
import type { ChartData } from './chart.ts'
import { dotsStyle } from './end-labels.ts'
import { html } from './html.ts'

/** Parts of a run that rates are means of: at each moment of the part that ends there. */
const WINDOWS = [1 / 15, 1 / 60, 1 / 160, 1 / 640]

interface OfSession {
  readonly session: Session
}

interface SelectProps {
  readonly id: string
  readonly label: string
  readonly value: string
  /** Values and what they are called. */
  readonly options: readonly (readonly [value: string, text: string])[]
  choose(value: string): void
}

function Select({ id, label, value, options, choose }: SelectProps): VNode {
  return html`<label class="inside"
    >${label}
    <select
      id=${id}
      value=${value}
      onChange=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
    >
      ${options.map(([one, text]) => html`<option value=${one}>${text}</option>`)}
    </select></label
  >`
}

interface CheckProps {
  readonly id: string
  readonly label: string
  readonly isOn: boolean
  turn(isOn: boolean): void
}

function Check({ id, label, isOn, turn }: CheckProps): VNode {
  return html`<label class="choice"
    ><input
      type="checkbox"
      id=${id}
      checked=${isOn}
      onChange=${(event: Event) => turn((event.target as HTMLInputElement).checked)}
    />
    ${label}</label
  >`
}

export function WindowChoice({ session }: OfSession): VNode {
  return html`<${Select}
    id="window"
    label="Mean of the last"
    value=${String(session.windowPart)}
    options=${WINDOWS.map((part) => [String(part), shortTime(part * session.endPs)])}
    choose=${(value: string) => session.show({ windowPart: Number(value) })}
  />`
}

const TOTALS = { fits: undefined, shown: true, hidden: false } as const

export function TotalChoice({ session }: OfSession): VNode {
  const { hasTotal } = session
  return html`<${Select}
    id="total"
    label="Total, link"
    value=${hasTotal === undefined ? 'fits' : hasTotal ? 'shown' : 'hidden'}
    options=${[
      ['fits', 'if they fit'],
      ['shown', 'shown'],
      ['hidden', 'hidden'],
    ]}
    choose=${(value: keyof typeof TOTALS) => session.show({ hasTotal: TOTALS[value] })}
  />`
}

/** What dots mean, where there are any. */
export function ComputedKey(props: { readonly charts: readonly ChartData[] }): VNode | undefined {
  const hasAny = props.charts.some(({ lines, guides = [] }) =>
    [...lines, ...guides].some(({ isComputed }) => isComputed === true),
  )
  if (!hasAny) return undefined
  return html`<span class="computed" title="By a rule or by equations: not measured"
    ><span class="key" style=${dotsStyle('var(--ink)')} aria-hidden="true"></span>dots:
    computed</span
  >`
}

/** What bands mean, where there are any. */
export function BandKey(props: { readonly charts: readonly ChartData[] }): VNode | undefined {
  const bands = props.charts.flatMap(({ lines }) => lines.filter(({ low }) => low !== undefined))
  if (bands.length === 0) return undefined
  return html`<span
    class="computed"
    title="In the time that a mean is of: of its pictures, each a moment long"
    ><span class="key band-key" aria-hidden="true"></span>band: least to most</span
  >`
}

export function LaneChoice({ session }: OfSession): VNode {
  return html`<${Check}
    id="overlay"
    label="lanes over each other"
    isOn=${session.isOverlaid}
    turn=${(isOverlaid: boolean) => session.show({ isOverlaid })}
  />`
}

export function InsideChoice(
  props: OfSession & { readonly variables: readonly string[] },
): VNode | undefined {
  const { session, variables } = props
  if (variables.length === 0) return undefined
  return html`<${Select}
    id="inside"
    label="Inside the scheme"
    value=${variables.includes(session.inside) ? session.inside : variables[0]}
    options=${variables.map((name) => [name, name])}
    choose=${(inside: string) => session.show({ inside })}
  />`
}

export function Legend({ isClose, session }: OfSession & { readonly isClose: boolean }): VNode {
  return html`<div class="scene-legend">
    <${Keys} isClose=${isClose} session=${session} />
    ${
      isClose
        ? html`<${Check}
            id="packets"
            label="show single packets"
            isOn=${session.hasPackets}
            turn=${(hasPackets: boolean) => session.show({ hasPackets })}
          />`
        : html`<${RackChoice} session=${session} />`
    }
  </div>`
}

function useRackNames(session: Session): readonly string[] {
  const scene = session.shown[0]?.recording.scene
  return useMemo(
    () => (scene === undefined ? [] : racksIn(scene).map(({ node }) => scene.nodes[node]!.name)),
    [scene],
  )
}

/** The way to open a rack by keyboard. */
function RackChoice({ session }: OfSession): VNode | undefined {
  const names = useRackNames(session)
  if (names.length === 0) return undefined
  return html`<${Select}
    id="rack"
    label="Open rack"
    value=${session.openRack}
    options=${[['', 'none'], ...names.map((name) => [name, name])]}
    choose=${(openRack: string) => session.show({ openRack })}
  />`
}

/** What the dashes in a tank stand at. */
function Levels({ session }: OfSession): VNode | undefined {
  const levels = shownLevels(session.shown.map(({ recording }) => recording))
  if (levels.length === 0) return undefined
  const said = (some: typeof levels): string =>
    some.map(({ name, bytes }) => `${name} ${shortSize(bytes)}`).join(', ')
  // As in the tanks: what a pause begins at has its colour.
  const kinds = [levels.filter(isXoff), levels.filter((level) => !isXoff(level))]
  return html`<span class="levels"
    >${kinds
      .filter((some) => some.length > 0)
      .map((some) => {
        const colour = isXoff(some[0]!) ? { borderColor: PAUSE_COLOUR } : {}
        return html`<span><span class="level-key" style=${colour}></span>${said(some)}</span>`
      })}</span
  >`
}

const isXoff = ({ name }: { readonly name: string }): boolean => name === 'XOFF'

/** What a pause looks like, where somebody can be paused. */
function PauseKey({ session }: OfSession): VNode | undefined {
  if (session.shown.every(({ recording }) => recording.scene.flowControl === 'none'))
    return undefined
  return html`<span><span class="hatch-key"></span>paused, no credits</span>`
}

/** What stands beside a tank whose switch stops a sender. */
function StoppedKey({ session }: OfSession): VNode | undefined {
  const lanes = session.shown.filter((lane) => Number.isFinite(inputRoom(lane)))
  if (lanes.length === 0) return undefined
  // XOFF stands among the levels.
  const withCredits = lanes.filter(({ recording }) => recording.scene.flowControl === 'credits')
  const rooms = [...new Set(withCredits.map((lane) => shortSize(inputRoom(lane))))].join(' or ')
  const what = rooms === '' ? 'stopped input' : `room of an input ${rooms}`
  return html`<span><span class="part-key"></span>${what}</span>`
}

/** Servers of a torus stand in no rack's strip. */
function RackKey({ session }: OfSession): VNode | undefined {
  if (useRackNames(session).length === 0) return undefined
  return html`<span><span class="strip-key"></span>a rack: sends above, receives below</span>`
}

function Keys({ isClose, session }: OfSession & { readonly isClose: boolean }): VNode {
  return html`<p class="keys" aria-hidden="true">
    ${
      isClose
        ? html`<span
              ><span class="channel-key"><i></i><i></i></span>a link, a ribbon per flow</span
            >
            <span><span class="tank-key"></span>queue by flow</span>
            <${Levels} session=${session} />
            <${StoppedKey} session=${session} />
            <${PauseKey} session=${session} />
            <span><span class="control-key"></span>ACKs, control</span>`
        : html`<span><span class="scale"></span>idle to full link</span>
            <${RackKey} session=${session} />
            <span><span class="queue-key"></span>queue, at the end that sends</span>
            <span><span class="pause-key">‖</span>kept from sending (pause or no credits)</span>
            <span><span class="dots-key">•••</span>flows</span>`
    }
  </p>`
}
