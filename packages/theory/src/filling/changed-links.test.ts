import { describe, expect, it } from 'vitest'
import { ChangedLinks } from './changed-links.ts'

describe('links that have changed', () => {
  it('are noted once each, in the order of their first change', () => {
    const changed = new ChangedLinks(4)
    changed.isWatched = true
    for (const link of [2, 0, 2, 2, 0]) changed.note(link)
    expect(changed.links).toEqual([2, 0])
  })

  it('are not noted while nobody asks', () => {
    const changed = new ChangedLinks(4)
    changed.note(1)
    expect(changed.links).toEqual([])
    changed.isWatched = true
    changed.note(1)
    expect(changed.links).toEqual([1])
  })

  it('are noted again when they were forgotten', () => {
    const changed = new ChangedLinks(4)
    changed.isWatched = true
    for (const link of [3, 1]) changed.note(link)
    changed.forget()
    expect(changed.links).toEqual([])
    for (const link of [1, 3]) changed.note(link)
    expect(changed.links).toEqual([1, 3])
  })
})
