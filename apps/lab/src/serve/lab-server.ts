/**
 * Serves the built lab, and nothing else: the files are listed when the server starts, and a path
 * either is one of them or is not found. So no path can lead outside, however it is written.
 *
 * For Node only; the page never imports it. Any static host can serve the same files.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** The same policy as in the pages' own <meta>, and what only a header can say. */
const POLICY =
  "default-src 'none'; script-src 'self' blob:; worker-src 'self' blob:; style-src 'self'; " +
  "img-src 'self' data:; connect-src 'none'; frame-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'"

interface File {
  readonly type: string
  readonly plain: Buffer
  /** Made when it is first asked for: the compiler of TypeScript takes half a second. */
  readonly packed: Partial<Record<string, Buffer>>
}

/** How files are made smaller, the smallest first, by names that a browser says it accepts. */
const PACKINGS: readonly { readonly name: string; readonly pack: (plain: Buffer) => Buffer }[] = [
  {
    name: 'br',
    pack: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } }),
  },
  { name: 'gzip', pack: (plain) => gzipSync(plain) },
]

export function labServer(folder: string): Server {
  const files = readFiles(folder)
  return createServer((request, response) => answer(files, request, response))
}

function readFiles(folder: string): ReadonlyMap<string, File> {
  const files = new Map<string, File>()
  for (const name of readdirSync(folder)) {
    const type = TYPES[name.split('.').at(-1) ?? '']
    if (type === undefined) continue
    const plain = readFileSync(join(folder, name))
    files.set(`/${name}`, { type, plain, packed: {} })
  }
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  return files
}

function answer(
  files: ReadonlyMap<string, File>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('content-security-policy', POLICY)
  response.setHeader('x-content-type-options', 'nosniff')
  // The page is cross-origin isolated, so that its workers may share memory; the sandboxed frame
  // has an origin of its own, and its scripts are allowed to it.
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cross-origin-embedder-policy', 'require-corp')
  response.setHeader('cross-origin-resource-policy', 'cross-origin')
  response.setHeader('referrer-policy', 'no-referrer')
  // Names stay while contents change: a page asks each time, and this is loopback.
  response.setHeader('cache-control', 'no-cache')
  if (!isOurName(request.headers.host ?? '')) {
    response.writeHead(421, { 'content-type': 'text/plain' }).end('That is not this machine.\n')
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const path = (request.url ?? '/').split(/[?#]/u)[0] ?? '/'
  const file = files.get(path)
  if (file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n')
    return
  }
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const packing = PACKINGS.find(({ name }) => new RegExp(`\\b${name}\\b`, 'u').test(accepted))
  let body = file.plain
  if (packing !== undefined) {
    response.setHeader('content-encoding', packing.name)
    body = file.packed[packing.name] ??= packing.pack(file.plain)
  }
  response.writeHead(200, { 'content-type': file.type, 'content-length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * A page elsewhere can give its own name this machine's address and read what is answered to it
 * (DNS rebinding): only addresses, `localhost` and this machine's own name are answered.
 */
function isOurName(host: string): boolean {
  const [, six, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/u.exec(host) ?? []
  if (six !== undefined) return isIP(six) === 6
  const known = ['localhost', hostname().toLowerCase()]
  return isIP(name) === 4 || known.includes(name.toLowerCase().replace(/\.$/u, ''))
}
