/** The lab's model without a browser: recordings, links, commands, differences, stories. */
import { createRun, loadSpec, scenarioByName, simulate } from '@weir/sim'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathAt } from '../editor/spec-support.ts'
import { stories } from '../stories/index.ts'
import { checkFromRun } from '../worker/protocol.ts'
import { Recorder } from '../worker/recorder.ts'
import { commandsOf } from './command.ts'
import { findings, measures, valueText } from './compare.ts'
import { experimentOf, laneOf, laneSettings, laneSpec } from './experiment.ts'
import type { Experiment } from './experiment.ts'
import { hashOf, placeOf } from './link.ts'
import { portByName } from '../scene/picture.ts'
import { channelsAt } from '../scene/ribbons.ts'
import { momentsOf } from './moments.ts'
import { Recording } from './recording.ts'
import { storyExperiment, storyTold } from './story-experiment.ts'

const specOf = (name: string): ReturnType<typeof loadSpec> =>
  loadSpec({ text: scenarioByName(name)!.text })

/** Runs a scenario as the worker does and gives what the page would have. */
function recorded(name: string): { recording: Recording; fingerprint: string } {
  const run = createRun(specOf(name))
  const recorder = new Recorder(run)
  const recording = new Recording(recorder.scene('a scheme', ''))
  let nextPs = 0
  for (let goesOn = true; goesOn;) {
    nextPs += recorder.intervalPs
    goesOn = run.step(nextPs)
    recorder.take(goesOn ? nextPs : Math.min(run.nowPs, nextPs))
    if (recorder.pending < 100 && goesOn && recorder.kept < recorder.framesMax) continue
    recording.add(checkFromRun(recorder.hand().frames, recording.ports) as never)
    if (recorder.kept < recorder.framesMax || !goesOn) continue
    recorder.halve()
    recording.halve()
  }
  return { recording, fingerprint: run.result().fingerprint }
}

describe('the ticks of the timeline', () => {
  it('lead to where a network locks up', () => {
    const { recording } = recorded('pfc-deadlock')
    const result = { ...simulate(specOf('pfc-deadlock')), maxMinJain: undefined }
    const found = momentsOf(recording, result as never).find(({ kind }) => kind === 'deadlock')
    expect(found?.text).toBe('DEADLOCK')
    expect(found!.ps / 1e6).toBeGreaterThan(20)
    expect(found!.ps / 1e6).toBeLessThan(500)
  })
})

describe('a recording', () => {
  it('changes nothing in what it watches, and ends with a bounded number of pictures', () => {
    for (const name of ['incast', 'parking-lot']) {
      const { recording, fingerprint } = recorded(name)
      expect(fingerprint).toBe(simulate(specOf(name)).fingerprint)
      expect(recording.count).toBeGreaterThan(100)
      expect(recording.count).toBeLessThanOrEqual(1024)
    }
  })

  it('shows no pause, mark or queue before its time, and its last picture at its end', () => {
    const { recording } = recorded('pfc-victim')
    const { intervalPs, ports, count } = recording
    const paused = (frame: number): boolean =>
      recording.paused.subarray(Math.max(0, frame) * ports, (frame + 1) * ports).some((one) => one)
    const first = Array.from({ length: count }, (_, frame) => frame).findIndex(paused)
    // near stops B and C after 55 us: not in the picture that ends before, nor in one that begins.
    expect(first * intervalPs).toBeLessThan(55.1e6)
    for (const us of [50, 52, 53, 54, 55]) {
      expect(paused(recording.frameAt(us * 1e6)), `${us} us`).toBe(false)
    }
    expect(paused(recording.frameAt(55e6 + intervalPs))).toBe(true)
    // Nor do channels, which are means of several pictures, see one that is still to come.
    const isHatched = (us: number): boolean =>
      channelsAt(recording, recording.frameAt(us * 1e6)).some((one) => one.paused > 0)
    for (const us of [40, 45, 50, 54, 55]) expect(isHatched(us), `${us} us`).toBe(false)
    expect(isHatched(55 + intervalPs / 1e6)).toBe(true)
    for (let ps = 0; ps < recording.nowPs; ps += intervalPs / 7) {
      expect((recording.frameAt(ps) + 1) * intervalPs).toBeLessThanOrEqual(ps)
    }
    expect(recording.frameAt(recording.nowPs)).toBe(count - 1)
    const moment = momentsOf(recording, undefined).find(({ kind }) => kind === 'pause')!
    // Its tick stands where it happens, and leads to the first picture that shows it.
    expect(Math.abs(moment.ps / 1e6 - 55.7)).toBeLessThan(0.1)
    expect(paused(recording.frameAt(moment.seenPs!))).toBe(true)
    expect(paused(recording.frameAt(moment.seenPs! - 1))).toBe(false)
  })

  it('knows whose bytes a queue holds, through every merging of pictures', () => {
    const { recording } = recorded('dumbbell-fair')
    const port = portByName(recording, 'left->right')
    let queues = 0
    for (let frame = 0; frame < recording.count; frame++) {
      const bytes = recording.queueBytes[frame * recording.ports + port]!
      if (bytes < 20e3) continue
      queues++
      const held = recording.close!.heldAt(frame).get(port) ?? []
      const sum = held.reduce((all, one) => all + one.bytes, 0)
      expect(sum / bytes, `picture ${frame}`).toBeGreaterThan(0.9)
      expect(sum / bytes, `picture ${frame}`).toBeLessThan(1.1)
    }
    expect(queues).toBeGreaterThan(5)
  })

  it('adds up to the bytes that were delivered, through every merging of pictures', () => {
    const { recording } = recorded('parking-lot')
    const result = simulate(specOf('parking-lot'))
    const rates = recording.ratesOf([0, 1, 2])
    rates.forEach((values, row) => {
      const bytes = values.reduce<number>((sum, rate) => sum + (rate ?? 0), 0)
      const delivered = (bytes * recording.intervalPs) / 8e12
      expect(delivered / result.flows.deliveredBytes[row]!).toBeCloseTo(1, 2)
    })
  })

  it('knows the longest queue that the result knows, to within a picture', () => {
    const { recording } = recorded('incast')
    const longest = recording.portsByQueue()[0]!
    expect(recording.portName(longest.port)).toBe('switch->h0')
    const { queueBytesMax } = simulate(specOf('incast')).summary
    expect(longest.bytesMax).toBeGreaterThan(queueBytesMax * 0.9)
    expect(longest.bytesMax).toBeLessThanOrEqual(queueBytesMax)
  })
})

describe('messages of a run', () => {
  it('are refused if they are not what the protocol says', () => {
    const bad = [null, 7, 'frames', {}, { type: 'frames', count: 3 }, { type: 'done', result: 5 }]
    for (const message of bad) expect(() => checkFromRun(message, 4)).toThrow(/message/u)
    fc.assert(
      fc.property(fc.anything(), (message) => {
        try {
          checkFromRun(message, 4)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
    )
  })
})

describe('a link', () => {
  it('holds any experiment', async () => {
    const lane = fc.record({
      scheme: fc.constantFrom('none', 'dcqcn', '@own'),
      preset: fc.string(),
      params: fc.dictionary(fc.string(), fc.string()),
    })
    const experiments = fc.record({
      scenario: fc.string(),
      text: fc.string({ minLength: 1 }),
      settings: fc.array(fc.string()),
      lanes: fc.array(lane, { minLength: 1, maxLength: 4 }),
      ownScheme: fc.string(),
    })
    await fc.assert(
      fc.asyncProperty(experiments, async (experiment) => {
        const place = await placeOf(await hashOf(experiment))
        expect(JSON.stringify(place)).toBe(JSON.stringify({ view: 'experiment', experiment }))
      }),
      { numRuns: 30 },
    )
  })

  it('is short where nothing was changed, and refused where it is damaged', async () => {
    const plain = experimentOf('incast', ['none', 'dcqcn'])
    expect(await hashOf(plain)).toBe('#scenario=incast&schemes=none,dcqcn')
    expect(await placeOf('#')).toBeUndefined()
    await expect(placeOf('#x=abc')).rejects.toThrow('damaged')
    await expect(placeOf('#scenario=nothing')).rejects.toThrow('nothing')
  })
})

describe('the command line', () => {
  it('repeats what the page shows', () => {
    const lane = { scheme: 'dcqcn', preset: 'firmware', params: { g: '1/16' } }
    const experiment: Experiment = {
      ...experimentOf('incast'),
      settings: ['run.until=2ms', 'topology={kind: star, hosts: 20}'],
      lanes: [lane],
    }
    expect(commandsOf(experiment)).toEqual([
      './weir run incast --scheme dcqcn --preset firmware --set run.until=2ms ' +
        "--set 'topology={kind: star, hosts: 20}' --set scheme.params.g=1/16 " +
        '--set run.drain=none',
    ])
    expect(commandsOf(experimentOf('incast', ['none', 'dcqcn']))).toEqual([
      './weir compare incast --schemes none,dcqcn --set run.drain=none',
    ])
    expect(laneSettings(experiment, lane)).toContain('scheme.params.g=1/16')
  })
})

describe('differences', () => {
  it('are said of measures that differ, the largest first', () => {
    const lanes = ['none', 'dcqcn'].map((name) => {
      const experiment = experimentOf('incast', [name])
      return { title: name, result: simulate(laneSpec(experiment, laneOf(name), undefined)) }
    })
    const said = findings(lanes).map(({ sentence }) => sentence)
    expect(said.length).toBeGreaterThan(1)
    expect(said.join(' ')).toMatch(/Packets marked: none 0, dcqcn [\d,]+\./u)
    expect(findings([lanes[0]!, lanes[0]!])).toEqual([])
  })
})

describe('runs that are cut', () => {
  const result = simulate(laneSpec(experimentOf('incast', ['dcqcn']), laneOf('dcqcn'), undefined))
  const bounded = (p99: number): typeof result => {
    const summary = { ...result.summary, slowdownP99: p99, atLeast: ['slowdownP99' as const] }
    return { ...result, summary }
  }

  it('show what flows that did not end make a lower bound, and call nothing of it best', () => {
    const measure = measures.find(({ key }) => key === 'slowdownP99')!
    expect(valueText(measure, bounded(3))).toBe('>= 3')
    expect(valueText(measure, result)).not.toContain('>=')
    const lanes = [
      { title: 'cut', result: bounded(result.summary.slowdownP99 / 10) },
      { title: 'whole', result },
    ]
    expect(
      findings(lanes)
        .map(({ sentence }) => sentence)
        .join(),
    ).not.toContain('slowdown')
  })

  it('are repeated by a command that cuts them too', () => {
    const cut = commandsOf(experimentOf('leaf-spine-mix', ['none', 'dcqcn']))
    expect(cut[0]).toMatch(/ --set run\.drain=none$/)
    expect(commandsOf(experimentOf('leaf-spine-mix', ['none']))[0]).toMatch(/run\.drain=none/)
  })
})

describe('every story', () => {
  it('has steps whose experiments are valid, with schemes that exist', () => {
    const names = ['tcp-to-here', 'incast', 'pfc', 'parking-lot', 'accurate', 'infiniband']
    expect(stories.map(({ name }) => name)).toEqual([
      ...names,
      'pacc',
      'r2c2',
      'r2c2-routes',
      'fluid',
    ])
    for (const { name, steps } of stories) {
      expect(steps.length, name).toBeGreaterThan(2)
      for (const step of steps) {
        const { experiment, missing } = storyExperiment(step)
        expect(missing, `${name}: ${step.title}`).toEqual([])
        for (const lane of experiment.lanes) {
          expect(
            () => laneSpec(experiment, lane, undefined),
            `${name}: ${step.title}`,
          ).not.toThrow()
        }
      }
    }
  })

  it('looks at ports and flows that its experiment has', () => {
    for (const { name, steps } of stories) {
      for (const step of steps) {
        const { experiment } = storyExperiment(step)
        const { network } = createRun(laneSpec(experiment, experiment.lanes[0]!, undefined))
        const { nodes, links } = network.graph
        const ports = links.flatMap(({ a, b }) => {
          const [from, to] = [nodes[a]!.name, nodes[b]!.name]
          return [`${from}->${to}`, `${to}->${from}`]
        })
        const where = `${name}: ${step.title}`
        const told = (step.plot ?? []).filter((id) => id.startsWith('port '))
        for (const port of [...(step.look ?? []), ...told.map((id) => id.slice(5))]) {
          if (port.includes('->')) expect(ports, where).toContain(port)
        }
        const names = [...ports, ...nodes.map((node) => node.name)]
        for (const { at } of step.notes ?? []) expect(names, where).toContain(at)
        const { guesses = [], right = 0 } = step.ask ?? {}
        if (step.ask !== undefined) expect(guesses[right], where).toBeDefined()
        storyTold(step)
      }
    }
  })
})

describe('the place in a spec', () => {
  it('is read off indentation and braces', () => {
    expect(pathAt(['fabric:'], '  buf')).toEqual(['fabric'])
    expect(pathAt(['workload:', '  - generate:'], '      arr')).toEqual(['workload', 'generate'])
    expect(pathAt([], 'topology: {kind: star, ho')).toEqual(['topology'])
    expect(pathAt([], 'sch')).toEqual([])
  })
})
