/** The catalogue of commands: each is a file in commands/ and one line here. */
import { Command, Help } from 'commander'
import { benchCommand } from './commands/bench.ts'
import { compareCommand } from './commands/compare.ts'
import { completeCommand, completionCommand } from './commands/completion.ts'
import { explainCommand } from './commands/explain.ts'
import { listCommand } from './commands/list.ts'
import { labCommand } from './commands/lab.ts'
import { newCommand } from './commands/new.ts'
import { reproduceCommand } from './commands/reproduce.ts'
import { runCommand } from './commands/run.ts'
import { schemaCommand } from './commands/schema.ts'
import { theoryCommand } from './commands/theory.ts'
import { UserError } from './errors.ts'
import { version } from './version.ts'

const commands: readonly (() => Command)[] = [
  compareCommand,
  runCommand,
  reproduceCommand,
  listCommand,
  explainCommand,
  theoryCommand,
  labCommand,
  benchCommand,
  schemaCommand,
  newCommand,
  completionCommand,
]

const EXAMPLES = `
Examples:
  weir list scenarios                     what you can run
  weir compare incast                     every scheme on one fabric and traffic
  weir run incast --scheme dctcp          one scheme, in detail
  weir reproduce accurate/fig3            a published figure, its numbers beside ours
  weir explain dcqcn                      its idea, equations and parameters
  weir theory dcqcn --flows 40            its fluid model: is it stable, and where does it settle?
  weir new scheme my-scheme               start a scheme of your own

Exit codes: 0 done, 1 failed, 2 a mistake in the command line or in a file that it names,
130 interrupted, 141 the reader of the output has closed it.
`

export function program(): Command {
  const weir = new Command('weir')
    .description('A congestion-control laboratory for RDMA data-center and rack-scale fabrics.')
    .version(version)
    .addHelpText('after', EXAMPLES)
  for (const make of commands) weir.addCommand(make())
  weir.addCommand(completeCommand(program), { hidden: true })
  for (const command of [weir, ...weir.commands]) prepare(command)
  return weir
}

/** Errors in our own voice, and thrown rather than exiting, so that one place decides the code. */
function prepare(command: Command): void {
  command
    .hook('preAction', (_, called) => {
      const empty = called.options.find((one) => called.getOptionValue(one.attributeName()) === '')
      if (empty?.long === undefined || empty.long === null) return
      throw new UserError(`${empty.long} is empty; write its value, or leave it out.`)
    })
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({
      // Nothing, or not, is what everyone takes an option to be that was not written.
      optionDescription: (option) =>
        new Help().optionDescription(option).replace(/ \(default: (?:\[\]|false)\)$/u, ''),
    })
    .configureOutput({
      outputError: (text, write) => write(`weir: ${inOurVoice(text, command)}\n`),
    })
}

/** Commander's sentences, each with what to do about it. */
function inOurVoice(text: string, command: Command): string {
  const path = command.parent === null ? 'weir' : `weir ${command.name()}`
  const help = `'${path} --help' shows how.`
  const said = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
  const invalid = /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/.exec(
    said,
  )
  if (invalid !== null) return `${invalid[1]} ${invalid[2]}: ${invalid[3]}`
  const bare = /^option '(?:-\w, )?(--[\w-]+ [^']+)' argument missing$/.exec(said)
  if (bare !== null) return `${bare[1]} was written without its value; ${help}`
  const missing = /^missing required argument '(.*)'$/.exec(said)
  if (missing !== null) return `'${path}' needs a ${missing[1]}; ${help}`
  const guess = / \(Did you mean (.*)\?\)$/.exec(said)
  if (guess !== null) return `${said.slice(0, guess.index)}; did you mean '${guess[1]}'?`
  const many = /^too many arguments for '.*'\. Expected (\d+) .* got (\d+)/.exec(said)
  if (many !== null) {
    const argument = many[1] === '1' ? 'argument' : 'arguments'
    return `'${path}' takes ${many[1]} ${argument}, not ${many[2]}; ${help}`
  }
  const both = /^option '(?:-\w, )?(--[\w-]+)[^']*' cannot be used with option '(--[\w-]+)/.exec(
    said,
  )
  if (both !== null) return `${both[1]} and ${both[2]} contradict each other; keep one of them.`
  return /^unknown (command|option)/.test(said) ? `${said}; ${help}` : said
}
