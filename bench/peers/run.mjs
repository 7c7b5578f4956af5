/** Bundles bench/peers/main.ts and runs it, as hdl/run.mjs does. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(folder))
mkdirSync(join(root, 'dist'), { recursive: true })
const bundle = join(root, 'dist', `peers-${process.pid}.mjs`)
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/peers/main.ts'],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    logLevel: 'warning',
  })
  const { status } = spawnSync(process.execPath, [bundle, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, WEIR_PEERS_FOLDER: folder },
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(bundle, { force: true })
}
