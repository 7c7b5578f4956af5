/** Bundles hdl/main.ts and runs it; nextpnr is installed aside when a command needs it. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = dirname(fileURLToPath(import.meta.url))
const root = dirname(folder)
const NEXTPNR = '@yowasp/nextpnr-ice40@0.8.621'

if (process.argv[2] === 'report') installNextpnr()
mkdirSync(join(root, 'dist'), { recursive: true })
const bundle = join(root, 'dist', `hdl-${process.pid}.mjs`)
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['hdl/main.ts'],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['@yowasp/*'],
    logLevel: 'warning',
  })
  const { status } = spawnSync(process.execPath, [bundle, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, WEIR_HDL_FOLDER: folder },
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(bundle, { force: true })
}

function installNextpnr() {
  const aside = join(root, 'dist', 'nextpnr')
  if (existsSync(join(aside, 'node_modules', '@yowasp', 'nextpnr-ice40'))) return
  mkdirSync(aside, { recursive: true })
  console.error(`hdl: installing ${NEXTPNR} (once) ...`)
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  const args = ['install', '--prefix', '.', ...quiet, NEXTPNR]
  const { status } = spawnSync('npm', args, { cwd: aside, stdio: 'inherit' })
  if (status === 0) return
  console.error('hdl: nextpnr could not be installed; the reason is above.')
  process.exit(1)
}
