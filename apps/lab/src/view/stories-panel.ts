/** Guided stories: the text on the left, the experiment of the step in the middle. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { storyExperiment, withUnits } from '../model/story-experiment.ts'
import { stories } from '../stories/index.ts'
import type { Question, Story } from '../stories/story.ts'
import { html } from './html.ts'

interface StoriesProps {
  readonly story: string
  readonly step: number
  go(story: string, step: number): void
  /** A guess was made: time may go on. */
  answer(): void
}

type TellingProps = Omit<StoriesProps, 'story'> & { readonly story: Story }

export function StoriesPanel({ story, step, go, answer }: StoriesProps): VNode {
  const chosen = stories.find(({ name }) => name === story)
  if (chosen === undefined) {
    return html`<section class="stories" aria-label="Stories">
      <h2>Stories</h2>
      <p class="hint">
        Each asks, lets you guess, and lets the network answer. Nothing needs to be known first:
        begin with the walk from TCP.
      </p>
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
  return html`<${Telling} story=${chosen} step=${step} go=${go} answer=${answer} />`
}

function Telling({ story, step, go, answer }: TellingProps): VNode {
  const at = Math.min(Math.max(0, step), story.steps.length - 1)
  const shown = story.steps[at]!
  const { ask } = shown
  const { missing } = storyExperiment(shown)
  const isLast = at === story.steps.length - 1
  const heading = useRef<HTMLHeadingElement>(null)
  const [guess, setGuess] = useState<{ at: string; choice: number } | undefined>(undefined)
  const here = `${story.name} ${at}`
  const choice = guess?.at === here ? guess.choice : undefined
  const isOpen = shown.ask !== undefined && choice === undefined
  const choose = (taken: number): void => {
    setGuess({ at: here, choice: taken })
    answer()
  }
  useEffect(() => {
    if (isNarrow()) scrollTo({ top: underHeader() })
    heading.current?.focus({ preventScroll: isNarrow() })
  }, [story.name, at])
  useEffect(() => {
    if (choice !== undefined) showAnswer()
  }, [choice, here])
  const next = (): void => {
    if (isOpen) choose(-1)
    else if (isLast) go('', 0)
    else go(story.name, at + 1)
  }
  return html`<section class="story" aria-label=${story.title}>
    <p class="hint whence">
      <button class="link" onClick=${() => go('', 0)}>All stories</button>
      <span>${story.title}</span>
    </p>
    <${Progress} story=${story} at=${at} go=${go} />
    <h2 tabindex="-1" ref=${heading} id="story-step">${shown.title}</h2>
    ${ask !== undefined && html`<${Asked} ask=${ask} choice=${choice} choose=${choose} />`}
    ${
      !isOpen &&
      html`<div class="told-text">
        ${shown.text.map((paragraph) => html`<p>${setOff(paragraph)}</p>`)}
      </div>`
    }
    ${
      missing.length > 0 &&
      html`<p class="warning">Not in this lab yet, and left out: ${missing.join(', ')}.</p>`
    }
    <div class="row">
      <button disabled=${at === 0} onClick=${() => go(story.name, at - 1)}>Back</button>
      <button class="primary" id="story-next" onClick=${next}>
        ${isOpen ? 'Show me' : isLast ? 'Done' : 'Next'}
      </button>
    </div>
  </section>`
}

const isNarrow = (): boolean => matchMedia('(max-width: 900px)').matches

/** Where the picture is at the top: what is asked has the room of the header. */
function underHeader(): number {
  const page = document.querySelector('.page')
  if (page === null) return 0
  return (
    scrollY +
    page.getBoundingClientRect().top +
    Number.parseFloat(getComputedStyle(page).paddingTop)
  )
}

/** On a phone an answer and its words come into view, between the picture and the clock. */
function showAnswer(): void {
  if (!isNarrow()) return
  const [answer, scenes, scene] = ['.answered, #story-step', '.scenes', '.scene-card'].map(
    (which) => [...document.querySelectorAll(which)].at(-1)?.getBoundingClientRect(),
  )
  if (answer === undefined || scenes === undefined || scene === undefined) return
  // Beside a circuit the scene stays in view alone, and what holds both has no box.
  const held = scenes.height > 0 ? scenes : scene
  scrollTo({ top: scrollY + answer.top - held.height - BELOW_PX })
}

const BELOW_PX = 6

/** A dot a step: where one is, and a way to any other. */
function Progress({ story, at, go }: Pick<TellingProps, 'story' | 'go'> & { at: number }): VNode {
  return html`<ol class="steps" aria-label="Steps">
    ${story.steps.map(
      ({ title }, i) =>
        html`<li key=${i}>
          <button
            class=${i <= at ? 'step past' : 'step'}
            aria-current=${i === at ? 'step' : undefined}
            aria-label=${`Step ${i + 1} of ${story.steps.length}: ${title}`}
            title=${title}
            onClick=${() => go(story.name, i)}
          ></button>
        </li>`,
    )}
  </ol>`
}

function Asked(props: {
  readonly ask: Question
  readonly choice: number | undefined
  choose(choice: number): void
}): VNode {
  const { ask, choice, choose } = props
  const right = ask.guesses[ask.right]!
  const said =
    choice === undefined
      ? ''
      : `${choice < 0 ? '' : choice === ask.right ? 'Right: ' : 'Not so. '}${right}.`
  return html`<div class="asked">
    <p class="question">${setOff(ask.question)}</p>
    ${
      choice === undefined
        ? html`<ul class="guesses">
            ${ask.guesses.map(
              (text, i) =>
                html`<li key=${i}>
                  <button class="guess" onClick=${() => choose(i)}>${text}</button>
                </li>`,
            )}
          </ul>`
        : said !== '' && html`<p class="answered" role="status">${said}</p>`
    }
  </div>`
}

/** `*words*` are set off; a number keeps its unit on its line, and a link's name stays whole. */
function setOff(text: string): (VNode | string)[] {
  const whole = withUnits(text).replaceAll('->', '-\u2060>')
  return whole.split('*').map((part, i) => (i % 2 === 1 ? html`<em>${part}</em>` : part))
}
