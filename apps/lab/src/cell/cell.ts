/**
 * The script of cell.html: the sandboxed frame in which a user's own scheme runs. A sandboxed frame
 * is a process of its own in today's browsers, so a scheme that uses up its memory ends this frame
 * and not the page. It takes the worker's source from the page and passes messages on.
 */
let worker: Worker | undefined

addEventListener('message', (event: MessageEvent) => {
  if (event.source !== parent) return
  const { source, start } = event.data as { source: string; start: unknown }
  if (typeof source !== 'string' || worker !== undefined) return
  worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
  worker.onmessage = (message: MessageEvent): void => parent.postMessage(message.data, '*')
  worker.onerror = (error): void => {
    const sentence = `the scheme's worker failed: ${error.message}`
    parent.postMessage({ type: 'failed', sentence, cause: 'scheme' }, '*')
  }
  worker.postMessage(start)
})
parent.postMessage({ type: 'cell-ready' }, '*')
