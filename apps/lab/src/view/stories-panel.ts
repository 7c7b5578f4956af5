/** Guided stories: the text on the left, the experiment of the step in the middle. */
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { storyExperiment } from '../model/story-experiment.ts'
import { stories } from '../stories/index.ts'
import type { Story } from '../stories/story.ts'
import { html } from './html.ts'

interface StoriesProps {
  readonly story: string
  readonly step: number
  go(story: string, step: number): void
}

export function StoriesPanel({ story, step, go }: StoriesProps): VNode {
  const chosen = stories.find(({ name }) => name === story)
  if (chosen === undefined) {
    return html`<section class="stories" aria-label="Stories">
      <h2>Stories</h2>
      <p class="hint">Each a few steps, with the simulation beside the text.</p>
      <ul class="cards">
        ${stories.map(
          ({ name, title, about }) =>
            html`<li>
              <button class="card" onClick=${() => go(name, 0)} data-story=${name}>
                <strong>${title}</strong><span>${about}</span>
              </button>
            </li>`,
        )}
      </ul>
    </section>`
  }
  return html`<${Telling} story=${chosen} step=${step} go=${go} />`
}

function Telling({
  story,
  step,
  go,
}: {
  story: Story
  step: number
  go: StoriesProps['go']
}): VNode {
  const at = Math.min(Math.max(0, step), story.steps.length - 1)
  const { title, text } = story.steps[at]!
  const { missing } = storyExperiment(story.steps[at]!)
  const isLast = at === story.steps.length - 1
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [story.name, at])
  return html`<section class="story" aria-label=${story.title}>
    <button class="link" onClick=${() => go('', 0)}>All stories</button>
    <p class="hint">${story.title}: step ${at + 1} of ${story.steps.length}</p>
    <h2 tabindex="-1" ref=${heading} id="story-step">${title}</h2>
    ${text.map((paragraph) => html`<p>${setOff(paragraph)}</p>`)}
    ${
      missing.length > 0 &&
      html`<p class="warning">Not in this lab yet, and left out: ${missing.join(', ')}.</p>`
    }
    <div class="row">
      <button disabled=${at === 0} onClick=${() => go(story.name, at - 1)}>Back</button>
      <button
        class="primary"
        id="story-next"
        onClick=${() => (isLast ? go('', 0) : go(story.name, at + 1))}
      >
        ${isLast ? 'Done' : 'Next'}
      </button>
    </div>
  </section>`
}

/** `*words*` are set off. */
function setOff(text: string): (VNode | string)[] {
  return text.split('*').map((part, i) => (i % 2 === 1 ? html`<em>${part}</em>` : part))
}
