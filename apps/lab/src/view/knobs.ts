/** The left panel of an experiment: scenario, schemes beside each other, their knobs, and more. */
import { scenarios, loadSpec } from '@weir/sim'
import type { SchemeCard } from '@weir/schemes'
import { routings } from '@weir/routing'
import { schemes } from '@weir/schemes'
import type { VNode } from 'preact'
import type { Experiment, Lane } from '../model/experiment.ts'
import {
  experimentOf,
  laneOf,
  LANES_MAX,
  laneSpec,
  OWN,
  settingOf,
  textOf,
  withSetting,
} from '../model/experiment.ts'
import { paperWords } from '../model/papers.ts'
import type { Session } from '../model/session.ts'
import { html, useSession } from './html.ts'
import { letterOf } from './lanes.ts'
import { Params } from './params.ts'

interface KnobsProps {
  readonly session: Session
  onChange(experiment: Experiment, isLive?: boolean): void
}

const SPEC_KNOBS: readonly { path: string; label: string; about: string; choices?: string[] }[] = [
  { path: 'seed', label: 'Seed', about: 'Another seed, another draw of the random traffic.' },
  { path: 'run.until', label: 'Until', about: 'How long is simulated, such as 2ms.' },
  { path: 'fabric.buffer.size', label: 'Buffer', about: 'Of a switch, or of an input; 2MB.' },
  {
    path: 'fabric.flowControl',
    label: 'Flow control',
    about: 'What keeps a full buffer from losing packets.',
    choices: ['none', 'pause', 'pfc', 'credits'],
  },
  {
    path: 'routing',
    label: 'Routing',
    about: 'How packets choose among equal ways.',
    choices: Object.keys(routings),
  },
]

export function Knobs({ session, onChange }: KnobsProps): VNode {
  useSession(session, 'experiment')
  const { experiment } = session
  const setLane = (index: number, lane: Lane, isLive: boolean = false): void => {
    if (isLive && !session.answersWhileMoving) return
    const { experiment: now } = session
    onChange({ ...now, lanes: now.lanes.map((old, i) => (i === index ? lane : old)) }, isLive)
  }
  const canAdd = experiment.lanes.length < LANES_MAX
  return html`<section class="knobs" aria-label="Experiment">
    <h2>Scenario</h2>
    <${Gallery} experiment=${experiment} onChange=${onChange} />
    <h2>Schemes side by side</h2>
    ${experiment.lanes.map(
      (lane, i) =>
        html`<${LaneKnobs}
          key=${i}
          index=${i}
          session=${session}
          lane=${lane}
          canRemove=${experiment.lanes.length > 1}
          onChange=${(changed: Lane, isLive?: boolean) => setLane(i, changed, isLive)}
          onRemove=${() =>
            onChange({ ...experiment, lanes: experiment.lanes.filter((_, k) => k !== i) })}
        />`,
    )}
    ${
      canAdd &&
      html`<button
        id="add-lane"
        onClick=${() =>
          onChange({ ...experiment, lanes: [...experiment.lanes, laneOf(nextScheme(experiment))] })}
      >
        Add a scheme
      </button>`
    }
    <details>
      <summary>Fabric, time and chance</summary>
      ${SPEC_KNOBS.map(
        (knob) =>
          html`<${SpecKnob}
            ...${knob}
            experiment=${experiment}
            onChange=${onChange}
            key=${knob.path}
          />`,
      )}
    </details>
  </section>`
}

function Gallery({
  experiment,
  onChange,
}: Omit<KnobsProps, 'session'> & { experiment: Experiment }): VNode {
  const choose = (name: string): void => {
    const names = experiment.lanes.map((lane) => lane.scheme).filter((scheme) => scheme !== OWN)
    onChange({
      ...experimentOf(name, names.length > 1 ? fitting(name, names) : []),
      ownScheme: experiment.ownScheme,
    })
  }
  return html`<div class="field">
    <label for="scenario">Scenario</label>
    <select
      id="scenario"
      value=${experiment.scenario}
      onChange=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
    >
      ${experiment.scenario === '' && html`<option value="">your own</option>`}
      ${scenarios.map(
        ({ name, text }) => html`<option value=${name}>${titleOf(text, name)}</option>`,
      )}
    </select>
    <p class="hint about">${paperWords(descriptionOf(textOf(experiment)))}</p>
  </div>`
}

function LaneKnobs(props: {
  readonly session: Session
  readonly lane: Lane
  readonly index: number
  readonly canRemove: boolean
  onChange(lane: Lane, isLive?: boolean): void
  onRemove(): void
}): VNode {
  const { session, lane, index, canRemove } = props
  const { experiment, ownCard } = session
  const card = cardOf(lane.scheme, ownCard)
  const id = `lane${index}`
  return html`<fieldset class="lane">
    <legend>Lane <span class="letter">${letterOf(index)}</span></legend>
    <div class="row">
      <select
        id=${`${id}-scheme`}
        aria-label=${`Scheme of lane ${letterOf(index)}`}
        value=${lane.scheme}
        onChange=${(event: Event) => {
          props.onChange(laneOf((event.target as HTMLSelectElement).value))
        }}
      >
        ${schemes.map(({ name, title }) => html`<option value=${name}>${title}</option>`)}
        ${experiment.ownScheme !== '' && html`<option value=${OWN}>your own scheme</option>`}
      </select>
      ${
        canRemove &&
        html`<button onClick=${props.onRemove} aria-label=${`Remove lane ${letterOf(index)}`}>
          ✕
        </button>`
      }
    </div>
    <p class="hint">${paperWords(card?.cite ?? '')}</p>
    ${
      card !== undefined &&
      html`<details>
        <summary>Parameters of ${card.title}</summary>
        <${Params} card=${card} lane=${lane} laneId=${id} onChange=${props.onChange} />
      </details>`
    }
  </fieldset>`
}

function SpecKnob(props: {
  readonly path: string
  readonly label: string
  readonly about: string
  readonly choices?: string[]
  readonly experiment: Experiment
  onChange(experiment: Experiment): void
}): VNode {
  const { path, label, about, choices, experiment } = props
  const id = `spec-${path.replaceAll('.', '-')}`
  const text = settingOf(experiment.settings, path)
  const change = (event: Event): void => {
    const value = (event.target as HTMLInputElement).value.trim()
    props.onChange({ ...experiment, settings: withSetting(experiment.settings, path, value) })
  }
  return html`<div class=${text === '' ? 'field' : 'field changed'}>
    <label for=${id}>${label}</label>
    ${
      choices === undefined
        ? html`<input
            id=${id}
            type="text"
            value=${text}
            placeholder="as the scenario says"
            onChange=${change}
          />`
        : html`<select id=${id} value=${text} onChange=${change}>
            <option value="">as the scenario says</option>
            ${choices.map((word) => html`<option value=${word}>${word}</option>`)}
          </select>`
    }
    <p class="hint">${about}</p>
  </div>`
}

export function cardOf(scheme: string, ownCard: SchemeCard | undefined): SchemeCard | undefined {
  return scheme === OWN ? ownCard : schemes.find(({ name }) => name === scheme)
}

/** Those of the schemes that the scenario's fabric can carry. */
export function fitting(scenario: string, names: readonly string[]): string[] {
  const experiment = experimentOf(scenario)
  return names.filter((name) => {
    try {
      laneSpec(experiment, laneOf(name), undefined)
      return true
    } catch {
      return false
    }
  })
}

function nextScheme(experiment: Experiment): string {
  const used = experiment.lanes.map((lane) => lane.scheme)
  const free = schemes.map(({ name }) => name).filter((name) => !used.includes(name))
  const possible = free.find((name) => {
    try {
      laneSpec(experiment, laneOf(name), undefined)
      return true
    } catch {
      return false
    }
  })
  return possible ?? free[0] ?? used[0] ?? 'none'
}

function titleOf(text: string, name: string): string {
  return /^title: (.+)$/mu.exec(text)?.[1] ?? name
}

export function descriptionOf(text: string): string {
  try {
    return loadSpec({ text }).description
  } catch {
    return ''
  }
}
