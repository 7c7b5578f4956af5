import { expect, it } from 'vitest'
import { readScenario, settingTexts } from './scenario.ts'

it('applies --set last, and --preset after a scheme that --set names', () => {
  const texts = settingTexts({
    preset: 'searched',
    seed: 2,
    set: ['run.until=1ms', 'scheme=infiniband', 'scheme.params.threshold=3'],
  })
  expect(texts).toEqual([
    'scheme=infiniband',
    'scheme.preset=searched',
    'seed=2',
    'run.until=1ms',
    'scheme.params.threshold=3',
  ])
})

it('does not read a folder, nor a device, which may have no end', async () => {
  await expect(readScenario('/dev')).rejects.toThrow("'/dev' is a folder, not a file.")
  await expect(readScenario('/dev/zero')).rejects.toThrow("'/dev/zero' is a device, not a file.")
})
