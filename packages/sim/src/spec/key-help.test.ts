import { expect, it } from 'vitest'
import { keyHelp, keyMiss, keyPaths, topKeys } from './key-help.ts'

it('says what may stand at a key, what it is if nothing does, and what is needed', () => {
  expect(keyHelp('topology.star')).toBe(
    [
      'topology.star',
      '',
      '  kind   star (needed)',
      '  hosts  2 to 65536 (needed)',
      '  rate   a rate, such as 25Gbps (default 25Gbps)',
      '  delay  a time, such as 10us (default 1us)',
      '',
    ].join('\n'),
  )
  expect(keyHelp('fabric.ecn')).toMatch(
    /one of auto, none, threshold, red \(default auto\)\n\n {2}w/,
  )
  expect(keyHelp('fabric.flowControl.per-flow')).toMatch(/^ {2}xoff .*\(default auto\)$/m)
  expect(keyHelp('fabric.lanes.by-link.changes')).toMatch(/^ {2}becomes +0 to 15 \(needed\)$/m)
  expect(keyHelp('hosts.tcp')).toMatch(/^ {2}sack +true \| false \(default false\)$/m)
  expect(keyHelp('workload.generate.pattern.incast')).toMatch(
    /^ {2}senders +1 to 65536 \(needed\)/m,
  )
  expect(keyHelp('run.until')).toBe('run.until\n\n  a time, such as 10us (default 10ms)\n')
})

it('knows every key at the top, and no other', () => {
  for (const key of topKeys()) expect(keyHelp(key), key).toMatch(/\S\n$/)
  expect(keyHelp('hosts.tcq')).toBeUndefined()
  expect(keyHelp('topologies')).toBeUndefined()
})

it('says how far a wrong path goes, and what could stand there', () => {
  const { known, word, words } = keyMiss('hosts.tcp.sak')!
  expect([known, word]).toEqual(['hosts.tcp', 'sak'])
  expect(words).toContain('sack')
  expect(keyMiss('topology.sta')!.words).toContain('star')
  expect(keyMiss('run.until.now')!.words).toEqual([])
  expect(keyMiss('topologies.star')).toBeUndefined()
  expect(keyMiss('hosts.tcp')).toBeUndefined()
})

it('finds a key by its last word alone, the shortest path first', () => {
  expect(keyPaths('arrivals')).toEqual(['workload.generate.arrivals'])
  expect(keyPaths('sack')).toEqual(['hosts.tcp.sack'])
  expect(keyPaths('hosts')[0]).toBe('hosts')
  expect(keyPaths('nowhere')).toEqual([])
})
