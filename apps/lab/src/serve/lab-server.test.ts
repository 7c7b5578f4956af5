/** The server gives out the lab's files and nothing else, whatever is asked. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { get } from 'node:http'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { labServer } from './lab-server.ts'

describe('the server of the lab', () => {
  let folder: string
  let server: Server
  let port: number

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weir-serve-'))
    mkdirSync(join(folder, 'lab'))
    writeFileSync(join(folder, 'secret.html'), 'secret')
    writeFileSync(join(folder, 'lab', 'index.html'), '<p>lab</p>')
    writeFileSync(join(folder, 'lab', 'lab.js'), 'lab()')
    writeFileSync(join(folder, 'lab', 'notes.txt'), 'not of the lab')
    symlinkSync('/etc/passwd', join(folder, 'lab', 'passwd'))
    server = labServer(join(folder, 'lab'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A request as written: clients would tidy the path up. */
  const ask = (path: string, method: string = 'GET', host: string = '127.0.0.1'): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    })

  it('serves its files with a policy that lets nothing out', async () => {
    const page = await ask('/')
    expect(page).toContain('200 OK')
    expect(page).toContain('<p>lab</p>')
    expect(page).toMatch(/content-security-policy: default-src 'none'.*connect-src 'none'/u)
    expect(page).toContain('x-content-type-options: nosniff')
    expect(await ask('/lab.js?x=1')).toContain('lab()')
  })

  it('finds nothing outside its files, however the path is written', async () => {
    const paths = [
      '/../secret.html',
      '/%2e%2e/secret.html',
      '/..%2fsecret.html',
      '/lab/../../secret.html',
      '//secret.html',
      '/./index.html',
      '/\\..\\secret.html',
      '/passwd',
      '/notes.txt',
      '/index.html%00.js',
      '/__proto__',
      '/constructor',
      'http://elsewhere/secret.html',
    ]
    for (const path of paths) {
      const answer = await ask(path)
      expect(answer, path).toMatch(/^HTTP\/1\.1 (404|400)/u)
      expect(answer, path).not.toContain('secret')
    }
  })

  it('answers only to its own names, so that no other page can read it', async () => {
    for (const host of ['127.0.0.1:80', 'localhost', 'LOCALHOST:8080', '[::1]:80', '10.0.0.7']) {
      expect(await ask('/', 'GET', host), host).toContain('200 OK')
    }
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '']) {
      const answer = await ask('/', 'GET', host)
      expect(answer, host).toMatch(/^HTTP\/1\.1 421/u)
      expect(answer, host).not.toContain('<p>lab</p>')
    }
  })

  it('only reads', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await ask('/', method), method).toContain('405')
    }
    const head = await ask('/', 'HEAD')
    expect(head).toContain('200')
    expect(head).not.toContain('<p>')
  })

  it('packs files as tightly as the browser can unpack them', async () => {
    const packed = (encodings: string): Promise<[string | undefined, Buffer]> =>
      new Promise((resolve, reject) => {
        const headers = { 'accept-encoding': encodings }
        get({ host: '127.0.0.1', port, path: '/lab.js', headers }, (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () =>
            resolve([response.headers['content-encoding'], Buffer.concat(parts)]),
          )
        }).on('error', reject)
      })
    const [br, tightest] = await packed('gzip, deflate, br')
    expect([br, String(brotliDecompressSync(tightest))]).toEqual(['br', 'lab()'])
    const [gzip, body] = await packed('deflate, gzip')
    expect([gzip, String(gunzipSync(body))]).toEqual(['gzip', 'lab()'])
    expect(await packed('identity')).toEqual([undefined, Buffer.from('lab()')])
  })
})
