/** Why incast collapses, and what DCTCP does about it. */
import type { Story } from './story.ts'

export const incast: Story = { name: 'incast', title: 'x', about: 'y', steps: [{ title: 'a', text: ['b'], scenario: 'incast', schemes: ['none', 'dctcp'] }] }
