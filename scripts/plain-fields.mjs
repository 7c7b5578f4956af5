/**
 * Fields that V8 can count on. A class here hides what is its own (`#ports`), and JavaScript then
 * sets each such field twice: to undefined, and to its value in the constructor. V8 takes a field
 * that was set once for a constant, and knows what kind of thing is in it; of one that was set
 * twice it knows neither, and looks at each use. So what is bundled has plain fields, set once:
 * `#ports` is `ports$`, and in a class B that extends another, which may have its own, `ports$B`:
 * names that no source writes. The simulation runs 1.1 times as fast (bench/README.md). The type
 * checker has seen that nobody else touches them.
 *
 * The other half is `useDefineForClassFields: false` in tsconfig.json: a field that is declared
 * without a value is not set at all before the constructor does.
 */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const EXTENDS = ts.SyntaxKind.ExtendsKeyword

/** Names of such fields, for those who shorten names (`mangleProps`). */
export const PLAIN_FIELD = /^[A-Za-z]\w*\$(?:[A-Z]\w*)?$/

/** An esbuild plugin for Weir's own packages. */
export const plainFields = {
  name: 'plain-fields',
  setup(of) {
    of.onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: withPlainFields(readFileSync(path, 'utf8'), path),
      loader: 'ts',
    }))
  },
}

/** A source's text, each private name as a plain one. */
export function withPlainFields(text, path) {
  if (!/#[A-Za-z]/.test(text)) return text
  const places = []
  const look = (node, classes) => {
    let inside = classes
    if (ts.isClassLike(node)) {
      const members = node.members.map(({ name }) => name?.text)
      const isDerived = node.heritageClauses?.some(({ token }) => token === EXTENDS) === true
      const name = isDerived ? (node.name?.text ?? 'Class') : ''
      inside = [{ name, members: new Set(members) }, ...classes]
    }
    if (ts.isPrivateIdentifier(node)) {
      const owner = inside.find(({ members }) => members.has(node.text))
      if (owner === undefined) throw new Error(`${path}: no class here declares ${node.text}`)
      places.push({ at: node.getStart(source), name: node.text, owner: owner.name })
    }
    ts.forEachChild(node, (child) => look(child, inside))
  }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false)
  look(source, [])
  let plain = ''
  let from = 0
  for (const { at, name, owner } of places.sort((a, b) => a.at - b.at)) {
    plain += `${text.slice(from, at)}${name.slice(1)}$${owner}`
    from = at + name.length
  }
  return plain + text.slice(from)
}
