/**
 * What a user reads names its sources, and is English: no internal name of a source, no number of a
 * plan or a task; 'per', where a rate or a count is of each; a number, where one is meant. Read are
 * the documents, the examples, and every text in a program that can be shown (strings, not
 * comments). The lab's texts are the lab's own.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  .toString()
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)))

const documents = files.filter(
  (path) => (path.endsWith('.md') || /^examples\/.*\.yaml$/.test(path)) && !/^apps\/lab/.test(path),
)
const programs = files.filter(
  (path) =>
    /^(apps\/cli|experiments|packages\/[\w-]+)\/.*\.ts$/.test(path) &&
    !/\.test\.ts$|\/testing\/|conforms/.test(path),
)

/** Things of which there is one, or some, of each. */
const EACH =
  'packet|hop|flow|figure|plot|port|class|input|output|sender|receiver|draw|run|scheme|sample|' +
  'command|second|round trip|window|switch|host|rack|link|server|document|source|line|file|RTT|ACK'

/** Spelt apart where this file would find itself. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b[Dd]ocuments? [A-E]\\b`), 'name the paper'],
  [new RegExp(`\\b${'MISS'}ION\\b`), 'name the paper, or leave it out'],
  [/\bissues? #?\d/, 'say what is meant; nobody else has the list'],
  [/\bseeds\/\d/, 'name the paper'],
  [new RegExp(`\\b${'so'} many\\b(?! (?:that|flows takes))`), 'say which number'],
  [
    new RegExp(
      `\\b(?:one|two|three|\\d+|events|bytes|bits|packets|flows|seconds|pictures|once|twice|` +
        `(?:one|an?|\\d+) (?!(?:on|at|of|by|in|to|from|for) )\\w+) an? (?:${EACH})\\b` +
        `(?!'s| of| that| with| to| is| in| may| has| can)`,
    ),
    "write 'per'",
  ],
]

function problemsIn(path: string, line: number, text: string): string[] {
  return FORBIDDEN.flatMap(([pattern, remedy]) => {
    const found = pattern.exec(text)
    return found === null ? [] : [`${path}:${line}: '${found[0]}': ${remedy}`]
  })
}

it('documents and examples name their sources, in plain English', () => {
  const wrong = documents.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => problemsIn(path, index + 1, line)),
  )
  expect(wrong).toEqual([])
})

it('so does every text that a program can show', () => {
  const wrong = programs.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const found: string[] = []
    const walk = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
        found.push(...problemsIn(path, line, node.getText(file)))
      }
      ts.forEachChild(node, walk)
    }
    walk(file)
    return found
  })
  expect(wrong).toEqual([])
})
