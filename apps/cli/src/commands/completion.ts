/** `weir completion`: a script for a shell, which completes commands, options and names. */
import process from 'node:process'
import { Command } from 'commander'
import { candidates, FILES, SHELLS } from '../completion.ts'
import { UserError } from '../errors.ts'
import { unknownName } from '../near-miss.ts'

const EXAMPLES = `
Examples:
  source <(weir completion bash)                             in ~/.bashrc
  source <(weir completion zsh)                              in ~/.zshrc, after compinit
  weir completion fish > ~/.config/fish/completions/weir.fish
`

/** Each asks `weir __complete` for one candidate per line; FILES stands for the shell's files. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_weir() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}" found
  # Bash takes ':' and '=' for ends of words; here they are parts of one.
  local line="\${COMP_LINE:0:COMP_POINT}"
  local -a words
  IFS=' ' read -r -a words <<< "$line"
  [[ "$line" == *' ' ]] && words+=('')
  found="$("\${COMP_WORDS[0]}" __complete -- "\${words[@]:1}" 2>/dev/null)"
  COMPREPLY=()
  if [[ "$found" == *'${FILES}'* ]]; then COMPREPLY=($(compgen -f -- "$word")); fi
  local last="\${words[\${#words[@]}-1]}"
  local cut="\${last%"$word"}"
  local one
  for one in $found; do
    [ "$one" = '${FILES}' ] || COMPREPLY+=("\${one#"$cut"}")
  done
}
complete -o filenames -o nosort -F _weir weir ./weir 2>/dev/null ||
  complete -o filenames -F _weir weir ./weir
`,
  zsh: `#compdef weir
_weir() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${found[(Ie)${FILES}]} )); then _files; fi
  found=("\${(@)found:#${FILES}}")
  found=("\${(@)found:#}")
  (( \${#found} )) && compadd -Q -- "\${found[@]}"
}
compdef _weir weir
`,
  fish: `function __weir_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete -- $words[2..-1] 2>/dev/null | while read -l one
    if test "$one" = '${FILES}'
      __fish_complete_path (commandline -ct)
    else
      echo $one
    end
  end
end
complete -c weir -f -a '(__weir_complete)'
`,
}

export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script that completes commands, options and names in your shell')
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText('after', EXAMPLES)
    .action((shell: string) => {
      const script = SCRIPTS[shell]
      if (script === undefined) {
        const remedy = `write one of ${SHELLS.join(', ')}.`
        throw new UserError(unknownName('script for', shell, SHELLS, remedy))
      }
      process.stdout.write(script)
    })
}

/** What the scripts ask; `program` is a function, for the catalogue holds this command itself. */
export function completeCommand(program: () => Command): Command {
  return new Command('__complete').argument('[words...]').action(async (words: string[]) => {
    const found = await candidates(program(), words)
    process.stdout.write(found.map((one) => `${one}\n`).join(''))
  })
}
