/** Pages of documentation, their blocks of code, and the command lines that they show. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = dirname(dirname(fileURLToPath(import.meta.url)))

export const pages: readonly string[] = execFileSync('git', ['ls-files', '-z', '*.md'], {
  cwd: root,
})
  .toString()
  .split('\0')
  .filter((path) => path !== '' && path !== 'CHANGELOG.md')

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export function blocks(path: string, language: RegExp): string[] {
  return [...read(path).matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```/gm)]
    .filter(([, , word]) => language.test(word!))
    .map(([, indent, , text]) => text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/** Command lines in blocks of a shell, and those in back-ticks that are whole: with an argument. */
export function commandLines(path: string): string[] {
  const shell = blocks(path, /^(sh|bash)$/).flatMap((text) => text.split('\n'))
  const inline = [...read(path).matchAll(/`((?:\.\/)?weir [a-z]+ [^-`\n][^`\n]*)`/g)].map(
    ([, line]) => line!,
  )
  return [...shell, ...inline]
    .map((line) => line.trim().replace(/\s+#.*$/, ''))
    .map((line) => line.replace(/^source <\((.*)\)$/, '$1'))
    .filter((line) => /^(\.\/|npx )?weir /.test(line) && !/[<[…|]|\.\.\.| \\$/.test(line))
    .map((line) => line.replace(/^(\.\/|npx )?weir /, '').replace(/ >.*$/, ''))
}
