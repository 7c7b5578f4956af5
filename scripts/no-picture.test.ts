import { expect, it } from 'vitest'
import { noPicture } from './no-picture.ts'

const dim = (line: string): string => `\u001B[2m${line}\u001B[22m\n`
const START = `page.click: Timeout 60000ms exceeded.\nCall log:\n`
const ASKED = dim('  - waiting for locator(`[data-tab=gallery]`)')
const FOUND =
  ASKED +
  dim('    - locator resolved to <button class="tab">Gallery</button>') +
  dim('  - attempting click action') +
  dim('    - waiting for element to be visible, enabled and stable')

it('knows a page that was asked to stand still and gave no picture', () => {
  expect(noPicture.test(START + FOUND)).toBe(true)
})

it('is not what a missing or disabled element, or an assertion, says', () => {
  expect(noPicture.test(START + ASKED)).toBe(false)
  expect(noPicture.test(`${START}${FOUND}${dim('      - element is not enabled')}`)).toBe(false)
  expect(noPicture.test('expected 1 to be 2')).toBe(false)
})
