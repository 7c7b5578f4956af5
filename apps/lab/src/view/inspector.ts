/**
 * What there is to see at the playhead, as text: the busiest ports and fastest flows of a lane, and
 * everything about the one that is selected. It is also the way to inspect by keyboard.
 */
import { shortSize } from '@weir/engine'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { rateText } from '../model/rate-text.ts'
import type { Recording } from '../model/recording.ts'
import type { Pin, Session } from '../model/session.ts'
import { endedWords } from '../scene/ended.ts'
import { portByName } from '../scene/picture.ts'
import { meanRates } from '../scene/arrived.ts'
import { TOTALS } from '../worker/protocol.ts'
import { html, throttled } from './html.ts'
import type { ShownLane } from './plots.ts'

const SHOWN = 5
const REFRESH_MS = 200

export function Inspector({
  session,
  lanes,
}: {
  session: Session
  lanes: readonly ShownLane[]
}): VNode {
  const [, again] = useState(0)
  useEffect(() => {
    const show = throttled(() => again((n) => n + 1), REFRESH_MS)
    return session.listen('tick', show)
  }, [session])
  return html`<section class="inspector" aria-label="At this moment">
    <h2>At this moment</h2>
    ${lanes.map((lane, i) => html`<${LaneNow} key=${i} lane=${lane} session=${session} />`)}
  </section>`
}

function LaneNow({ lane, session }: { lane: ShownLane; session: Session }): VNode {
  const { recording, title } = lane
  const frame = recording.frameAt(session.playheadPs)
  const ports = busyPorts(recording, frame, session.selected)
  const over = endedWords(recording, session.playheadPs)
  const last = over === '' ? frame : recording.count - 1
  const [drops, marks, pauses] = [0, 1, 2].map((k) =>
    last < 0 ? 0 : recording.totals[last * TOTALS + k]!,
  ) as [number, number, number]
  const flows = fastFlows(recording, frame, session.windowPart)
  return html`<div class="now">
    <h3>${title}${over === '' ? '' : `, ${over}`}</h3>
    <p class="totals">${marks} marked · ${pauses} pause frames · ${drops} lost, so far</p>
    <table>
      <thead>
        <tr>
          <th scope="col">port</th>
          <th scope="col">queue</th>
          <th scope="col">use</th>
          <th scope="col"></th>
        </tr>
      </thead>
      <tbody>
        ${ports.map(
          ({ port, name, queue, use, isPaused }) =>
            html`<tr key=${port} class=${session.selected?.name === name ? 'selected' : ''}>
              <td><${PinButton} session=${session} pin=${{ kind: 'port', name }} /></td>
              <td>${shortSize(queue)}</td>
              <td>${Math.round(use * 100)} %</td>
              <td>${isPaused ? html`<span class="paused">paused</span>` : ''}</td>
            </tr>`,
        )}
        ${emptyRows(ports.length, 4)}
      </tbody>
    </table>
    <table>
      <thead>
        <tr>
          <th scope="col">flow, the slowest last</th>
          <th scope="col">rate</th>
          <th scope="col">size</th>
        </tr>
      </thead>
      <tbody>
        ${flows.map(
          ({ name, rate, size }) =>
            html`<tr key=${name}>
              <td><${PinButton} session=${session} pin=${{ kind: 'flow', name }} /></td>
              <td>${rateText(rate)}</td>
              <td>${size}</td>
            </tr>`,
        )}
        ${emptyRows(flows.length, 3)}
      </tbody>
    </table>
  </div>`
}

/** Rows come and go many times a second: the table keeps its height. */
function emptyRows(used: number, columns: number): VNode[] {
  const cells = Array.from({ length: columns }, () => html`<td> </td>`)
  return Array.from(
    { length: Math.max(0, SHOWN - used) },
    () =>
      html`<tr class="empty" aria-hidden="true">
        ${cells}
      </tr>`,
  )
}

/** Choosing pins its series in the plots; choosing again lets it go. */
function PinButton({ session, pin }: { session: Session; pin: Pin }): VNode {
  const isPinned = session.pins.some(({ name }) => name === pin.name)
  return html`<button
    class="link"
    aria-pressed=${isPinned}
    title=${isPinned ? 'take its series out of the plots' : 'pin its series in the plots'}
    onClick=${() => {
      session.selected = isPinned ? undefined : pin
      session.togglePin(pin)
    }}
  >
    ${isPinned ? '● ' : ''}${pin.name}
  </button>`
}

interface BusyPort {
  readonly port: number
  readonly name: string
  readonly queue: number
  readonly use: number
  readonly isPaused: boolean
}

function busyPorts(recording: Recording, frame: number, selected: Pin | undefined): BusyPort[] {
  if (frame < 0) return []
  const { ports } = recording
  const at = frame * ports
  const card = (port: number): BusyPort => ({
    port,
    name: recording.portName(port),
    queue: recording.queueBytes[at + port]!,
    use: recording.utilisation[at + port]! / 255,
    isPaused: recording.paused[at + port]! > 20,
  })
  const chosen = selected?.kind === 'port' ? portByName(recording, selected.name) : -1
  const busiest = Array.from({ length: ports }, (_, port) => port)
    .filter((port) => port !== chosen && recording.queueBytes[at + port]! > 0)
    .sort((a, b) => recording.queueBytes[at + b]! - recording.queueBytes[at + a]!)
    .slice(0, chosen < 0 ? SHOWN : SHOWN - 1)
  return (chosen < 0 ? busiest : [chosen, ...busiest]).map(card)
}

function fastFlows(
  recording: Recording,
  frame: number,
  part: number,
): { name: string; rate: number; size: string }[] {
  // As in the picture: means, for a single picture is a few packets long.
  const means = meanRates(recording, frame, part)
  const all = Array.from(means, ([row, rate]) => ({ flow: recording.flows[row], rate }))
  all.sort((a, b) => b.rate - a.rate)
  // The slowest of all is there too: it is who congestion control is for.
  if (all.length > SHOWN) all.splice(SHOWN - 1, all.length - SHOWN)
  return all.flatMap(({ flow, rate }) =>
    flow === undefined
      ? []
      : [
          {
            name: flow.name,
            rate,
            size: flow.sizeBytes < Infinity ? shortSize(flow.sizeBytes) : 'no end',
          },
        ],
  )
}
