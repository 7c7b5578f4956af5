import { expect, it } from 'vitest'
import { settingTexts } from './scenario.ts'

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
