/**
 * A run seen from the page: started, listened to, ended. Registered schemes run in a plain worker;
 * a user's own runs in a worker inside a sandboxed frame, which has no network and a process of its
 * own. A watchdog ends a run that has stopped answering and says so.
 *
 * The worker's source is a string in a chunk of the page: a worker made from a blob inherits the
 * page's content security policy, wherever the page is served from.
 */
import { checkFromRun } from '../worker/protocol.ts'
import type { FromRun, StartRun } from '../worker/protocol.ts'

/** A run that says nothing for so long is ended: a slice takes some tens of milliseconds. */
const SILENCE_OWN_MS = 4000
const SILENCE_MS = 60_000
const CHECK_MS = 250

export interface Runner {
  end(): void
}

type Listener = (message: FromRun) => void

export function startRunner(start: StartRun, listener: Listener): Runner {
  const isOwn = start.ownScheme !== ''
  let ports = 0
  let isEnded = false
  let hasBegun = false
  let heardMs = performance.now()
  let stop: (isDone: boolean) => void = () => undefined

  const end = (isDone: boolean = false): void => {
    if (isEnded) return
    isEnded = true
    clearInterval(watchdog)
    stop(isDone)
  }
  const fail = (sentence: string, cause: 'spec' | 'scheme' | 'weir'): void => {
    if (isEnded) return
    end()
    listener({ type: 'failed', sentence, cause })
  }
  let simulatedPs = -1
  const hear = (data: unknown): void => {
    if (isEnded) return
    try {
      const message = checkFromRun(data, ports)
      // Words alone are no sign of life: the run must begin once, and then time must go on.
      const isAhead = message.type === 'frames' && message.nowPs > simulatedPs
      if (!hasBegun || isAhead) heardMs = performance.now()
      if (isAhead) simulatedPs = message.nowPs
      hasBegun = true
      if (message.type === 'scene') ports = message.from.length
      if (message.type === 'done' || message.type === 'failed') end(message.type === 'done')
      listener(message)
    } catch (error) {
      fail(`the run sent ${error instanceof Error ? error.message : 'nonsense'}`, 'scheme')
    }
  }
  const watchdog = setInterval(() => {
    // A page in the background is throttled, and so are its workers' messages.
    if (document.hidden) heardMs = performance.now()
    const isStrict = isOwn && hasBegun
    if (performance.now() - heardMs < (isStrict ? SILENCE_OWN_MS : SILENCE_MS)) return
    if (!isStrict) return fail('the run does not answer and was ended', 'weir')
    fail(
      'the scheme has stopped answering for 4 s and was ended: it loops for ever, or it has used ' +
        'up its memory',
      'scheme',
    )
  }, CHECK_MS)

  void import('./worker-source.ts').then(
    ({ workerSource }) => {
      if (isEnded) return
      heardMs = performance.now()
      stop = isOwn ? inCell(workerSource, start, hear) : inWorker(workerSource, start, hear, fail)
    },
    (error: unknown) => fail(`the simulator could not be loaded: ${String(error)}`, 'weir'),
  )
  return { end: () => end() }
}

/** Workers whose run is over: the next one finds its code compiled. */
const idle: Worker[] = []
const IDLE_MAX = 4

function inWorker(
  source: string,
  start: StartRun,
  hear: (data: unknown) => void,
  fail: (sentence: string, cause: 'weir') => void,
): (isDone: boolean) => void {
  const worker = idle.pop() ?? newWorker(source)
  worker.onmessage = (event: MessageEvent): void => hear(event.data)
  worker.onerror = (event): void => fail(`the simulator failed: ${event.message}`, 'weir')
  worker.postMessage(start)
  return (isDone) => {
    worker.onmessage = worker.onerror = null
    if (isDone && idle.length < IDLE_MAX) idle.push(worker)
    else worker.terminate()
  }
}

function newWorker(source: string): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(url)
  URL.revokeObjectURL(url)
  return worker
}

function inCell(source: string, start: StartRun, hear: (data: unknown) => void): () => void {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = 'the sandbox of your own scheme'
  frame.hidden = true
  frame.src = new URL('cell.html', document.baseURI).href
  const onMessage = (event: MessageEvent): void => {
    if (event.source !== frame.contentWindow) return
    const isReady = (event.data as { type?: unknown } | null)?.type === 'cell-ready'
    if (isReady) frame.contentWindow?.postMessage({ source, start }, '*')
    else hear(event.data)
  }
  addEventListener('message', onMessage)
  document.body.append(frame)
  return () => {
    removeEventListener('message', onMessage)
    frame.remove()
  }
}
