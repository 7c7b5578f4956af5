/** Every story: a file here and one line. */
import { incast } from './incast.ts'
import type { Story } from './story.ts'

export const stories: readonly Story[] = [incast]
