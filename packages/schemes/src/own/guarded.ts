/**
 * The border between a person's own scheme and the simulator. A rate of NaN, a window below 0 or a
 * timer at NaN would be met thousands of events later as something else; here it is refused in the
 * very statement that sets it, so that the error's stack names the scheme's own line.
 *
 * Numbers that pass are passed on as they are: a guarded scheme runs to the same bytes. It costs an
 * accessor per reaction point, which Weir's own schemes do not pay.
 */
import { CLASSES } from '@weir/fabric'
import { DROP, KEEP, MARK, TRIM } from '@weir/fabric'
import type { ContentionPoint, Control, FlowContext, Marking, NodeContext } from '@weir/fabric'
import type { NotificationPoint, PortContext, ReactionPoint, ReceiverContext } from '@weir/fabric'
import type { Scheme } from '../scheme.ts'
import { OwnSchemeError } from './own-scheme.ts'

export function guarded(scheme: Scheme): Scheme {
  return {
    ...scheme,
    create: (values, context) => guardedControl(scheme, scheme.create(values, context)),
  }
}

function guardedControl(scheme: Scheme, control: Control): Control {
  const { name } = scheme
  for (const key of ['dataHeaderBytes', 'ackHeaderBytes'] as const) {
    check(isSize(control[key]), name, `${key} is ${control[key]}, not a number of bytes`)
  }
  if (control.shared !== undefined) {
    const { everyPs, words } = control.shared
    check(isWhole(words), name, `shared.words is ${words}: whole numbers from 1`)
    check(isWhole(everyPs), name, `shared.everyPs is ${everyPs}: whole picoseconds from 1`)
  }
  return {
    ...control,
    marking: (rateBps) => guardedMarking(name, control.marking(rateBps)),
    reaction: (flow) => {
      guardTimer(name, flow)
      return guardedReaction(name, control.reaction(flow))
    },
    notification: (receiver) => {
      guardReceiverTimer(name, receiver)
      return guardedNotification(name, control.notification(receiver))
    },
    contention: (port) => {
      guardTimer(name, port)
      return guardedContention(scheme, control.contention(port), control.trimmedBytes)
    },
    ...(control.agent !== undefined && {
      agent: (node: NodeContext) => {
        guardTimer(name, node)
        return control.agent?.(node)
      },
    }),
    ...(control.manage === undefined
      ? {}
      : { manage: (change, nowPs) => control.manage?.(change, nowPs) }),
  }
}

function guardedMarking(name: string, marking: Marking | undefined): Marking | undefined {
  if (marking === undefined) return undefined
  const { kminBytes, kmaxBytes, pmax } = marking
  check(
    isSize(kminBytes) && isSize(kmaxBytes) && kminBytes <= kmaxBytes,
    name,
    `it marks from kminBytes ${kminBytes} to kmaxBytes ${kmaxBytes}: both are numbers of bytes, ` +
      `the first not above the second`,
  )
  check(pmax >= 0 && pmax <= 1, name, `it marks with pmax ${pmax}, not a probability`)
  return marking
}

/** What the sender reads of it becomes accessors that refuse what cannot be. */
function guardedReaction(name: string, point: ReactionPoint): ReactionPoint {
  guardNumber(name, point, 'rateBps', (rate) => rate > 0, 'a rate is above 0 bit/s')
  guardNumber(name, point, 'windowBytes', (window) => window >= 0, 'a window is 0 bytes or more')
  guardNumber(name, point, 'quota', (quota) => quota >= 0, 'a quota is 0 packets or more')
  guardNumber(
    name,
    point,
    'packetClass',
    isClass,
    `a class is 0 to ${CLASSES - 1}, or -1 for that of the flow`,
  )
  guardNumber(name, point, 'header', isFinite, 'a header is a number')
  return point
}

/** What it writes into a header is a number. */
function guardedNotification(
  name: string,
  point: NotificationPoint | undefined,
): NotificationPoint | undefined {
  if (point === undefined) return undefined
  const onReceived = point.onReceived.bind(point)
  point.onReceived = (packet, nowPs) => {
    onReceived(packet, nowPs)
    const { header } = packet
    if (!Number.isFinite(header)) refuse(name, `header is set to ${header}: a header is a number`)
  }
  return point
}

/** A verdict that is none would let the packet in, and one of TRIM leave nothing of it. */
function guardedContention(
  { name, needs }: Scheme,
  point: ContentionPoint | undefined,
  trimmedBytes: number = 0,
): ContentionPoint | undefined {
  if (point?.admits !== true) return point
  check(
    needs.includes('verdicts'),
    name,
    "its contention points judge packets (admits), and needs does not name 'verdicts'",
  )
  const admit = point.admit.bind(point)
  point.admit = (packet, queueBytes, nowPs) => {
    const verdict = admit(packet, queueBytes, nowPs)
    if (verdict === TRIM && !(trimmedBytes >= 1)) {
      refuse(name, `admit answers TRIM, and trimmedBytes is ${trimmedBytes}: a header has bytes`)
    }
    if (VERDICTS.includes(verdict)) return verdict
    refuse(name, `admit answers ${String(verdict)}: a verdict is KEEP, MARK, TRIM or DROP`)
  }
  return point
}

const VERDICTS: readonly unknown[] = [KEEP, MARK, TRIM, DROP]

function guardNumber(
  name: string,
  point: ReactionPoint,
  key: 'rateBps' | 'windowBytes' | 'quota' | 'packetClass' | 'header',
  isRight: (value: number) => boolean,
  rule: string,
): void {
  let held = point[key]
  const sentence = (value: unknown): string => `${key} is set to ${String(value)}: ${rule}`
  check(typeof held === 'number' && isRight(held), name, sentence(held))
  Object.defineProperty(point, key, {
    enumerable: true,
    get: () => held,
    set: (value: number) => {
      if (typeof value !== 'number' || !isRight(value)) refuse(name, sentence(value))
      held = value
    },
  })
}

/** A timer that is set for the same time so often stands still with the clock. */
const SAME_TIME_MAX = 1_000_000

function guardTimer(name: string, context: FlowContext | NodeContext | PortContext): void {
  const setTimer = context.setTimer.bind(context)
  let lastPs = NaN
  let times = 0
  Object.defineProperty(context, 'setTimer', {
    configurable: true,
    value: (which: number, atPs: number): void => {
      if (!(atPs >= 0)) refuse(name, `timer ${which} is set to ${atPs} ps: a time is 0 or more`)
      times = atPs === lastPs ? times + 1 : 0
      lastPs = atPs
      if (times > SAME_TIME_MAX) {
        refuse(name, `timer ${which} was set to ${atPs} ps a million times: time stands still`)
      }
      setTimer(which, atPs)
    },
  })
}

function guardReceiverTimer(name: string, context: ReceiverContext): void {
  const setTimer = context.setTimer.bind(context)
  Object.defineProperty(context, 'setTimer', {
    configurable: true,
    value: (atPs: number): void => {
      if (!(atPs >= 0)) refuse(name, `the timer is set to ${atPs} ps: a time is 0 or more`)
      setTimer(atPs)
    },
  })
}

function isClass(value: number): boolean {
  return Number.isInteger(value) && value >= -1 && value < CLASSES
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

function isSize(value: number): boolean {
  return value >= 0 && value < Infinity
}

function check(isRight: boolean, name: string, sentence: string): void {
  if (!isRight) refuse(name, sentence)
}

function refuse(name: string, sentence: string): never {
  throw new OwnSchemeError(`the scheme '${name}': ${sentence}.`)
}
