/** The whole page: where one is, what is shown there, and the URL that says so. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import {
  bringsOwn,
  experimentOf,
  laneOf,
  LANES_MAX,
  OWN,
  textOf,
  withoutOwn,
} from '../model/experiment.ts'
import type { Experiment } from '../model/experiment.ts'
import { hashOf, placeOf } from '../model/link.ts'
import type { Session } from '../model/session.ts'
import { storyExperiment, storyPins, storyTold } from '../model/story-experiment.ts'
import { stories } from '../stories/index.ts'
import { FiguresView } from './figures-view.ts'
import { GalleryView } from './gallery-view.ts'
import { html } from './html.ts'
import { Brought } from './brought.ts'
import { Knobs } from './knobs.ts'
import { OwnScheme } from './own-scheme.ts'
import { SpecPanel } from './spec-panel.ts'
import { StoriesPanel } from './stories-panel.ts'
import { Workbench } from './workbench.ts'

type Tab = 'gallery' | 'knobs' | 'spec' | 'stories' | 'figures' | 'own'

const TABS: readonly { readonly tab: Tab; readonly label: string }[] = [
  { tab: 'gallery', label: 'Gallery' },
  { tab: 'stories', label: 'Stories' },
  { tab: 'knobs', label: 'Experiment' },
  { tab: 'spec', label: 'Spec' },
  { tab: 'figures', label: 'Figures' },
  { tab: 'own', label: 'Your scheme' },
]

interface At {
  readonly tab: Tab
  readonly story: string
  readonly step: number
  readonly figure: string
}

export function App({ session }: { readonly session: Session }): VNode {
  const [at, setAt] = useState<At>({ tab: 'knobs', story: '', step: 0, figure: '' })
  const [problem, setProblem] = useState('')
  // A link's own scheme waits until the person says so.
  const [brought, setBrought] = useState<Experiment | undefined>(undefined)
  // Until the URL is read nothing is shown that would have to move.
  const [isReady, setReady] = useState(false)
  const start = (experiment: Experiment, isLive: boolean = false): void => {
    begin(session, experiment, isLive)
    // A knob that moves leaves no track of where it passed.
    if (!isLive) void hashOf(experiment).then((hash) => remember(hash, at.tab))
  }
  const goStory = (story: string, step: number, isNew: boolean = true): void => {
    setAt((before) => ({ ...before, tab: 'stories', story, step }))
    beginStep(session, story, step, isNew)
  }
  useEffect(() => {
    const go = (): void => {
      setBrought(undefined)
      void follow(session, setAt, goStory, setBrought).then((sentence) => {
        setProblem(sentence)
        setReady(true)
      })
    }
    go()
    addEventListener('popstate', go)
    return () => removeEventListener('popstate', go)
  }, [session])
  const runOwn = (code: string): void => {
    setBrought(undefined)
    session.trusted.add(code)
    const { experiment } = session
    const others = experiment.lanes.filter(({ scheme }) => scheme !== OWN).slice(0, LANES_MAX - 1)
    start({ ...experiment, ownScheme: code, lanes: [...others, laneOf(OWN)] })
  }
  return html`<a class="skip" href="#main" onClick=${skip}>To the simulation</a>
    <${Header} tab=${at.tab} onTab=${(tab: Tab) => goTab(session, at, tab, setAt)} />
    ${problem !== '' && html`<p class="failure banner" role="alert">${problem}</p>`}
    ${
      brought !== undefined &&
      html`<${Brought}
        experiment=${brought}
        look=${() => goTab(session, at, 'own', setAt)}
        run=${() => {
          session.trusted.add(brought.ownScheme)
          setBrought(undefined)
          session.start(brought, !prefersStill())
        }}
      />`
    }
    ${
      isReady &&
      html`<div class=${`page at-${at.tab}`}>
        ${
          at.tab !== 'gallery' &&
          html`<aside class="panel">
            ${panelOf(at, session, { start, goStory, runOwn, setAt })}
          </aside>`
        }
        <main id="main" tabindex="-1" aria-label=${at.tab === 'gallery' ? 'Gallery' : 'Simulation'}>
          ${mainOf(at, session, start)}
        </main>
      </div>`
    }`
}

function mainOf(at: At, session: Session, start: Ways['start']): VNode {
  if (at.tab === 'figures') return html`<${FiguresView} figure=${at.figure} />`
  if (at.tab !== 'gallery') return html`<${Workbench} session=${session} onChange=${start} />`
  return html`<${GalleryView}
    go=${(hash: string) => {
      remember(hash)
      dispatchEvent(new PopStateEvent('popstate'))
    }}
  />`
}

interface Ways {
  start(experiment: Experiment, isLive?: boolean): void
  goStory(story: string, step: number): void
  runOwn(code: string): void
  setAt(at: At): void
}

function panelOf(at: At, session: Session, ways: Ways): VNode {
  switch (at.tab) {
    case 'knobs':
      return html`<${Knobs} session=${session} onChange=${ways.start} />`
    case 'spec':
      return html`<${SpecPanel} session=${session} onChange=${ways.start} />`
    case 'stories':
      return html`<${StoriesPanel}
        story=${at.story}
        step=${at.step}
        go=${ways.goStory}
        answer=${() => session.answer(!prefersStill())}
      />`
    case 'figures':
      return html`<${FiguresView.List}
        figure=${at.figure}
        choose=${(figure: string) => {
          remember(`#figure=${figure}`)
          ways.setAt({ ...at, figure })
        }}
      />`
    case 'own':
      return html`<${OwnScheme} session=${session} onRun=${ways.runOwn} />`
    case 'gallery':
      return html``
  }
}

function Header({ tab, onTab }: { tab: Tab; onTab(tab: Tab): void }): VNode {
  return html`<header>
    <h1>Weir lab</h1>
    <nav aria-label="Parts of the lab">
      ${TABS.map(
        (one) =>
          html`<button
            key=${one.tab}
            class="tab"
            aria-current=${one.tab === tab ? 'page' : undefined}
            onClick=${() => onTab(one.tab)}
            data-tab=${one.tab}
          >
            ${one.label}
          </button>`,
      )}
    </nav>
    <button class="theme" onClick=${toggleTheme} aria-label="Light or dark">◐</button>
  </header>`
}

/** Where the URL leads; the sentence to show if it leads nowhere. */
async function follow(
  session: Session,
  setAt: (change: (before: At) => At) => void,
  goStory: (story: string, step: number, isNew: boolean) => void,
  bring: (experiment: Experiment) => void,
): Promise<string> {
  try {
    const place = await placeOf(location.hash)
    if (place?.view === 'gallery') setAt((before) => ({ ...before, tab: 'gallery' }))
    else if (place?.view === 'story') {
      goStory(place.story, place.step, false)
      const isKnown = place.story === '' || stories.some(({ name }) => name === place.story)
      if (!isKnown) return `the link names a story '${place.story}' that this lab does not have`
    } else if (place?.view === 'figures') {
      setAt((before) => ({ ...before, tab: 'figures', figure: place.figure }))
    } else {
      setAt((before) => ({
        ...before,
        tab: tabOfEntry() ?? (EXPERIMENT_TABS.includes(before.tab) ? before.tab : 'knobs'),
      }))
      const given = place?.experiment ?? experimentOf('incast')
      const isHeld = bringsOwn(given) && !session.trusted.has(given.ownScheme)
      const experiment = isHeld ? withoutOwn(given) : given
      if (isHeld) bring(given)
      // Back from a figure: what runs goes on.
      const isShown = JSON.stringify(experiment) === JSON.stringify(session.experiment)
      if (!isShown || session.lanes.length === 0) begin(session, experiment, false)
      const missing = place?.missing ?? []
      if (missing.length > 0) {
        return `the link names ${missing.join(', ')}, which this lab does not have: left out`
      }
    }
    return ''
  } catch (error) {
    session.start(experimentOf('incast'), false)
    return error instanceof Error ? error.message : String(error)
  }
}

/** Another scenario begins at its beginning; other knobs of this one leave time where it is. */
function begin(session: Session, experiment: Experiment, isLive: boolean): void {
  session.untell()
  const isSame = textOf(experiment) === textOf(session.experiment) && session.lanes.length > 0
  if (isSame) session.change(experiment, isLive)
  else session.start(experiment, !prefersStill())
}

function beginStep(session: Session, name: string, step: number, isNew: boolean): void {
  const story = stories.find((one) => one.name === name)
  const hash = name === '' ? '#story=' : `#story=${name}&step=${step}`
  if (isNew) remember(hash)
  else history.replaceState(null, '', hash)
  const shown = story?.steps[Math.min(Math.max(0, step), story.steps.length - 1)]
  if (shown === undefined) {
    session.untell()
    if (session.lanes.length === 0) session.start(session.experiment, false)
    return
  }
  const isAsking = shown.ask !== undefined
  session.start(storyExperiment(shown).experiment, !prefersStill() && !isAsking)
  session.tell(storyTold(shown), storyPins(shown), isAsking)
}

const EXPERIMENT_TABS: readonly Tab[] = ['knobs', 'spec', 'own']

/** Where one was stays in the history: Back leads there. Three tabs have an experiment's URL. */
function remember(hash: string, tab?: Tab): void {
  const state = tab !== undefined && EXPERIMENT_TABS.includes(tab) ? { tab } : null
  const isThere = location.hash === hash && (state === null || tabOfEntry() === state.tab)
  if (!isThere) history.pushState(state, '', hash)
}

function tabOfEntry(): Tab | undefined {
  const { tab } = (history.state ?? {}) as { readonly tab?: unknown }
  return EXPERIMENT_TABS.find((one) => one === tab)
}

function goTab(session: Session, at: At, tab: Tab, setAt: (at: At) => void): void {
  setAt({ ...at, tab, story: '' })
  if (tab === 'gallery') remember('#gallery')
  else if (tab === 'stories') remember('#story=')
  else if (tab === 'figures') remember(`#figure=${at.figure}`)
  else {
    session.untell()
    if (session.lanes.length === 0) session.start(session.experiment, !prefersStill())
    // What is left and what is come to have one URL: the entries say which is which.
    if (EXPERIMENT_TABS.includes(at.tab)) history.replaceState({ tab: at.tab }, '')
    void hashOf(session.experiment).then((hash) => remember(hash, tab))
  }
}

/** The skip link must not become the URL: that holds the experiment. */
function skip(event: Event): void {
  event.preventDefault()
  // On a narrow page the parts of the simulation stand among the others.
  const main = document.getElementById('main')
  main?.focus()
  if (document.activeElement !== main) document.querySelector<HTMLElement>('.scenes')?.focus()
}

function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

function toggleTheme(): void {
  const { dataset } = document.documentElement
  dataset['theme'] = dataset['theme'] === 'dark' ? 'light' : 'dark'
  dispatchEvent(new Event('weir-theme'))
}
