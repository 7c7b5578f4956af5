import process from 'node:process'
import { expect, it } from 'vitest'
import { whileInterruptible } from './interrupt.ts'

const listeners = (): number[] =>
  (['SIGINT', 'SIGTERM'] as const).map((signal) => process.listenerCount(signal))

it('asks a job to stop, and leaves no handler behind', async () => {
  const before = listeners()
  const isStopped = await whileInterruptible(async (stop) => {
    expect(listeners()).toEqual(before.map((count) => count + 1))
    process.emit('SIGINT')
    return Promise.resolve(stop.aborted)
  })
  expect(isStopped).toBe(true)
  expect(listeners()).toEqual(before)
})

it('leaves a job that may never give the thread back to the system', async () => {
  const before = listeners()
  await whileInterruptible(async () => Promise.resolve(expect(listeners()).toEqual(before)), true)
})
