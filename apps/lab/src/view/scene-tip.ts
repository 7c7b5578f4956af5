/** What is under the pointer in a scene, in words. */
import { shortSize } from '@weir/engine'
import { rateText } from '../model/rate-text.ts'
import type { Recording } from '../model/recording.ts'
import type { Channel } from '../scene/ribbons.ts'
import { levelsOf } from '../scene/tanks.ts'
import { pauseWords } from '../scene/words.ts'

const LISTED = 5

export function portWords(
  recording: Recording,
  port: number,
  frame: number,
  channel: Channel | undefined,
): string[] {
  const { scene, ports, close } = recording
  const rate = scene.rateBps[port]!
  const lines = [`${recording.portName(port)}, ${rateText(rate)}`]
  if (frame < 0) return lines
  const use = recording.utilisation[frame * ports + port]! / 255
  const shares = [...(channel?.ribbons ?? [])].sort((a, b) => b.share - a.share)
  lines.push(`carries ${rateText(use * rate)}, ${Math.round(100 * use)} % of it`)
  for (const { row, share } of shares.filter((one) => one.share > 0).slice(0, LISTED)) {
    lines.push(`${recording.flows[row]?.name ?? row}: ${rateText(share * rate)}`)
  }
  if (shares.length > LISTED) lines.push(`and ${shares.length - LISTED} more flows`)
  const bytes = recording.queueBytes[frame * ports + port]!
  const isHost = scene.nodes[scene.from[port]!]!.kind === 'host'
  const levels = isHost ? [] : levelsOf(recording, port)
  const words = levels.map((level) => `${level.name} ${shortSize(level.bytes)}`)
  if (bytes > 0 || words.length > 0) {
    const what = isHost ? 'in the host' : 'queue'
    lines.push(`${what} ${shortSize(bytes)}${words.length > 0 ? ` (${words.join(', ')})` : ''}`)
  }
  const marked = close?.markedBy(frame, port) ?? 0
  const lost = close?.droppedBy(frame, port) ?? 0
  if (marked + lost > 0) lines.push(`${marked} marked, ${lost} lost so far`)
  if (recording.paused[frame * ports + port]! > 20) lines.push(pauseWords(recording, port, frame))
  return lines
}

export function nodeWords(recording: Recording, node: number, frame: number): string[] {
  const { scene, ports } = recording
  const { kind, name } = scene.nodes[node]!
  const lines = [`${kind} ${name}`]
  if (frame < 0) return lines
  const { rows, rates } = recording.flowsAt(frame)
  if (kind === 'host') {
    rows.forEach((row, k) => {
      const flow = recording.flows[row]
      if (flow === undefined || lines.length > LISTED) return
      const rate = rateText(rates[k]!)
      if (flow.source === name) lines.push(`sends ${flow.name} to ${flow.target}: ${rate}`)
      if (flow.target === name) lines.push(`takes ${flow.name} from ${flow.source}: ${rate}`)
    })
    return lines
  }
  let held = 0
  for (let port = 0; port < ports; port++) {
    if (scene.from[port] === node) held += recording.queueBytes[frame * ports + port]!
  }
  lines.push(`holds ${shortSize(held)} of ${shortSize(scene.bufferBytes)}`)
  return lines
}
