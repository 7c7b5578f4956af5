/** What every step of every story has to have, whatever it tells. */
import { describe, expect, it } from 'vitest'
import { createRun } from '@weir/sim'
import { laneSpec } from '../model/experiment.ts'
import { Recording } from '../model/recording.ts'
import { storyExperiment, storyTold } from '../model/story-experiment.ts'
import { Recorder } from '../worker/recorder.ts'
import { stories } from './index.ts'
import type { StoryStep } from './story.ts'

const all = stories.flatMap(({ name, steps }) =>
  steps.map((step, i) => [`${name} ${i}`, step] as const),
)

/** Names of nodes, of links and of flows of a step's first lane, and how long it runs. */
function namesIn(step: StoryStep): {
  nodes: Set<string>
  links: Set<string>
  flows: Set<string>
  untilPs: number
} {
  const { experiment } = storyExperiment(step)
  const spec = laneSpec(experiment, experiment.lanes[0]!, undefined)
  const recording = new Recording(new Recorder(createRun(spec)).scene('', ''))
  const links = Array.from({ length: recording.ports }, (_, port) => recording.portName(port))
  const flows = spec.workload.flatMap((one) => {
    if (one.kind === 'flows') return Array.from(one.flows, ({ name }) => name)
    if (one.kind !== 'generate') return []
    const { name, pattern } = one
    const senders = 'senders' in pattern ? Number(pattern.senders) : 0
    return Array.from({ length: senders }, (_, i) => `${name}.${i}`)
  })
  const nodes = new Set(recording.scene.nodes.map(({ name }) => name))
  return { nodes, links: new Set(links), flows: new Set(flows), untilPs: spec.run.untilPs }
}

describe.each(all)('%s', (which, step) => {
  it('asks before it tells, with one right guess among others', () => {
    // A task at the end is a question itself.
    if (step.title === 'Your turn') return
    const { guesses, right } = step.ask!
    expect(guesses.length).toBeGreaterThan(1)
    expect(new Set(guesses).size).toBe(guesses.length)
    expect(guesses[right]).toBeDefined()
    expect(step.ask!.question.trimEnd()).toMatch(/\?$/u)
  })

  it('speaks of what there is, and shows what it speaks of', () => {
    const { nodes, links, flows, untilPs } = namesIn(step)
    const { look = [], bright = [], plot = [], notes = [] } = step
    for (const name of look) expect([...links, ...flows], which).toContain(name)
    for (const name of [...bright, ...(step.flows ?? [])]) expect([...flows], which).toContain(name)
    for (const { at } of notes) expect([...nodes, ...links], which).toContain(at)
    for (const id of plot.filter((one) => one.startsWith('port '))) {
      expect([...links], which).toContain(id.slice('port '.length))
    }
    const words = [...step.text, step.ask?.question ?? ''].join(' ')
    // Of few flows that are plotted, those that the words are about are among them.
    const said = [...flows].filter((name) => words.split(/[^\w.-]+|\.(?=\s)/u).includes(name))
    if (step.flows !== undefined) expect(step.flows).toEqual(expect.arrayContaining(said))
    const { atPs, zoomPs = [0, untilPs] } = storyTold(step)
    expect(zoomPs[1]).toBeLessThanOrEqual(untilPs)
    expect(atPs).toBeGreaterThanOrEqual(zoomPs[0])
    expect(atPs).toBeLessThan(zoomPs[1])
  })
})
