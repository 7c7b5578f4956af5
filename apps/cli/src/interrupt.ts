/**
 * Ctrl-C asks a job to stop and keep what it has; a second Ctrl-C does not ask. The handler stands
 * only while the job runs. A job that may never give this thread back (a scheme of one's own that
 * loops) has no handler: the system ends it.
 */
import process from 'node:process'

export async function whileInterruptible<T>(
  job: (stop: AbortSignal) => Promise<T>,
  mayHang: boolean = false,
): Promise<T> {
  const controller = new AbortController()
  if (mayHang) return job(controller.signal)
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    return await job(controller.signal)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}
