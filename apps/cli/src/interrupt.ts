/**
 * Ctrl-C asks a job to stop and keep what it has; a second Ctrl-C does not ask. The handler stands
 * only while the job runs.
 */
import process from 'node:process'

export async function whileInterruptible<T>(job: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
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
