/** Specs that read well and could not be run: each is refused, and what just fits runs. */
import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import type { Result } from './result.ts'
import { loadSpec } from './spec/load.ts'

const star = (rest: string, hosts = 2): string =>
  `topology: {kind: star, hosts: ${hosts}}\n` +
  'workload: [{flows: [{from: h0, to: h1, size: 50KB}]}]\nrun: {until: 2ms}\n' +
  `${rest}\n`

const run = (text: string): Result => simulate(loadSpec({ text, sourceName: 'it' }))

describe('a fabric is refused for', () => {
  it.each([
    [
      'a buffer that no 32-bit count holds',
      star('fabric: {buffer: 2GiB}'),
      'it:4:18: fabric.buffer: a buffer of 2GiB is more than Weir counts for a switch; ' +
        'write at most 2GB',
    ],
    [
      'input buffers that no 32-bit count holds together',
      star('fabric: {switch: input-buffered, buffer: 2GiB, flowControl: credits}\nscheme: none'),
      'it:4:42: fabric.buffer: a buffer of 2GiB is more than Weir counts for each of 2 inputs ' +
        'and 2 classes that may meet at one output; write at most 250MB',
    ],
    [
      'headroom above the buffer',
      star('fabric: {buffer: 20KB, flowControl: pfc}'),
      "it:4:18: fabric.buffer: the headroom of switch's ports takes 38.088KB, " +
        'and its buffer has 20KB; write a larger buffer, or flowControl.headroom',
    ],
    [
      'headroom above the buffer, set by hand',
      star('fabric: {buffer: 100KB, flowControl: {kind: pfc, headroom: 30KB}}'),
      "it:4:60: fabric.flowControl.headroom: the headroom of switch's ports takes 120KB, " +
        'and its buffer has 100KB; write a smaller headroom, or a larger buffer',
    ],
    [
      "a buffer below a packet with its scheme's header",
      star('fabric: {switch: input-buffered, buffer: 1050B, flowControl: credits}\nscheme: hpcc'),
      'it:4:42: fabric.buffer: a buffer of 1.05KB cannot hold the longest packet, 1.09KB with ' +
        'what hpcc adds; make the buffer larger or the packets smaller',
    ],
    [
      'a credit that can keep a packet waiting for ever',
      star(
        'fabric: {switch: input-buffered, buffer: 2KB, ' +
          'flowControl: {kind: credits, credit: 940B}}\nscheme: hpcc',
      ),
      'it:4:84: fabric.flowControl.credit: a credit of 940B can leave less than the longest ' +
        'packet, 1.09KB with what hpcc adds, in a buffer of 2KB, for ever; ' +
        'write a smaller credit, or a larger buffer',
    ],
    [
      'a lossy threshold below a packet',
      star('fabric: {buffer: {size: 1MB, threshold: 1047B}, flowControl: none}\nscheme: none'),
      'it:4:41: fabric.buffer.threshold: a threshold of 1.047KB in an empty switch lets no ' +
        'packet of 1.048KB in, so all would be lost; write a larger one',
    ],
    [
      'a share of the buffer below a packet',
      star(
        'fabric: {buffer: {size: 10KB, threshold: {kind: dynamic, alpha: 0.1}}, ' +
          'flowControl: none}\nscheme: none',
      ),
      'it:4:42: fabric.buffer.threshold: a threshold of 1KB in an empty switch lets no packet ' +
        'of 1.048KB in, so all would be lost; write a larger one',
    ],
    [
      'neither XOFF nor headroom for a packet',
      star('fabric: {flowControl: {kind: pfc, xoff: 1KB, xonGap: 0, headroom: 1KB}}'),
      'it:4:67: fabric.flowControl.headroom: neither XOFF at 1KB nor a headroom of 1KB lets a ' +
        'packet of 1.048KB in, so all would be lost; write a larger xoff or headroom',
    ],
    [
      'an input buffer without room for headroom',
      star(
        'fabric: {switch: input-buffered, buffer: 64KB, flowControl: {kind: pfc, xoff: 60KB}}\n' +
          'scheme: none',
      ),
      'it:4:42: fabric.buffer: the headroom of 9.522KB that an input of switch needs after XOFF ' +
        'at 60KB does not fit into a buffer of 64KB; write a larger buffer, ' +
        'or flowControl.headroom',
    ],
    [
      'a table that its scheme finds empty',
      star('fabric: {switch: input-buffered}\nscheme: {name: infiniband, params: {cct: table}}'),
      'it:5:28: scheme.params.cctTable: it is empty; write delays such as "0us 0.1us 0.4us"',
    ],
    [
      'an ACK longer than a packet',
      star('hosts: {ack: {size: 1GB}}'),
      'it:4:21: hosts.ack.size: 1GB is more than a packet can hold; write at most 64KiB',
    ],
    [
      'more samples than anybody looks at',
      star('metrics: {interval: 1ps}'),
      'it:4:21: metrics.interval: an interval of 1ps asks for 2000000000 samples of each series ' +
        'in 2ms; write at least 2ns',
    ],
    [
      'more flows than a result holds',
      'topology: {kind: star, hosts: 2}\nworkload:\n' +
        '  - generate: {arrivals: {kind: periodic, period: 1ps}, sizes: 1KB}\n',
      'it:3:26: workload[0].generate.arrivals: this is about 20000000000 flows, and a result ' +
        'holds at most 2000000; let them come less often or for a shorter time, or set flowsMax',
    ],
    [
      'more flows in a window than memory holds, though events are few',
      'topology: {kind: star, hosts: 2}\nworkload:\n' +
        '  - generate: {arrivals: {kind: periodic, period: 1ps}, sizes: 1KB}\n' +
        'run: {eventsMax: 3000}\n',
      'it:3:26: workload[0].generate.arrivals: this is about 20000000000 flows, and a result ' +
        'holds at most 2000000; let them come less often or for a shorter time, or set flowsMax',
    ],
    [
      'a window that begins more flows than memory holds, though a result would hold them',
      'topology: {kind: star, hosts: 2, delay: 2us}\nworkload:\n' +
        '  - generate: {arrivals: {kind: poisson, interval: 1ps}, sizes: 1KB}\n' +
        'run: {until: 2us}\n',
      'it:3:26: workload[0].generate.arrivals: about 2000000 flows would begin within the ' +
        'shortest link delay, and memory holds 1200000 at once; let them come less often, or set ' +
        'flowsMax',
    ],
    [
      'more flows in one burst than memory holds at once',
      'topology: {kind: star, hosts: 1300}\nworkload:\n' +
        '  - generate: {pattern: {kind: all-to-all}, arrivals: once, sizes: 1KB}\n',
      'it:3:55: workload[0].generate.arrivals: about 1688700 flows would begin within the ' +
        'shortest link delay, and memory holds 1200000 at once; let them come less often, or set ' +
        'flowsMax',
    ],
  ])('%s', (_, text, sentence) => {
    expect(() => loadSpec({ text, sourceName: 'it' })).toThrow(sentence)
  })
})

describe('few events', () => {
  it('are enough for arrivals without end, where a window holds few of them', () => {
    const text =
      'topology: {kind: star, hosts: 2}\nworkload:\n' +
      '  - generate: {arrivals: {kind: periodic, period: 1ns}, sizes: 1KB}\n' +
      'run: {until: 1s, eventsMax: 3000}\n'
    expect(loadSpec({ text, sourceName: 'it' }).run.eventsMax).toBe(3000)
  })
})

describe('a fabric runs that just has room for', () => {
  it.each([
    [
      'one packet with its header, by credits',
      star('fabric: {switch: input-buffered, buffer: 1090B, flowControl: credits}\nscheme: hpcc'),
    ],
    [
      'one packet under its threshold',
      star('fabric: {buffer: {size: 1MB, threshold: 1048B}, flowControl: none}\nscheme: none'),
    ],
    [
      'one packet under XOFF',
      star('fabric: {flowControl: {kind: pfc, xoff: 1048B, xonGap: 0, headroom: 0}}\nscheme: none'),
    ],
    [
      'one packet in its headroom',
      star(
        'fabric: {flowControl: {kind: pfc, xoff: 1KB, xonGap: 0, headroom: 1048B}}\nscheme: none',
      ),
    ],
    ['headroom and a byte', star('fabric: {buffer: 38089B, flowControl: pfc}\nscheme: none')],
    [
      'input buffers of 250 MB',
      star('fabric: {switch: input-buffered, buffer: 250MB, flowControl: credits}\nscheme: none'),
    ],
  ])('%s', (_, text) => {
    const { counters, flows, ended } = run(text)
    expect(ended.why).toBe('completed')
    expect(flows.deliveredBytes).toEqual([50_000])
    expect(counters.packetsDropped).toBe(0)
  })
})

describe('PFC at input buffers', () => {
  const incast = (buffer: number, flowControl: string): Result =>
    run(`
topology: {kind: star, hosts: 5}
fabric: {switch: input-buffered, buffer: ${buffer}B, flowControl: ${flowControl}}
workload: [{generate: {arrivals: once, sizes: 300KB, pattern: {kind: incast, senders: 4}}}]
scheme: none
run: {until: 2ms}
`)

  it('keeps its headroom free, so that nothing is lost', () => {
    // 9,522 B follow XOFF at 25 Gb/s and 1 us: a larger alpha may not take them.
    for (const alpha of [0.125, 1, 1000]) {
      const { counters } = incast(20_000, `{kind: pfc, xoff: {kind: dynamic, alpha: ${alpha}}}`)
      expect(counters.packetsDropped).toBe(0)
      expect(counters.pauseFrames).toBeGreaterThan(10)
    }
    const exact = incast(20_000, '{kind: pfc, xoff: 10478B}')
    expect(exact.counters.packetsDropped).toBe(0)
  })

  it('loses packets where somebody sets less', () => {
    const { counters } = incast(20_000, '{kind: pfc, xoff: 16KB, headroom: 4KB}')
    expect(counters.packetsDropped).toBeGreaterThan(0)
  })
})
