/** The words in a picture: who pauses whom, losses, deadlock. */
import { shortSize, shortTime } from '@weir/engine'
import type { Recording } from '../model/recording.ts'
import { bestBow, distanceToBow, drawBow, rectOf, toBow } from './bow.ts'
import type { Bow, Point } from './bow.ts'
import { drawOutline, PAUSED_LEAST } from './channels.ts'
import { meets, obstaclesOf, placeOf, UPRIGHT } from './free-place.ts'
import type { Rect, Steps } from './free-place.ts'
import { linkCover } from './link-cover.ts'
import { PAUSE_BACK } from './palette.ts'
import { takenBy } from './notes.ts'
import type { ClosePicture } from './picture.ts'
import { LOSS_FONT, lossesOf } from './losses.ts'
import { say } from './say.ts'
import type { Wires } from './wires.ts'

const SAID_MAX = 3
const NARROW_PX = 600

/** The output of a switch whose queue is longest: for which it stops those who fill it. */
export function deepestOutput(
  { scene, queueBytes, ports }: Recording,
  node: number,
  frame: number,
): number {
  let deepest = -1
  let most = 0
  for (let port = 0; port < ports; port++) {
    const bytes = queueBytes[frame * ports + port]!
    if (scene.from[port] !== node || bytes <= most) continue
    most = bytes
    deepest = port
  }
  return deepest
}

export function pauseWords(recording: Recording, port: number, frame: number): string {
  const { scene } = recording
  const [from, to] = [scene.nodes[scene.from[port]!]!, scene.nodes[scene.to[port]!]!]
  const deepest = to.kind === 'host' ? -1 : deepestOutput(recording, scene.to[port]!, frame)
  if (scene.flowControl === 'credits') {
    const why = deepest < 0 ? '' : `: it waits for ${scene.nodes[scene.to[deepest]!]!.name}`
    return `${to.name} has no room for ${from.name}${why}`
  }
  if (scene.flowControl === 'per-flow') return `${to.name} takes no more of ${from.name}'s flows`
  if (deepest < 0) return `${to.name} pauses ${from.name}`
  const bytes = recording.queueBytes[frame * recording.ports + deepest]!
  const target = scene.nodes[scene.to[deepest]!]!.name
  return `${to.name} pauses ${from.name}: ${shortSize(bytes)} wait for ${target}`
}

/** Beside an arrow, which says who and whom. */
function briefest({ scene }: Recording): string {
  if (scene.flowControl === 'credits') return 'no room'
  return scene.flowControl === 'per-flow' ? 'no more' : 'pauses'
}

/**
 * One sentence for each node that keeps others from sending: over the link where it is seen best,
 * or over its box if there are many. First those who wait for nobody: there it began.
 */
export function drawPauses(picture: ClosePicture): void {
  const { context, recording } = picture
  const { scene } = recording
  const isSwitch = (port: number): boolean => scene.nodes[scene.from[port]!]!.kind === 'switch'
  const taken = [...obstaclesOf(picture), ...picture.notes.flatMap(takenBy), ...lossesOf(picture)]
  context.font = 'bold 11.5px system-ui, sans-serif'
  context.textBaseline = 'middle'
  const said = pausers(picture).slice(0, SAID_MAX)
  // All arrows first: words keep off those of others too.
  const bows = said.map(([, ports]) => {
    if (ports.length > 3) return undefined
    const ofSwitches = ports.filter(isSwitch)
    const bow = bestBow(picture, ofSwitches.length > 0 ? ofSwitches : ports, taken)
    drawBow(picture, bow)
    taken.push(rectOf(bow))
    return bow
  })
  said.forEach(([node, ports], k) => {
    const bow = bows[k]
    if (bow === undefined) saysAll(picture, node, ports, taken)
    else {
      const others = bows.filter((one): one is Bow => one !== undefined && one !== bow)
      saysOne(picture, { bow, others, isBrief: k > 0 && picture.width < NARROW_PX }, taken)
    }
  })
}

const SENTENCE_PX = 14
const WIDTH_STEP = 16

/** Words farther from their arrow would stand beside another's. */
const NEAR_PX = 26
/** And so much nearer to it than to any other. */
const NEARER_PX = 10

interface Saying {
  readonly lines: readonly string[]
  /** Where its middle is wanted; without an arrow. */
  readonly at?: Point
  /** Says nothing farther from its arrow. */
  readonly isOnlyNear?: boolean
}

interface Placed {
  readonly lines: readonly string[]
  readonly rect: Rect
  readonly unmet: number
  readonly apart: number
}

interface Arrow {
  readonly bow: Bow
  readonly others: readonly Bow[]
}

/** Says it beside its arrow, or as near to it as there is room; the first that fits. */
function sayApart(
  picture: ClosePicture,
  sayings: readonly Saying[],
  taken: Rect[],
  arrow?: Arrow,
): void {
  let best: Placed | undefined
  for (const saying of sayings) {
    const one = placed(picture, saying, taken, arrow)
    if (one.unmet === 0 && one.apart <= NEAR_PX) {
      best = one
      break
    }
    if (saying.isOnlyNear === true) continue
    const isLess = best !== undefined && one.unmet === best.unmet && one.apart < best.apart
    if (best === undefined || one.unmet < best.unmet || isLess) best = one
  }
  const { lines, rect } = best!
  taken.push(rect)
  lines.forEach((line, i) =>
    say(picture, line, rect.x + rect.w / 2, rect.y + SENTENCE_PX * (i + 0.5), picture.ink.pause),
  )
}

function placed(
  picture: ClosePicture,
  { lines, at }: Saying,
  taken: Rect[],
  arrow: Arrow | undefined,
): Placed {
  const cover = linkCover(picture)
  const widest = Math.max(...lines.map((line) => picture.context.measureText(line).width))
  // In steps, so that a number which grows does not make the words jump.
  const w = Math.ceil((widest + 8) / WIDTH_STEP) * WIDTH_STEP
  const h = SENTENCE_PX * lines.length
  if (arrow === undefined) {
    const wanted = { x: at!.x - w / 2, y: at!.y - h / 2, w, h }
    const { rect, unmet } = placeOf(wanted, taken, picture, [(one) => !cover.isUnder(one)], UPRIGHT)
    return { lines, rect, unmet, apart: 0 }
  }
  const { top, out } = arrow.bow
  // Beside the arrow, on the side that it bows to.
  const middle = { x: top.x + out.x * (w / 2 + 4), y: top.y + out.y * (h / 2 + 4) }
  const wanted = { x: middle.x - w / 2, y: middle.y - h / 2, w, h }
  const apartOf = (rect: Rect): number => distanceToBow(rect, arrow.bow)
  const own = rectOf(arrow.bow)
  const wishes = [
    // Nothing lies between words and their arrow.
    (rect: Rect): boolean => {
      const { from, to } = toBow(rect, arrow.bow)
      return [0.25, 0.5, 0.75].every((part) => {
        const at = { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }
        const spot = { x: at.x - 1, y: at.y - 1, w: 2, h: 2 }
        return meets(own, spot) || !(cover.isUnder(spot) || taken.some((one) => meets(one, spot)))
      })
    },
    (rect: Rect): boolean => !cover.isUnder(rect),
    // Words are of the arrow that they are nearest to.
    (rect: Rect): boolean =>
      arrow.others.every((one) => distanceToBow(rect, one) > apartOf(rect) + NEARER_PX),
  ]
  const { rect, unmet } = placeOf(wanted, taken, picture, wishes, stepsTo(picture, wanted, arrow))
  return { lines, rect, unmet, apart: apartOf(rect) }
}

const known = new WeakMap<Wires, Map<string, Steps>>()

/** Places by how near they are to the arrow; reckoned once for a layout. */
function stepsTo({ wires }: ClosePicture, wanted: Rect, { bow }: Arrow): Steps {
  const ofLayout = known.get(wires) ?? new Map<string, Steps>()
  known.set(wires, ofLayout)
  const key = [bow.port, bow.out.x, bow.out.y, wanted.w, wanted.h].join(' ')
  const before = ofLayout.get(key)
  if (before !== undefined) return before
  const far = ([dx, dy]: readonly [number, number]): number => {
    const rect = { ...wanted, x: wanted.x + dx, y: wanted.y + dy }
    return distanceToBow(rect, bow) + Math.hypot(dx, dy) / 100
  }
  const all = UPRIGHT.map((step) => ({ step, far: far(step) }))
  const steps = all.sort((a, b) => a.far - b.far).map(({ step }) => step)
  ofLayout.set(key, steps)
  return steps
}

/** A sentence on two lines: after its colon, or near its middle. */
function inTwo(text: string): string[] {
  const spaces = [...text.matchAll(/ /gu)].map(({ index }) => index)
  const [middle, colon] = [text.length / 2, text.indexOf(': ') + 1]
  const nearest = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0]
  const at = colon > 0 ? colon : nearest
  return at === undefined ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** What the picture says, for those who do not see it. */
export function saidOf(picture: ClosePicture): string {
  const { deadlock, playheadPs, recording, frame } = picture
  if (deadlock !== undefined && playheadPs >= deadlock.seenPs) {
    const names = deadlock.ports.map((port) => recording.portName(port)).join(', ')
    return `DEADLOCK since ${shortTime(deadlock.sincePs)}: ${names}, each waits for the next`
  }
  const said = pausers(picture).slice(0, SAID_MAX)
  return said.map(([, ports]) => pauseWords(recording, ports[0]!, frame)).join('; ')
}

/** Nodes that keep others from sending, and which; first those who wait for nobody. */
function pausers({ recording, channels, frame }: ClosePicture): [number, number[]][] {
  if (frame < 0) return []
  const { scene } = recording
  const byNode = new Map<number, number[]>()
  // A port that waits for credits between packets waits a little, again and again.
  const least = scene.flowControl === 'credits' ? PAUSED_LEAST : 0.3
  channels.forEach(({ paused, waiting }, port) => {
    if (paused < least || waiting.length === 0) return
    const node = scene.to[port]!
    byNode.set(node, [...(byNode.get(node) ?? []), port])
  })
  const waits = (node: number): number => {
    const deepest = deepestOutput(recording, node, frame)
    return deepest < 0 ? 0 : channels[deepest]!.paused
  }
  return [...byNode].sort((a, b) => waits(a[0]) - waits(b[0]))
}

function saysAll(
  picture: ClosePicture,
  node: number,
  ports: readonly number[],
  taken: Rect[],
): void {
  const { recording, layout, frame } = picture
  const words = pauseWords(recording, ports[0]!, frame)
  const one = recording.scene.nodes[recording.scene.from[ports[0]!]!]!.name
  const text = words.replace(` ${one}`, ` ${ports.length} senders`)
  const above = layout.y[node]! - boxHeight(picture, node) / 2 - 24
  const y = picture.width < NARROW_PX ? 16 : above
  sayApart(picture, [{ lines: [text], at: { x: layout.x[node]!, y } }], taken)
}

function boxHeight({ tanks, recording }: ClosePicture, node: number): number {
  const own = tanks.find(({ port }) => recording.scene.from[port] === node)
  return own === undefined ? 24 : own.h + 20
}

/**
 * On two lines where one has no room beside its arrow, then without the why, then in a word or two.
 * `isBrief`: without the why.
 */
function saysOne(
  picture: ClosePicture,
  { isBrief, ...arrow }: Arrow & { readonly isBrief: boolean },
  taken: Rect[],
): void {
  const { recording, frame } = picture
  const text = pauseWords(recording, arrow.bow.port, frame)
  const brief = text.replace(/: .*/u, '')
  const forms = [...(isBrief ? [] : [text]), brief].flatMap((one) => [[one], inTwo(one)])
  const last = { lines: [briefest(recording)], isOnlyNear: true }
  sayApart(picture, [...forms.map((lines) => ({ lines })), last], taken, arrow)
}

export function drawLosses(picture: ClosePicture): void {
  const losses = lossesOf(picture)
  picture.context.textBaseline = 'middle'
  picture.context.font = LOSS_FONT
  for (const { text, x, y, h } of losses) {
    say(picture, text, x, y + h / 2, picture.ink.loss, 'left')
  }
}

/** The closed cycle, under the switches that it leads through. */
export function drawOutlined(picture: ClosePicture): void {
  const { deadlock, playheadPs } = picture
  if (deadlock === undefined || playheadPs < deadlock.seenPs) return
  drawOutline(picture, deadlock.ports)
}

export function drawDeadlock(picture: ClosePicture): void {
  const { context, deadlock, playheadPs, recording, layout } = picture
  if (deadlock === undefined || playheadPs < deadlock.seenPs) return
  const nodes = [...new Set(deadlock.ports.map((port) => recording.scene.from[port]!))]
  const x = nodes.reduce((sum, node) => sum + layout.x[node]!, 0) / nodes.length
  const y = nodes.reduce((sum, node) => sum + layout.y[node]!, 0) / nodes.length
  // Between the switches, or only the word.
  const apart = Math.min(...nodes.map((node) => Math.abs(layout.y[node]! - y)))
  const half = apart - Math.max(0, ...nodes.map((node) => boxHeight(picture, node) / 2))
  const isTight = half < 34
  context.fillStyle = PAUSE_BACK
  context.beginPath()
  if (isTight) context.roundRect(x - 46, y - 10, 92, 20, 6)
  else context.roundRect(x - 92, y - 29, 184, 58, 7)
  context.fill()
  context.fillStyle = '#fff'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.font = `bold ${isTight ? 13 : 16}px system-ui, sans-serif`
  context.fillText('DEADLOCK', x, isTight ? y : y - 14)
  if (isTight) return
  context.font = '11.5px system-ui, sans-serif'
  context.fillText('each waits for the next;', x, y + 4)
  context.fillText(`nothing moves since ${shortTime(deadlock.sincePs)}`, x, y + 18)
}
