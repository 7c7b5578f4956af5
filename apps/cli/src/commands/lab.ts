/** `weir lab`: serves the laboratory on loopback; it opens a browser only if asked. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { FailedError, UserError } from '../errors.ts'
import { treeRoot } from '../root.ts'

interface LabOptions {
  readonly port: number
  readonly host: string
  readonly open: boolean
}

const EXAMPLES = `
Examples:
  weir lab                    serves the lab on a free port and prints its address
  weir lab --port 8080        on this port
The page holds the whole simulator: the files in dist/lab work from any static host as well.
`

const PORT_MAX = 65_535

export function labCommand(): Command {
  return new Command('lab')
    .description('serve the laboratory: the whole simulator as a web page')
    .option('--port <n>', 'port to listen on; 0 picks a free one', portOf, 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--open', 'open the page in the browser', false)
    .option('--no-open', 'only print its address (the default)')
    .addHelpText('after', EXAMPLES)
    .action(lab)
}

async function lab({ port, host, open }: LabOptions): Promise<void> {
  const root = treeRoot()
  const folder = fileURLToPath(new URL('./lab', import.meta.url))
  // An installed package has the lab as it was built, and no sources.
  if (existsSync(join(root, 'apps/lab')) && isStale(root, folder)) buildNow(root)
  const { labServer } = await import('../../../lab/src/serve/lab-server.ts')
  const server = labServer(folder)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(whyNot(error, host, port)))
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  process.stdout.write(`The lab is at http://${name}:${taken}/ (Ctrl-C ends it)\n`)
  if (open) openPage(`http://${name}:${taken}/`)
  if (!isLoopback(host)) {
    process.stderr.write(`weir: everyone who reaches ${host} can open the lab.\n`)
  }
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  server.closeAllConnections()
  server.close()
}

/** By the desktop's own program; where there is none, the address that was printed is enough. */
function openPage(url: string): void {
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  const child = spawn(program, [url], { detached: true, stdio: 'ignore' })
  child.once('error', () => {
    process.stderr.write('weir: no browser could be opened; open the address yourself.\n')
  })
  child.unref()
}

function whyNot(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new FailedError(`port ${port} is taken; name another with --port, or leave it out.`)
  }
  if (error.code === 'EACCES') {
    return new UserError(`port ${port} is not for everyone; name one above 1023 with --port.`)
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new UserError(`this machine has no address '${host}'; 127.0.0.1 is loopback.`)
  }
  return error
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** Missing, or older than what it is made of. */
function isStale(root: string, folder: string): boolean {
  const mark = join(folder, 'built')
  if (!existsSync(mark)) return true
  const builtMs = statSync(mark).mtimeMs
  const sources = ['packages', 'apps/lab', 'experiments', 'package-lock.json']
  return sources.some((path) => newestMs(join(root, path)) > builtMs)
}

function newestMs(path: string): number {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  let newest = 0
  for (const name of readdirSync(path)) {
    if (name === 'node_modules' || name.endsWith('.test.ts')) continue
    newest = Math.max(newest, newestMs(join(path, name)))
  }
  return newest
}

function buildNow(root: string): void {
  process.stderr.write('weir: building the lab ...\n')
  const { status } = spawnSync(process.execPath, [join(root, 'apps/lab/build.mjs')], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new FailedError('the lab could not be built; the reason is above.')
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= PORT_MAX) return port
  throw new UserError(`--port ${text}: a port is a whole number from 0 to ${PORT_MAX}.`)
}
