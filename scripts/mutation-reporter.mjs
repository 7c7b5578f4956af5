/**
 * A reporter for Stryker that writes each mutant down as it is tested, one line of JSON each, into
 * <report>l (results/mutation/theory.jsonl): Stryker's own report comes at the end, and a run that
 * is cut would not say which mutants lived. `npm run mutation -- --report <file>.jsonl` prints it.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PluginKind, commonTokens, declareClassPlugin } from '@stryker-mutator/api/plugin'

class LineByLine {
  static inject = [commonTokens.options]
  #path

  constructor({ jsonReporter }) {
    this.#path = `${jsonReporter.fileName}l`
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(this.#path, '')
  }

  onMutantTested({ fileName, status, mutatorName, replacement, location }) {
    const line = { fileName, status, mutatorName, replacement, location }
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`)
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'lines', LineByLine)]
