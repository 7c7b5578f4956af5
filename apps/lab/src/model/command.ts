/** The command line that repeats what the page shows. */
import type { Experiment, Lane } from './experiment.ts'
import { laneSpec, OWN } from './experiment.ts'

/** The file that a text of the user's own is saved under. */
export function fileNameOf({ scenario }: Experiment): string {
  return `${scenario === '' ? 'my-scenario' : scenario}.yaml`
}

export function runCommand(experiment: Experiment, lane: Lane): string {
  const words = ['./weir', 'run', scenarioWord(experiment)]
  if (lane.scheme !== OWN) words.push('--scheme', lane.scheme)
  if (lane.preset !== '') words.push('--preset', lane.preset)
  for (const setting of experiment.settings) words.push('--set', setting)
  for (const [name, text] of Object.entries(lane.params)) {
    words.push('--set', `scheme.params.${name}=${text}`)
  }
  return [...words, ...cutWords(experiment, lane)].map(quoted).join(' ')
}

/** All lanes at once, if they differ in nothing but the scheme's name; else one command a lane. */
export function commandsOf(experiment: Experiment): string[] {
  const { lanes } = experiment
  const isPlain = lanes.every(
    (lane) => lane.preset === '' && Object.keys(lane.params).length === 0 && lane.scheme !== OWN,
  )
  if (!isPlain || lanes.length < 2) return lanes.map((lane) => runCommand(experiment, lane))
  const names = lanes.map((lane) => lane.scheme).join(',')
  const words = ['./weir', 'compare', scenarioWord(experiment), '--schemes', names]
  for (const setting of experiment.settings) words.push('--set', setting)
  return [[...words, ...cutWords(experiment, lanes[0]!)].map(quoted).join(' ')]
}

/** The page's runs end at `until`; where the command line would go on, it must be told. */
function cutWords(experiment: Experiment, lane: Lane): string[] {
  try {
    const { drainPs } = laneSpec(experiment, lane, undefined).run
    return drainPs > 0 ? ['--set', 'run.drain=none'] : []
  } catch {
    return []
  }
}

function scenarioWord(experiment: Experiment): string {
  return experiment.text === '' ? experiment.scenario : fileNameOf(experiment)
}

function quoted(word: string): string {
  return /^[\w./:=,@+-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
