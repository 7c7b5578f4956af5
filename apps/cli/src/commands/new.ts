/** `weir new scheme`: the starting file of a scheme of one's own, and its test. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import { UserError } from '../errors.ts'
import { treeRoot } from '../root.ts'
import { shellLine } from '../scenario.ts'
import { version } from '../version.ts'
import { checkWritable, writeTogether } from '../write-file.ts'

const EXAMPLES = `
Examples:
  weir new scheme my-scheme                      my-scheme.ts and my-scheme.test.ts, here
  weir new scheme my-scheme --out schemes        in another folder
  weir compare incast --scheme ./my-scheme.ts    compare it with all others
`

export function newCommand(): Command {
  return new Command('new')
    .description('write a starting file for a scheme of your own, and its test')
    .argument('<kind>', "what to write: 'scheme'")
    .argument('<name>', 'its name: lower-case letters, digits and hyphens')
    .option('--out <dir>', 'the folder to write to', '.')
    .addHelpText('after', EXAMPLES)
    .action(write)
}

async function write(kind: string, name: string, { out }: { readonly out: string }): Promise<void> {
  if (kind !== 'scheme') {
    throw new UserError(`there is no starting file for '${kind}'; write: weir new scheme ${name}`)
  }
  const { schemes, starterTestText, starterText } = await import('@weir/schemes')
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u.test(name)) {
    throw new UserError(
      `'${name}' cannot be a scheme's name; use small letters, digits and hyphens: my-scheme.`,
    )
  }
  if (schemes.some((scheme) => scheme.name === name)) {
    throw new UserError(`there is a scheme '${name}' already; give yours another name.`)
  }
  const [file, test] = [join(out, `${name}.ts`), join(out, `${name}.test.ts`)]
  const taken = [file, test].find((path) => existsSync(path))
  if (taken !== undefined) {
    throw new UserError(`'${taken}' is there already, and is left as it is; choose another name.`)
  }
  checkWritable([file, test])
  writeTogether(out, [
    [file, starterText({ name, from: 'weir' })],
    [test, starterTestText(name)],
  ])
  const path = /^[./]/u.test(file) ? file : `./${file}`
  process.stdout.write(
    `written: ${file}, ${test}\n\n` +
      `compare it    weir compare incast --scheme ${path}\n` +
      `test it       ${testLine(name)}\n`,
  )
}

/** The package comes from here: npm's registry has another of that name, by somebody else. */
function testLine(name: string): string {
  const root = treeRoot()
  const isCheckout = existsSync(join(root, 'packages'))
  const install = 'npm install --save-dev vitest'
  const run = `npx vitest run ${name}`
  if (!isCheckout) return `${install} && ${run}`
  const tarball = shellLine([join(root, `weir-${version}.tgz`)])
  return `(cd ${shellLine([root])} && npm pack) && ${install} ${tarball} && ${run}`
}
