/**
 * Every way of going wrong that we could think of, with the sentence it gets. A row is a name, a
 * spec and the whole message; one that ends in `...` is compared so far, where another package
 * words the rest.
 */
import { describe, expect, it } from 'vitest'
import { loadSpec } from './load.ts'
import { SpecError } from './spec-error.ts'
import { testCards } from './test-cards.ts'

const T = 'topology: {kind: star, hosts: 4}\n'
const W = 'workload: [{flows: [{from: h0, to: h1, size: 1MB}]}]\n'
/** Up to the generator that a case writes. */
const G = `${T}workload:\n  - generate: `

const FILES: Readonly<Record<string, string>> = {
  'cut.csv': 'from,to,size,start\nh0,h1,1MB,0us\nh1,h2,1M',
  'empty.csv': '\n',
  'nothing.csv': 'from,to,size,start\nh0,h1,0B,0us\n',
  'tiny.csv': 'from,to,size,start\nh0,h1,1e-999B,0us\n',
  'never.csv': 'from,to,size,start,stop\nh0,h1,,0us,0us\n',
  'huge.txt': '1 0\n1e308 1\n',
  'wrong-host.csv': 'from,to,size,start\nh0,h7,1MB,0us\n',
  'short.txt': '1000 0.5\n2000 0.9\n',
  'broken-links.txt': 'h0 s0\nh1\n',
  'links.txt': 'h0 s0\nh1 s0\n',
}

const refused: readonly (readonly [name: string, text: string, sentence: string])[] = [
  [
    'an unclosed bracket',
    `topology: {kind: star, hosts: 4\n${W}`,
    'bad.yaml:2:1: this is not YAML or JSON...',
  ],
  [
    'a key written twice',
    `${T}seed: 1\nseed: 2\n${W}`,
    'bad.yaml:3:1: this key is written twice in the same mapping; keep one of them',
  ],
  [
    'a tab for indentation',
    `topology:\n	kind: star\n${W}`,
    'bad.yaml:2:1: this line is indented by a tab; use spaces',
  ],
  [
    'two documents in a file',
    `${T}${W}---\n${T}`,
    'bad.yaml:3:1: there is a second document here (after ---); a file holds one spec',
  ],
  [
    'an alias without an anchor',
    `topology: *mine\n${W}`,
    'bad.yaml:1:11: there is no anchor &mine before this alias; write one, or the value',
  ],
  [
    'a bad indentation',
    `topology:\n  kind: star\n hosts: 4\n${W}`,
    'bad.yaml:3:1: this is not YAML or JSON...',
  ],
  ['an empty file', '', 'bad.yaml: the spec is empty; write at least a topology and a workload'],
  [
    'a list instead of a spec',
    '- 1\n- 2\n',
    'bad.yaml:1:1: a list is not a spec; write a mapping with the keys name, title, ' +
      'description, seed, chanceSeed, topology, fabric, hosts, routing, links ... (14 in all)',
  ],
  [
    'a word instead of a spec',
    'incast\n',
    'bad.yaml:1:1: "incast" is not a spec; write a mapping with the keys name, title, ' +
      'description, seed, chanceSeed, topology, fabric, hosts, routing, links ... (14 in all)',
  ],
  [
    'no topology',
    `${W}`,
    'bad.yaml:1:1: topology: missing; write a kind of topology: star, dumbbell, leaf-spine...',
  ],
  [
    'no workload',
    `${T}`,
    'bad.yaml:1:1: workload: missing; write items, each with flows, flowsFile, generate or ' +
      'messages',
  ],
  [
    'a misspelt section',
    `${T}${W}fabrics: {}\n`,
    'bad.yaml:3:1: fabrics: a spec has no key "fabrics"; did you mean fabric?',
  ],
  [
    'a section without a near name',
    `${T}${W}colour: red\n`,
    'bad.yaml:3:1: colour: a spec has no key "colour"; ' +
      'write name, title, description, seed, chanceSeed, topology, fabric, hosts, routing, links ' +
      '... (14 in all)',
  ],
  [
    'a section with nothing under it',
    `${T}${W}fabric:\n`,
    'bad.yaml:3:1: fabric: there is nothing under this key; ' +
      'write the fabric, with the keys switch, forwarding, switchDelay, classes, scheduler, ' +
      'lanes, buffer, flowControl and ecn, or leave it out',
  ],
  [
    'a section that is a list',
    `${T}${W}fabric: [1]\n`,
    'bad.yaml:3:9: fabric: a list is not the fabric; ' +
      'write a mapping with the keys switch, forwarding, switchDelay, classes, scheduler, lanes, ' +
      'buffer, flowControl and ecn',
  ],
  [
    'a seed that is no number',
    `${T}${W}seed: one\n`,
    'bad.yaml:3:7: seed: "one" is not a whole number; ' +
      'write a whole number from 0 to 2147483647, such as 1',
  ],
  [
    'a negative seed',
    `${T}${W}seed: -1\n`,
    'bad.yaml:3:7: seed: -1 is too small; write a whole number from 0 to 2147483647, such as 1',
  ],
  [
    'two seeds',
    `${T}${W}seed: 1\nrun: {seed: 2}\n`,
    'bad.yaml:4:13: run.seed: the seed is 2 here and 1 at the top; keep one of them',
  ],
  [
    'a name with a space',
    `${T}${W}name: my run\n`,
    'bad.yaml:3:7: name: "my run" has a space in it; write a name such as incast',
  ],
  [
    'a title that is a list',
    `${T}${W}title: [a]\n`,
    'bad.yaml:3:8: title: a list is not a title; write a title such as Sixteen to one',
  ],
  [
    'SACK that is neither on nor off',
    `${T}${W}hosts: {tcp: {sack: maybe}}\n`,
    'bad.yaml:3:21: hosts.tcp.sack: "maybe" is not yes or no; write true or false',
  ],
  [
    'a kind of connection that there is not',
    `${T}${W}hosts: {tcp: {connection: keep}}\n`,
    'bad.yaml:3:27: hosts.tcp.connection: "keep" is not a kind of connection; ' +
      'write per-flow or persistent',
  ],
  [
    'an idle restart that is neither on nor off',
    `${T}${W}hosts: {tcp: {idleRestart: 1s}}\n`,
    'bad.yaml:3:28: hosts.tcp.idleRestart: "1s" is not yes or no; write true or false',
  ],
  [
    'a topology without its hosts',
    `topology: star\n${W}`,
    'bad.yaml:1:11: topology.hosts: missing; write a whole number from 2 to 65536, such as 17',
  ],
  [
    'a topology without its kind',
    `topology: {hosts: 4}\n${W}`,
    'bad.yaml:1:1: topology.kind: missing; say which kind: star, dumbbell, leaf-spine...',
  ],
  [
    'a misspelt kind of topology',
    `topology: {kind: leafspin, leaves: 2}\n${W}`,
    'bad.yaml:1:18: topology.kind: "leafspin" is not a kind of topology; did you mean leaf-spine?',
  ],
  [
    'a kind of topology that is a number',
    `topology: {kind: 7}\n${W}`,
    'bad.yaml:1:18: topology.kind: 7 is not a kind of topology; write star, dumbbell...',
  ],
  [
    'a misspelt word for a topology',
    `topology: strar\n${W}`,
    'bad.yaml:1:11: topology: "strar" is not a kind of topology; did you mean star?',
  ],
  [
    'a key of another topology',
    `topology: {kind: star, hosts: 4, leaves: 2}\n${W}`,
    'bad.yaml:1:34: topology.leaves: a star has no key "leaves"; write kind, hosts, rate or delay',
  ],
  [
    'a star of one host',
    `topology: {kind: star, hosts: 1}\n${W}`,
    'bad.yaml:1:31: topology.hosts: 1 is too small; ' +
      'write a whole number from 2 to 65536, such as 17',
  ],
  [
    'half a host',
    `topology: {kind: star, hosts: 2.5}\n${W}`,
    'bad.yaml:1:31: topology.hosts: 2.5 is not a whole number; ' +
      'write a whole number from 2 to 65536, such as 17',
  ],
  [
    'hosts in words',
    `topology: {kind: star, hosts: four}\n${W}`,
    'bad.yaml:1:31: topology.hosts: "four" is not a whole number; ' +
      'write a whole number from 2 to 65536, such as 17',
  ],
  [
    'a rate without a unit',
    `topology: {kind: star, hosts: 4, rate: 25}\n${W}`,
    "bad.yaml:1:40: topology.rate: '25' has no unit...",
  ],
  [
    'a rate of zero',
    `topology: {kind: star, hosts: 4, rate: 0Gbps}\n${W}`,
    'bad.yaml:1:40: topology.rate: "0Gbps" is zero; write a rate such as 25Gbps',
  ],
  [
    'a negative rate',
    `topology: {kind: star, hosts: 4, rate: -25Gbps}\n${W}`,
    "bad.yaml:1:40: topology.rate: '-25Gbps' is negative...",
  ],
  [
    'a rate in bytes',
    `topology: {kind: star, hosts: 4, rate: 25GB}\n${W}`,
    "bad.yaml:1:40: topology.rate: '25GB' counts bytes...",
  ],
  [
    'a delay with the unit of a rate',
    `topology: {kind: star, hosts: 4, delay: 1Gbps}\n${W}`,
    "bad.yaml:1:41: topology.delay: '1Gbps' has the unit...",
  ],
  [
    'a delay in the wrong case',
    `topology: {kind: star, hosts: 4, delay: 1US}\n${W}`,
    "bad.yaml:1:41: topology.delay: '1US' has the unit...",
  ],
  [
    'an odd fat tree',
    `topology: {kind: fat-tree, k: 5}\n${W}`,
    'bad.yaml:1:31: topology.k: it is 5...',
  ],
  [
    'a torus without dimensions',
    `topology: {kind: torus, dimensions: []}\n${W}`,
    'bad.yaml:1:37: topology.dimensions: it has 0 sizes...',
  ],
  [
    'a dimension of zero',
    `topology: {kind: torus, dimensions: [4, 0]}\n${W}`,
    'bad.yaml:1:41: topology.dimensions[1]: 0 is too small; ' +
      'write a whole number from 1 to 4096, such as 8',
  ],
  [
    'cores that cannot be shared out',
    `topology: {kind: three-tier, cores: 15}\n${W}`,
    'bad.yaml:1:37: topology.cores: it is 15...',
  ],
  [
    'a folded Clos too small for its hosts',
    `topology: {kind: folded-clos, hosts: 100, radix: 4}\n${W}`,
    'bad.yaml:1:38: topology.hosts: it is 100...',
  ],
  [
    'a link to a node that is not there',
    `topology: {kind: graph, hosts: [h0, h1], switches: [s0], links: [h0 s0, h1 s1]}\n${W}`,
    'bad.yaml:1:73: topology.links[1]: it names...',
  ],
  [
    'a link that is no link',
    `topology: {kind: graph, hosts: [h0, h1], switches: [s0], links: [h0, h1 s0]}\n${W}`,
    'bad.yaml:1:66: topology.links[0]: "h0" is not a link; ' +
      'write two nodes, then rate and delay if they differ: h0 leaf0 25Gbps 1us',
  ],
  [
    'a link with a bad rate',
    `topology: {kind: graph, hosts: [h0, h1], switches: [s0], links: [h0 s0 10, h1 s0]}\n${W}`,
    "bad.yaml:1:66: topology.links[0]: '10' has no unit...",
  ],
  [
    'a topology in two parts',
    `topology: {kind: graph, hosts: [h0, h1], switches: [s0, s1], links: [h0 s0, h1 s1]}\n${W}`,
    'bad.yaml:1:11: topology: the topology falls apart...',
  ],
  [
    'two nodes of one name',
    `topology: {kind: graph, hosts: [h0, h0], switches: [s0], links: [h0 s0]}\n${W}`,
    'bad.yaml:1:11: topology: two nodes of...',
  ],
  [
    'a host with two links',
    `topology: {kind: graph, hosts: [h0, h1], switches: [s0], links: [h0 s0, h0 s0, h1 s0]}\n${W}`,
    'bad.yaml:1:11: topology: the host "h0" has...',
  ],
  [
    'a graph without links',
    `topology: {kind: graph, hosts: [h0, h1], switches: [s0]}\n${W}`,
    'bad.yaml:1:1: topology.links: missing; write the links, each two nodes, then rate and ' +
      'delay if they differ: h0 leaf0 25Gbps 1us',
  ],
  [
    'a graph whose file is missing',
    `topology: {kind: graph, file: nowhere.txt}\n${W}`,
    'bad.yaml:1:31: topology.file: the file "nowhere.txt" cannot be read; ' +
      "give its path from the spec's folder",
  ],
  [
    'a graph with a file and links',
    `topology: {kind: graph, file: links.txt, links: [h0 s0]}\n${W}`,
    'bad.yaml:1:49: topology.links: the file has the links; leave links or file out',
  ],
  [
    'an error in a file of links',
    `topology: {kind: graph, file: broken-links.txt}\n${W}`,
    'bad.yaml:1:31: topology.file: broken-links.txt, line 2...',
  ],
  [
    'a misspelt kind of switch',
    `${T}${W}fabric: {switch: shared}\n`,
    'bad.yaml:3:18: fabric.switch: "shared" is not a kind of switch; ' +
      'write shared-memory, input-buffered or per-flow-queues',
  ],
  [
    'a misspelt key in the fabric',
    `${T}${W}fabric: {bufer: 1MB}\n`,
    'bad.yaml:3:10: fabric.bufer: the fabric has no key "bufer"; did you mean buffer?',
  ],
  [
    'seventeen classes',
    `${T}${W}fabric: {classes: 17}\n`,
    'bad.yaml:3:19: fabric.classes: 17 is too large; write a whole number from 1 to 16, such as 8',
  ],
  [
    'a misspelt flow control',
    `${T}${W}fabric: {flowControl: pcf}\n`,
    'bad.yaml:3:23: fabric.flowControl: "pcf" is not a kind of flow control; did you mean pfc?',
  ],
  [
    'a flow control that is a list',
    `${T}${W}fabric: {flowControl: [pfc]}\n`,
    'bad.yaml:3:23: fabric.flowControl: a list is not a kind of flow control; ' +
      'write none, pause, pfc, credits or per-flow, or a mapping with kind',
  ],
  [
    'a buffer that is a word',
    `${T}${W}fabric: {buffer: big}\n`,
    'bad.yaml:3:18: fabric.buffer: "big" is not a size; write a size such as 64KB',
  ],
  [
    'a buffer in bits',
    `${T}${W}fabric: {buffer: 32Mb}\n`,
    "bad.yaml:3:18: fabric.buffer: '32Mb' counts bits...",
  ],
  [
    'a buffer below one packet',
    `${T}${W}fabric: {buffer: 1000B}\n`,
    'bad.yaml:3:18: fabric.buffer: a buffer of 1KB cannot hold one packet of 1.048KB ' +
      '(hosts.mtu and hosts.header); make the buffer larger or the packets smaller',
  ],
  [
    'a threshold above the buffer',
    `${T}${W}fabric: {buffer: {size: 1MB, threshold: 2MB}}\n`,
    'bad.yaml:3:41: fabric.buffer.threshold: a threshold of 2MB is above the buffer of 1MB; ' +
      'write at most the buffer',
  ],
  [
    'a threshold that is neither',
    `${T}${W}fabric: {buffer: {threshold: dynamc}}\n`,
    'bad.yaml:3:30: fabric.buffer.threshold: "dynamc" is not a threshold; did you mean dynamic?',
  ],
  [
    'XOFF above the buffer',
    `${T}${W}fabric: {buffer: 100KB, flowControl: {kind: pfc, xoff: 200KB}}\n`,
    'bad.yaml:3:56: fabric.flowControl.xoff: XOFF at 200KB is above the buffer of 100KB, so ' +
      'packets would be lost before it; write less than the buffer',
  ],
  [
    'XON below zero',
    `${T}${W}fabric: {flowControl: {kind: pfc, xoff: 2KB, xonGap: 3KB}}\n`,
    'bad.yaml:3:54: fabric.flowControl.xonGap: a gap of 3KB below XOFF at 2KB is below zero, ' +
      'so a paused link would never go on; write a smaller xonGap or a larger xoff',
  ],
  [
    'headroom that does not fit',
    `${T}${W}fabric: {buffer: 100KB, flowControl: {kind: pfc, xoff: 64KB, headroom: 64KB}}\n`,
    'bad.yaml:3:72: fabric.flowControl.headroom: XOFF and headroom together take 128KB of a ' +
      'buffer of 100KB; write a smaller headroom or a larger buffer',
  ],
  [
    'headroom that is a word',
    `${T}${W}fabric: {flowControl: {kind: pfc, headroom: atuo}}\n`,
    'bad.yaml:3:45: fabric.flowControl.headroom: "atuo" is not a size; ' +
      'write a size such as 64KB, or auto',
  ],
  [
    'an alpha of zero',
    `${T}${W}fabric: {flowControl: {kind: pfc, xoff: {kind: dynamic, alpha: 0}}}\n`,
    'bad.yaml:3:64: fabric.flowControl.xoff.alpha: 0 is out of range; ' +
      'write a number from 0.001 to 1000, such as 1/8',
  ],
  [
    'credits on shared memory',
    `${T}${W}fabric: {flowControl: credits}\n`,
    'bad.yaml:3:23: fabric.flowControl: credits count free space at an input, which a ' +
      'shared-memory switch does not have; write switch: input-buffered, or flowControl: pfc',
  ],
  [
    'single flows stopped by a shared memory',
    `${T}${W}fabric: {flowControl: per-flow}\n`,
    'bad.yaml:3:23: fabric.flowControl: a shared-memory switch has no queue for each flow, so ' +
      'it cannot stop one; write switch: per-flow-queues, or another flowControl',
  ],
  [
    'PFC for per-flow queues',
    `${T}${W}fabric: {switch: per-flow-queues, flowControl: pfc}\n`,
    'bad.yaml:3:48: fabric.flowControl: per-flow queues stop single flows, and ' +
      'flowControl is pfc; write flowControl: per-flow, or another switch',
  ],
  [
    'a buffer for per-flow queues',
    `${T}${W}fabric: {switch: per-flow-queues, buffer: 1MB}\n`,
    'bad.yaml:3:43: fabric.buffer: per-flow queues take the memory that they need, and ' +
      'the result says how much; leave its size out, or write another switch',
  ],
  [
    'input queues beside per-flow queues',
    `${T}${W}fabric: {switch: per-flow-queues, buffer: {inputQueue: voq}}\n`,
    'bad.yaml:3:56: fabric.buffer.inputQueue: a switch with per-flow queues has no queues at its ' +
      'inputs; leave inputQueue out, or write switch: input-buffered',
  ],
  [
    'a threshold of nothing for per-flow queues',
    `${T}${W}fabric: {switch: per-flow-queues, flowControl: {kind: per-flow, xoff: 0B}}\n`,
    'bad.yaml:3:71: fabric.flowControl.xoff: ...',
  ],
  [
    'a credit above the buffer',
    `${T}${W}fabric: {switch: input-buffered, buffer: 4KB, ` +
      `flowControl: {kind: credits, credit: 8KB}}\n`,
    'bad.yaml:3:84: fabric.flowControl.credit: a credit of 8KB is above the buffer of 4KB, so ' +
      'none would ever be returned; write a smaller one',
  ],
  [
    'a credit that leaves no room for a packet',
    `${T}${W}fabric: {switch: input-buffered, buffer: 4KB, ` +
      `flowControl: {kind: credits, credit: 4KB}}\n`,
    'bad.yaml:3:84: fabric.flowControl.credit: a credit of 4KB can leave less than one packet ' +
      'of 1.048KB in a buffer of 4KB, for ever; write a smaller one, or a larger buffer',
  ],
  [
    'PAUSE with classes',
    `${T}${W}fabric: {flowControl: pause, classes: 4}\n`,
    'bad.yaml:3:39: fabric.classes: PAUSE (802.3x) stops a whole link and knows no classes, ' +
      'and there are 4; write classes: 1, or flowControl: pfc',
  ],
  [
    'input queues on shared memory',
    `${T}${W}fabric: {buffer: {inputQueue: voq}}\n`,
    'bad.yaml:3:31: fabric.buffer.inputQueue: a shared-memory switch has no queues at its ' +
      'inputs; leave inputQueue out, or write switch: input-buffered',
  ],
  [
    'a weight missing',
    `${T}${W}fabric: {classes: 4, scheduler: {kind: weighted-round-robin, weights: [1, 2]}}\n`,
    'bad.yaml:3:71: fabric.scheduler.weights: there are 2 weights for 4 classes; ' +
      'write one for each class, from class 0 up',
  ],
  [
    'a scheduler without its weights',
    `${T}${W}fabric: {scheduler: weighted-round-robin}\n`,
    'bad.yaml:3:21: fabric.scheduler.weights: missing; ' +
      'write a weight for each class, such as [1, 1, 1, 4]',
  ],
  [
    'kmin above kmax',
    `${T}${W}fabric: {ecn: {kind: red, kmin: 500KB, kmax: 400KB}}\n`,
    'bad.yaml:3:33: fabric.ecn.kmin: kmin (500KB) is above kmax (400KB); ' +
      'write kmin below or at kmax',
  ],
  [
    'pmax above one',
    `${T}${W}fabric: {ecn: {kind: red, pmax: 1.5}}\n`,
    'bad.yaml:3:33: fabric.ecn.pmax: 1.5 is out of range; write a number from 0 to 1, such as 0.2',
  ],
  [
    'a threshold marking without K',
    `${T}${W}fabric: {ecn: {kind: threshold}}\n`,
    'bad.yaml:3:10: fabric.ecn.k: missing; write a size such as 100KB',
  ],
  [
    'a misspelt moment to mark',
    `${T}${W}fabric: {ecn: {kind: threshold, k: 65KB, at: queue}}\n`,
    'bad.yaml:3:46: fabric.ecn.at: "queue" is not a moment to mark; write enqueue or dequeue',
  ],
  [
    'an MTU of zero',
    `${T}${W}hosts: {mtu: 0B}\n`,
    'bad.yaml:3:14: hosts.mtu: "0B" is zero; write a size such as 1000B',
  ],
  [
    'an MTU beyond any packet',
    `${T}${W}hosts: {mtu: 1MB}\n`,
    'bad.yaml:3:14: hosts.mtu: 1MB is more than a packet can hold; write at most 64KiB',
  ],
  [
    'ACKs that are a word',
    `${T}${W}hosts: {ack: some}\n`,
    'bad.yaml:3:14: hosts.ack: "some" is not a way to acknowledge; ' +
      'write none, or a mapping such as {every: 1, size: 60B}',
  ],
  [
    'a fraction of an ACK',
    `${T}${W}hosts: {ack: {every: 0.5}}\n`,
    'bad.yaml:3:22: hosts.ack.every: 0.5 is not a whole number; ' +
      'write a whole number from 0 to 1024, such as 1',
  ],
  [
    'a lossless class that does not exist',
    `${T}${W}fabric: {classes: 2, flowControl: {kind: pfc, lossless: [3]}}\n`,
    'bad.yaml:3:58: fabric.flowControl.lossless[0]: class 3 does not exist ...',
  ],
  [
    'a reserve in input buffers',
    `${T}${W}fabric: {switch: input-buffered, flowControl: {kind: pfc, reserve: 4KiB}}\n`,
    'bad.yaml:3:68: fabric.flowControl.reserve: reserve divides a shared memory, ...',
  ],
  [
    'headroom in bytes and in delays',
    `${T}${W}fabric: {flowControl: {kind: pfc, headroom: 20KB, headroomDelays: 3}}\n`,
    'bad.yaml:3:67: fabric.flowControl.headroomDelays: headroom is given in bytes too; ...',
  ],
  [
    'ACKs by some path',
    `${T}${W}hosts: {ack: {path: short}}\n`,
    'bad.yaml:3:21: hosts.ack.path: "short" is not a path for ACKs; write reverse or own',
  ],
  [
    'ACKs that are marked and not heard',
    `${T}${W}hosts: {ack: {ecn: marked}}\n`,
    'bad.yaml:3:20: hosts.ack.ecn: "marked" is not a way to mark ACKs; ...',
  ],
  [
    'go-back-n without ACKs',
    `${T}${W}hosts: {ack: none, reliability: go-back-n}\n`,
    'bad.yaml:3:33: hosts.reliability: go-back-n lives on ACKs, and hosts.ack says none; ' +
      'write ack: {every: 1}, or reliability: none',
  ],
  [
    'a data class that is not there',
    `${T}${W}fabric: {classes: 2}\nhosts: {dataClass: 3}\n`,
    'bad.yaml:4:20: hosts.dataClass: class 3 does not exist where fabric.classes is 2; ' +
      'write 0 to 1, or raise fabric.classes',
  ],
  [
    'a negative timeout',
    `${T}${W}hosts: {rto: -1ms}\n`,
    "bad.yaml:3:14: hosts.rto: '-1ms' is negative...",
  ],
  [
    'a timeout without a unit',
    `${T}${W}hosts: {rto: 5}\n`,
    "bad.yaml:3:14: hosts.rto: '5' has no unit...",
  ],
  [
    'an injection that is not known',
    `${T}${W}hosts: {injection: fifo}\n`,
    'bad.yaml:3:20: hosts.injection: "fifo" is not a kind of injection; ' +
      'write per-flow or shared-fifo',
  ],
  [
    'an output queue of a shared-memory switch',
    `${T}${W}fabric: {buffer: {outputQueue: 4KB}}\n`,
    'bad.yaml:3:32: fabric.buffer.outputQueue: a shared-memory switch has no crossbar...',
  ],
  [
    'an output queue with cut-through',
    `${T}${W}fabric: {switch: input-buffered, forwarding: cut-through, buffer: {outputQueue: 4KB}}`,
    'bad.yaml:3:81: fabric.buffer.outputQueue: a packet crosses to an output FIFO once...',
  ],
  [
    'an output queue that holds no packet',
    `${T}${W}fabric: {switch: input-buffered, buffer: {outputQueue: 900B}}\n`,
    'bad.yaml:3:56: fabric.buffer.outputQueue: an output queue of 900B cannot hold one packet...',
  ],
  [
    'a dateline without a torus',
    `${T}${W}fabric: {lanes: dateline}\n`,
    'bad.yaml:3:17: fabric.lanes: a dateline is where a torus is closed, and this is a star...',
  ],
  [
    'lanes of per-flow queues',
    `topology: {kind: torus, dimensions: [4]}\n${W}` +
      'fabric: {switch: per-flow-queues, lanes: dateline}\n',
    'bad.yaml:3:42: fabric.lanes: a queue for each flow has no lanes to change...',
  ],
  [
    'more lanes than there are classes',
    `topology: {kind: torus, dimensions: [4, 4]}\n${W}fabric: {lanes: dateline}\n`,
    'bad.yaml:3:17: fabric.lanes: data need 4 lanes, two per dimension, from class 3 ' +
      '(hosts.dataClass) up, and control as many from the highest down, and there are 8 classes; ' +
      'raise fabric.classes, lower hosts.dataClass, or write {kind: dateline, control: keep}',
  ],
  [
    'lanes that meet the class of control',
    `topology: {kind: torus, dimensions: [4]}\n${W}` +
      'fabric: {classes: 2, lanes: {kind: dateline, control: keep}}\n',
    'bad.yaml:3:29: fabric.lanes: data need 2 lanes, two per dimension, from class 0 ' +
      '(hosts.dataClass) up, and control its own class from the highest down, and there are 2 ' +
      'classes; raise fabric.classes, or lower hosts.dataClass',
  ],
  [
    'ACKs in the lanes of data in two dimensions',
    `topology: {kind: torus, dimensions: [4, 4]}\n${W}hosts: {dataClass: 0}\n` +
      'fabric: {lanes: dateline}\n',
    'bad.yaml:3:1: hosts.ack: ACKs go back through the dimensions in the other order...',
  ],
  [
    'a lane of a link that is not there',
    `${T}${W}fabric: {lanes: {kind: by-link, changes: [{from: s0, to: h9, class: 3, becomes: 4}]}}`,
    'bad.yaml:3:58: fabric.lanes.changes[0].to: there is no node "h9"...',
  ],
  [
    'a lane of a host',
    `${T}${W}fabric: {lanes: {kind: by-link, changes: [{from: h0, to: s0, class: 3, becomes: 4}]}}`,
    'bad.yaml:3:50: fabric.lanes.changes[0].from: "h0" is a host...',
  ],
  [
    'a lane that does not exist',
    `${T}${W}fabric: {classes: 4, lanes: {kind: by-link, changes: ` +
      '[{from: s0, to: h0, class: 3, becomes: 4}]}}',
    'bad.yaml:3:93: fabric.lanes.changes[0].becomes: class 4 does not exist...',
  ],
  [
    'a lane changed twice',
    `${T}${W}fabric: {lanes: {kind: by-link, changes: [{from: s0, to: h0, class: 3, becomes: 4}, ` +
      '{from: s0, to: h0, class: 3, becomes: 5}]}}',
    'bad.yaml:3:85: fabric.lanes.changes[1]: class 3 from s0 to h0 is changed above already...',
  ],
  [
    'a rate cap in bytes',
    `${T}${W}hosts: {rateCap: 13GBps}\n`,
    "bad.yaml:3:18: hosts.rateCap: '13GBps' counts bytes...",
  ],
  [
    'a burst below nothing',
    `${T}${W}hosts: {burst: -1}\n`,
    'bad.yaml:3:16: hosts.burst: -1 is too small; write a whole number from 0 to 1024, such as 1',
  ],
  [
    'a service that is not known',
    `${T}${W}hosts: {service: fifo}\n`,
    'bad.yaml:3:18: hosts.service: "fifo" is not a NIC service; write next-service-time...',
  ],
  [
    'a rate cap with a key that it does not have',
    `${T}${W}hosts: {rateCap: {sent: 13Gbps}}\n`,
    'bad.yaml:3:19: hosts.rateCap.sent: a rate cap has no key "sent"; did you mean send?',
  ],
  [
    'a rate cap that counts what nobody knows',
    `${T}${W}hosts: {rateCap: {send: 13Gbps, counts: bits}}\n`,
    'bad.yaml:3:41: hosts.rateCap.counts: "bits" is not what a rate cap counts; ...',
  ],
  [
    'a misspelt routing',
    `${T}${W}routing: emcp\n`,
    'bad.yaml:3:10: routing: "emcp" is not a kind of routing; did you mean ecmp?',
  ],
  [
    'a routing parameter that is not there',
    `${T}${W}routing: {kind: shortest-path, hashSeed: 1}\n`,
    'bad.yaml:3:32: routing.hashSeed: shortest-path routing has no key "hashSeed"; ' +
      'it takes no settings, so leave it out',
  ],
  [
    'a routing by dimensions where there are none',
    `${T}${W}routing: dimension-order\n`,
    'bad.yaml:3:10: routing: dimension-order goes dimension by dimension, which this topology ' +
      'has none of: take a torus or a mesh, or ecmp, packet-spray or vlb, which route anywhere',
  ],
  [
    'a routing of the person that nobody brought',
    `${T}${W}routing: {kind: own, name: mine}\n`,
    'bad.yaml:3:10: routing: mine is a routing of your own: give its module too ' +
      '(--routing ./mine.ts)',
  ],
  [
    'a choice of nothing',
    `${T}${W}routing: {kind: choice, of: []}\n`,
    'bad.yaml:3:10: routing: a choice of no routing leads nowhere: name one or more in `of`',
  ],
  [
    'an empty workload',
    `${T}workload: []\n`,
    'bad.yaml:2:11: workload: there is no traffic; write an item with flows or generate',
  ],
  [
    'a workload that is a mapping',
    `${T}workload: {flows: []}\n`,
    'bad.yaml:2:11: workload: a mapping is not a list; ' +
      'write items, each with flows, flowsFile, generate or messages',
  ],
  [
    'an item with nothing',
    `${T}workload: [{}]\n`,
    'bad.yaml:2:12: workload[0]: this item of the workload is empty; ' +
      'write flows, flowsFile, generate or messages',
  ],
  [
    'an item with two things',
    `${T}workload: [{flowsFile: a.csv, flows: [{from: h0, to: h1}]}]\n`,
    'bad.yaml:2:12: workload[0]: this item of the workload has flows and flowsFile; ' +
      'make an item of each',
  ],
  [
    'a flow list with nothing',
    `${T}workload: [{flows: []}]\n`,
    'bad.yaml:2:20: workload[0].flows: the list is empty; ' +
      'write a flow such as {from: h0, to: h1, size: 1MB}',
  ],
  [
    'a flow without a source',
    `${T}workload:\n  - flows:\n      - {to: h1, size: 1MB}\n`,
    'bad.yaml:4:9: workload[0].flows[0].from: missing; write a host such as h0',
  ],
  [
    'a flow from a host that is not there',
    `${T}workload:\n  - flows:\n      - {from: h9, to: h1, size: 1MB}\n`,
    'bad.yaml:4:16: workload[0].flows[0].from: there is no node...',
  ],
  [
    'a flow to a misspelt host',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1}\n      - {from: h0, to: hh1}\n`,
    'bad.yaml:5:24: workload[0].flows[1].to: there is no node...',
  ],
  [
    'a flow to a switch',
    `${T}workload:\n  - flows:\n      - {from: h0, to: switch}\n`,
    'bad.yaml:4:24: workload[0].flows[0].to: "switch" is a switch...',
  ],
  [
    'a flow to itself',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h0}\n`,
    'bad.yaml:4:24: workload[0].flows[0].to: the flow goes from h0 to itself; name another host',
  ],
  [
    'a misspelt key of a flow',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1, sise: 1MB}\n`,
    'bad.yaml:4:28: workload[0].flows[0].sise: a flow has no key "sise"; did you mean size?',
  ],
  [
    'a size in the wrong case',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1, size: 64kib}\n`,
    "bad.yaml:4:34: workload[0].flows[0].size: '64kib' counts bits...",
  ],
  [
    'a size in bits',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1, size: 64 kb}\n`,
    "bad.yaml:4:34: workload[0].flows[0].size: '64 kb' counts bits...",
  ],
  [
    'a size with nothing behind it',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1, size: }\n`,
    'bad.yaml:4:28: workload[0].flows[0].size: there is no value here; ' +
      'write a size such as 64KB, or none',
  ],
  [
    'a stop before the start',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1, start: 2ms, stop: 1ms}\n`,
    'bad.yaml:4:46: workload[0].flows[0].stop: it stops at 1ms, not after its start at 2ms; ' +
      'write a later stop or an earlier start',
  ],
  [
    'a start after the end',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1, start: 20ms}\n`,
    'bad.yaml:4:35: workload[0].flows[0].start: it starts at 20ms, and the run ends at 10ms; ' +
      'start it sooner or raise run.until',
  ],
  [
    'a size and a stop',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1, size: 1MB, stop: 1ms}\n`,
    'bad.yaml:4:45: workload[0].flows[0].stop: a flow ends by its size or at a time; ' +
      'keep size or stop',
  ],
  [
    'two flows of one name',
    `${T}workload:\n  - flows:\n` +
      `      - {name: a, from: h0, to: h1}\n      - {name: a, from: h1, to: h2}\n`,
    'bad.yaml:5:16: workload[0].flows[1].name: a flow named "a" exists already; give another name',
  ],
  [
    'a class that is not there',
    `${T}fabric: {classes: 4}\nworkload:\n  - flows:\n      - {from: h0, to: h1, class: 5}\n`,
    'bad.yaml:5:35: workload[0].flows[0].class: class 5 does not exist where fabric.classes is ' +
      '4; write 0 to 3, or raise fabric.classes',
  ],
  [
    'a weight of zero',
    `${T}workload:\n  - flows:\n      - {from: h0, to: h1, weight: 0}\n`,
    'bad.yaml:4:36: workload[0].flows[0].weight: 0 is out of range; ' +
      'write a number from 0.000001 to 1000000, such as 2',
  ],
  [
    'a path that jumps',
    'topology: {kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2}\nworkload:\n  - ' +
      'flows:\n      - {from: h0, to: h3, path: [leaf0, leaf1]}\n',
    'bad.yaml:4:42: workload[0].flows[0].path[1]: no link joins leaf0 and leaf1; ' +
      'from leaf0 one can go to leaf0.h0, leaf0.h1, spine0 or spine1',
  ],
  [
    'a path that does not arrive',
    'topology: {kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2}\nworkload:\n  - ' +
      'flows:\n      - {from: h0, to: h3, path: [leaf0, spine0]}\n',
    'bad.yaml:4:34: workload[0].flows[0].path: no link joins spine0 and leaf1.h1; ' +
      'from spine0 one can go to leaf0 or leaf1',
  ],
  [
    'a path through a host',
    'topology: {kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2}\nworkload:\n  - ' +
      'flows:\n      - {from: h0, to: h3, path: [leaf0, h1]}\n',
    'bad.yaml:4:42: workload[0].flows[0].path[1]: "h1" is a host...',
  ],
  [
    'a file of flows that is missing',
    `${T}workload: [{flowsFile: nowhere.csv}]\n`,
    'bad.yaml:2:24: workload[0].flowsFile: the file "nowhere.csv" cannot be read; ' +
      "give its path from the spec's folder",
  ],
  [
    'a file of flows that is cut off',
    `${T}workload: [{flowsFile: cut.csv}]\n`,
    'bad.yaml:2:24: workload[0].flowsFile: cut.csv, line 3...',
  ],
  [
    'a file of flows that is empty',
    `${T}workload: [{flowsFile: empty.csv}]\n`,
    'bad.yaml:2:24: workload[0].flowsFile: the file "empty.csv" is empty; fill it, or name another',
  ],
  [
    'a file of flows with a wrong host',
    `${T}workload: [{flowsFile: wrong-host.csv}]\n`,
    'bad.yaml:2:24: workload[0].flowsFile: wrong-host.csv, line 2: there is no node...',
  ],
  [
    'a generator without arrivals',
    `${G}{sizes: 1MB}\n`,
    'bad.yaml:3:5: workload[0].generate.arrivals: missing; ' +
      'write a kind of arrivals: poisson, periodic or once',
  ],
  [
    'a generator without sizes',
    `${G}{arrivals: once}\n`,
    'bad.yaml:3:5: workload[0].generate.sizes: missing; ' +
      'write a kind of sizes: fixed, mixture, pareto, cdf or a size such as 64KB, or a table ' +
      '(WebSearch, FB_Hadoop, AliStorage2019, Solar2022, DataMining, CacheFollower, WebServer)',
  ],
  [
    'a misspelt kind of arrivals',
    `${G}{arrivals: posson, sizes: 1MB}\n`,
    'bad.yaml:3:26: workload[0].generate.arrivals: "posson" is not a kind of arrivals; ' +
      'did you mean poisson?',
  ],
  [
    'a load above one',
    `${G}{arrivals: {kind: poisson, load: 1.2}, sizes: 1MB}\n`,
    "bad.yaml:3:48: workload[0].generate.arrivals.load: 1.2 asks for more than the hosts' " +
      'links carry, so queues would only grow; write a load above 0 and at most 1',
  ],
  [
    'a load of zero',
    `${G}{arrivals: {kind: poisson, load: 0}, sizes: 1MB}\n`,
    'bad.yaml:3:48: workload[0].generate.arrivals.load: 0 asks for no traffic; ' +
      'write a load above 0 and at most 1',
  ],
  [
    'a load in words',
    `${G}{arrivals: {kind: poisson, load: half}, sizes: 1MB}\n`,
    'bad.yaml:3:48: workload[0].generate.arrivals.load: "half" is not a number; ' +
      'write a number of 0 or more, such as 0.5',
  ],
  [
    'neither load nor interval',
    `${G}{arrivals: poisson, sizes: 1MB}\n`,
    'bad.yaml:3:26: workload[0].generate.arrivals.load: missing; ' +
      'write a load such as 0.5, or a mean interval such as 10us',
  ],
  [
    'a load and an interval',
    `${G}{arrivals: {kind: poisson, load: 0.5, interval: 1us}, sizes: 1MB}\n`,
    'bad.yaml:3:63: workload[0].generate.arrivals.interval: there is a load already; ' +
      'keep load or interval, not both',
  ],
  [
    'periodic arrivals without a period',
    `${G}{arrivals: periodic, sizes: 1MB}\n`,
    'bad.yaml:3:26: workload[0].generate.arrivals.period: missing; write a time such as 10us',
  ],
  [
    'a table of sizes that is not there',
    `${G}{arrivals: once, sizes: websearsh}\n`,
    'bad.yaml:3:39: workload[0].generate.sizes: "websearsh" is not a kind of sizes; ' +
      'did you mean WebSearch?',
  ],
  [
    'a size table without a near name',
    `${G}{arrivals: once, sizes: imagenet}\n`,
    'bad.yaml:3:39: workload[0].generate.sizes: "imagenet" is not a kind of sizes; ' +
      'write fixed, mixture, pareto, cdf or a size such as 64KB, or a table (WebSearch, ' +
      'FB_Hadoop, AliStorage2019, Solar2022, DataMining, CacheFollower, WebServer)',
  ],
  [
    'a Pareto shape without a mean',
    `${G}{arrivals: once, sizes: {kind: pareto, shape: 1, mean: 100KB}}\n`,
    'bad.yaml:3:39: workload[0].generate.sizes: a Pareto distribution of shape 1...',
  ],
  [
    'a mixture without weight',
    `${G}{arrivals: once, sizes: {kind: mixture, parts: [{weight: 0, size: 1KB}]}}\n`,
    'bad.yaml:3:39: workload[0].generate.sizes: a mixture of sizes has...',
  ],
  [
    'a CDF from two places',
    `${G}{arrivals: once, sizes: {kind: cdf, table: WebSearch, file: a.txt}}\n`,
    'bad.yaml:3:39: workload[0].generate.sizes: a CDF comes from one of table, file and rows, ' +
      'but there are table and file; keep one',
  ],
  [
    'a CDF file that is missing',
    `${G}{arrivals: once, sizes: {kind: cdf, file: nowhere.txt}}\n`,
    'bad.yaml:3:57: workload[0].generate.sizes.file: the file "nowhere.txt" cannot be read; ' +
      "give its path from the spec's folder",
  ],
  [
    'a CDF file that stops short',
    `${G}{arrivals: once, sizes: {kind: cdf, file: short.txt}}\n`,
    'bad.yaml:3:57: workload[0].generate.sizes.file: short.txt, line 2...',
  ],
  [
    'CDF rows that fall',
    `${G}{arrivals: once, sizes: {kind: cdf, rows: [[1000, 0.5], [500, 1]]}}\n`,
    'bad.yaml:3:39: workload[0].generate.sizes: row 2 of...',
  ],
  [
    'a CDF row of three',
    `${G}{arrivals: once, sizes: {kind: cdf, rows: [[1000, 0.5, 1]]}}\n`,
    'bad.yaml:3:58: workload[0].generate.sizes.rows[0]: a row has two numbers; ' +
      'write a size in bytes and a cumulative fraction',
  ],
  [
    'a misspelt pattern',
    `${G}{arrivals: once, sizes: 1MB, pattern: uniforn}\n`,
    'bad.yaml:3:53: workload[0].generate.pattern: "uniforn" is not a pattern; ' +
      'did you mean uniform?',
  ],
  [
    'more senders than hosts',
    `${G}{arrivals: once, sizes: 1MB, pattern: {kind: incast, senders: 16}}\n`,
    'bad.yaml:3:77: workload[0].generate.pattern.senders: there are 16 senders, and besides ' +
      'the receiver 3 hosts; write at most 3',
  ],
  [
    'a receiver that is not there',
    `${G}{arrivals: once, sizes: 1MB, pattern: {kind: incast, senders: 2, receiver: h7}}\n`,
    'bad.yaml:3:90: workload[0].generate.pattern.receiver: there is no node...',
  ],
  [
    'a hot spot above one',
    `${G}{arrivals: once, sizes: 1MB, pattern: {kind: hot-spot, host: h0, fraction: 2}}\n`,
    'bad.yaml:3:90: workload[0].generate.pattern.fraction: 2 is out of range; ' +
      'write a number from 0 to 1, such as 0.2',
  ],
  [
    'a range that runs backwards',
    `${G}{arrivals: once, sizes: 1MB, hosts: h3..h0}\n`,
    'bad.yaml:3:51: workload[0].generate.hosts[0]: the range of hosts...',
  ],
  [
    'a range beyond the hosts',
    `${G}{arrivals: once, sizes: 1MB, hosts: h0..h15}\n`,
    'bad.yaml:3:51: workload[0].generate.hosts[0]: there is no node...',
  ],
  [
    'a generator with one host',
    `${G}{arrivals: once, sizes: 1MB, hosts: [h0]}\n`,
    'bad.yaml:3:5: workload[0].generate.pattern: the generator has one host; ' +
      'give it two or more to send between',
  ],
  [
    'two generators of one name',
    `${G}{name: a, arrivals: once, sizes: 1MB}\n` +
      '  - generate: {name: a, arrivals: once, sizes: 1MB}\n',
    'bad.yaml:4:22: workload[1].generate.name: a generator named "a" exists already; ' +
      'give another name',
  ],
  [
    'no bound on flows',
    `${G}{arrivals: once, sizes: 1MB, flowsMax: 0}\n`,
    'bad.yaml:3:54: workload[0].generate.flowsMax: 0 is too small; ' +
      'write a whole number of 1 or more, such as 1000, or none',
  ],
  [
    'a misspelt scheme',
    `${T}${W}scheme: dqcn\n`,
    'bad.yaml:3:9: scheme.name: "dqcn" is not a scheme; did you mean dcqcn?',
  ],
  [
    'a scheme that is a list',
    `${T}${W}scheme: [dcqcn]\n`,
    'bad.yaml:3:9: scheme: a list is not a scheme; ' +
      'write its name, or a mapping with name and params',
  ],
  [
    'a scheme without a name',
    `${T}${W}scheme: {preset: paper}\n`,
    'bad.yaml:3:1: scheme.name: missing; write a scheme such as dcqcn',
  ],
  [
    'a preset that is not there',
    `${T}${W}scheme: {name: dcqcn, preset: papers}\n`,
    'bad.yaml:3:31: scheme.preset: "papers" is not a preset of dcqcn; did you mean paper?',
  ],
  [
    'a preset of a scheme without any',
    `${T}${W}scheme: {name: none, preset: paper}\n`,
    'bad.yaml:3:30: scheme.preset: "paper" is not a preset of none; ' +
      'it has none, so leave preset out',
  ],
  [
    'a parameter that is not there',
    `${T}${W}scheme: {name: dcqcn, params: {gg: 1}}\n`,
    'bad.yaml:3:32: scheme.params.gg: dcqcn has no parameter "gg"; did you mean g?',
  ],
  [
    'a parameter of a scheme without any',
    `${T}${W}scheme: {name: none, params: {g: 1}}\n`,
    'bad.yaml:3:31: scheme.params.g: none has no parameter "g"; it has none, so leave params out',
  ],
  [
    'a parameter out of range',
    `${T}${W}scheme: {name: dcqcn, params: {g: 2}}\n`,
    'bad.yaml:3:35: scheme.params.g: 2 is out of range; write a value from 0 to 1',
  ],
  [
    'a time parameter without a unit',
    `${T}${W}scheme: {name: dcqcn, params: {timer: 55}}\n`,
    "bad.yaml:3:39: scheme.params.timer: '55' has no unit...",
  ],
  [
    'a time parameter out of range',
    `${T}${W}scheme: {name: dcqcn, params: {timer: 1ns}}\n`,
    'bad.yaml:3:39: scheme.params.timer: 1ns is out of range; write a value from 1us to 1s',
  ],
  [
    'a count that is a fraction',
    `${T}${W}scheme: {name: dcqcn, params: {fastRecoveryTimes: 2.5}}\n`,
    'bad.yaml:3:51: scheme.params.fastRecoveryTimes: 2.5 is not a whole number; ' +
      'write one such as 5',
  ],
  [
    'a switch that is a word',
    `${T}${W}scheme: {name: dcqcn, params: {clamp: yes please}}\n`,
    'bad.yaml:3:39: scheme.params.clamp: "yes please" is neither true nor false; write one of them',
  ],
  [
    'a choice that is not there',
    `${T}${W}scheme: {name: dcqcn, params: {variant: melanox}}\n`,
    'bad.yaml:3:41: scheme.params.variant: "melanox" is not a choice; did you mean mellanox?',
  ],
  [
    'parameters that are a list',
    `${T}${W}scheme: {name: dcqcn, params: [g]}\n`,
    'bad.yaml:3:31: scheme.params: a list is not a mapping; write parameters such as {g: 1/256}',
  ],
  [
    'a scheme that needs ECN, without',
    `${T}${W}scheme: dcqcn\nfabric: {ecn: none}\n`,
    'bad.yaml:4:15: fabric.ecn: dcqcn needs ECN marks, and ecn is none; ' +
      'write ecn: auto, or another scheme',
  ],
  [
    'a scheme that needs ACKs, without',
    `${T}${W}scheme: dcqcn\nhosts: {ack: none}\n`,
    'bad.yaml:4:14: hosts.ack: dcqcn needs ACKs, and ack is none; write ack: {every: 1}',
  ],
  [
    'a scheme that needs a lossless fabric, without',
    `${T}${W}scheme: accurate\nfabric: {flowControl: none}\n`,
    'bad.yaml:4:23: fabric.flowControl: accurate needs a lossless fabric, and flowControl is ' +
      'none; write flowControl: pfc or pause',
  ],
  [
    'a scheme that needs credits, without',
    `${T}${W}scheme: ib-cc\n`,
    'bad.yaml:1:1: fabric.flowControl: ib-cc needs credits, and flowControl is pfc; ' +
      'write switch: input-buffered and flowControl: credits',
  ],
  [
    'a run without length',
    `${T}${W}run: {until: 0ms}\n`,
    'bad.yaml:3:14: run.until: "0ms" is zero; write a time such as 5ms',
  ],
  [
    'a run that ends in words',
    `${T}${W}run: {until: soon}\n`,
    'bad.yaml:3:14: run.until: "soon" is not a time; write a time such as 5ms',
  ],
  [
    'a run longer than time',
    `${T}${W}run: {until: 99999s}\n`,
    "bad.yaml:3:14: run.until: '99999s' is too large: a...",
  ],
  [
    'a drain in words',
    `${T}${W}run: {drain: all}\n`,
    'bad.yaml:3:14: run.drain: "all" is not a time; write a time such as 50ms, or none, or auto',
  ],
  [
    'a drain beyond time',
    `${T}${W}run: {until: 9000s, drain: 9000s}\n`,
    'bad.yaml:3:28: run.drain: until and drain together are longer than 9007.1992...',
  ],
  [
    'a misspelt key of the run',
    `${T}${W}run: {untl: 1ms}\n`,
    'bad.yaml:3:7: run.untl: the run has no key "untl"; did you mean until?',
  ],
  [
    'a bound on events that is a word',
    `${T}${W}run: {eventsMax: many}\n`,
    'bad.yaml:3:18: run.eventsMax: "many" is not a bound; ' +
      'write a whole number of 1 or more, such as 1000000, or none',
  ],
  [
    'an interval longer than the run',
    `${T}${W}run: {until: 1ms}\nmetrics: {interval: 2ms}\n`,
    'bad.yaml:4:21: metrics.interval: the interval is longer than the run, so there would be ' +
      'no sample; write a shorter one',
  ],
  [
    'buckets that fall',
    `${T}${W}metrics: {buckets: [10KB, 5KB]}\n`,
    'bad.yaml:3:27: metrics.buckets[1]: an edge is not above the one before it; ' +
      'sort the edges and write each once',
  ],
  [
    'a bucket without a unit',
    `${T}${W}metrics: {buckets: [10KB, 5000000]}\n`,
    "bad.yaml:3:27: metrics.buckets[1]: '5000000' has no unit...",
  ],
  [
    'series that are a word',
    `${T}${W}metrics: {series: all}\n`,
    'bad.yaml:3:19: metrics.series: "all" is not a list; ' +
      'write names or patterns, such as [rate.*, queue.leaf0*]',
  ],
  [
    'a fraction above one',
    `${T}${W}metrics: {convergenceWithin: 200%}\n`,
    'bad.yaml:3:30: metrics.convergenceWithin: "200%" is out of range; ' +
      'write a number from 0 to 1, such as 10%',
  ],
  [
    'a flow of no bytes',
    `${T}workload: [{flows: [{from: h0, to: h1, size: 0B}]}]\n`,
    'bad.yaml:2:46: workload[0].flows[0].size: "0B" is zero; write a size such as 64KB, or none',
  ],
  [
    'a flow of less than a byte',
    `${T}workload: [{flows: [{from: h0, to: h1, size: 0.4B}]}]\n`,
    "bad.yaml:2:46: workload[0].flows[0].size: '0.4B' is less than half a byte, so it " +
      'would be none at all; write a larger one',
  ],
  [
    'a stop at no time',
    `${T}workload: [{flows: [{from: h0, to: h1, stop: 0us}]}]\n`,
    'bad.yaml:2:46: workload[0].flows[0].stop: "0us" is zero; write a time such as 10us, or none',
  ],
  [
    'a file with a flow of no bytes',
    `${T}workload: [{flowsFile: nothing.csv}]\n`,
    "bad.yaml:2:24: workload[0].flowsFile: nothing.csv, line 2, column size: '0B' is " +
      'nothing to send; leave the cell empty for a flow without end',
  ],
  [
    'a file with a flow of next to no bytes',
    `${T}workload: [{flowsFile: tiny.csv}]\n`,
    "bad.yaml:2:24: workload[0].flowsFile: tiny.csv, line 2, column size: '1e-999B' is " +
      'less than half a byte, so it would be none at all; write a larger one',
  ],
  [
    'a file with a stop at no time',
    `${T}workload: [{flowsFile: never.csv}]\n`,
    "bad.yaml:2:24: workload[0].flowsFile: never.csv, line 2, column stop: '0us' is no " +
      'time to stop at; leave the cell empty for none',
  ],
  [
    'a size that no computer holds',
    `${T}workload: [{generate: {arrivals: once, sizes: {kind: cdf, rows: [[1, 0], [1e308, ` +
      `1]]}}}]\n`,
    "bad.yaml:2:47: workload[0].generate.sizes: row 2 of the size distribution 'rows of " +
      "the spec' has a size of 1e+308 bytes; sizes are exact up to 2^53 bytes, so write a " +
      'smaller one',
  ],
  [
    'a file with a size that no computer holds',
    `${T}workload: [{generate: {arrivals: once, sizes: {kind: cdf, file: huge.txt}}}]\n`,
    "bad.yaml:2:47: workload[0].generate.sizes: row 2 of the size distribution 'huge.txt' " +
      'has a size of 1e+308 bytes; sizes are exact up to 2^53 bytes, so write a smaller one',
  ],
  [
    'lists within lists',
    `${T}name: ${'['.repeat(900)}${']'.repeat(900)}\n`,
    'bad.yaml:2:71: this is nested more than 64 deep, and no spec is; write it flatter, or ' +
      'close what is open',
  ],
  [
    'mappings within mappings',
    `${T}name: ${'{a: '.repeat(5000)}${'}'.repeat(5000)}\n`,
    'bad.yaml:2:263: this is nested more than 64 deep, and no spec is; write it flatter, ' +
      'or close what is open',
  ],
  [
    'lists within lists without brackets',
    `${'- '.repeat(2000)}1\n`,
    'bad.yaml:1:131: this is nested more than 64 deep, and no spec is; write it flatter, ' +
      'or close what is open',
  ],
  [
    'a program of repeats within repeats',
    `${T}workload: [{messages: {processes: [h0, h1], program: "${'repeat 1\\n'.repeat(900)}"}}]\n`,
    "bad.yaml:2:54: workload[0].messages.program: messages 'g0': Line 65: more than 64 " +
      'repeats stand inside each other; nest fewer',
  ],
]

function refusal(text: string, settings: readonly string[] = []): SpecError {
  try {
    const sourceName = 'bad.yaml'
    loadSpec({ text, sourceName, schemes: testCards, files: (name) => FILES[name], settings })
  } catch (error) {
    expect(error).toBeInstanceOf(SpecError)
    return error as SpecError
  }
  throw new Error('the spec was accepted')
}

describe('a spec is refused for', () => {
  it.each(refused)('%s', (_, text, sentence) => {
    const { message } = refusal(text)
    if (sentence.endsWith('...')) expect(message.startsWith(sentence.slice(0, -3))).toBe(true)
    else expect(message).toBe(sentence)
    expect(message).not.toContain('\n')
    expect(message).not.toMatch(/\.$|undefined|NaN|\[object|invalid_|Error/u)
  })

  it('at least eighty kinds of mistake', () => {
    expect(new Set(refused.map(([name]) => name)).size).toBeGreaterThanOrEqual(80)
  })
})

describe('a message', () => {
  it('has its place in fields too, for editors', () => {
    const error = refusal(`${T}${W}fabric: {bufer: 1MB}\n`)
    expect(error).toMatchObject({
      line: 3,
      column: 10,
      path: 'fabric.bufer',
      sourceName: 'bad.yaml',
    })
  })

  it('names the misspelt key before the key that is missing because of it', () => {
    expect(refusal(`topology: {kind: star, host: 4}\n${W}`).message).toBe(
      'bad.yaml:1:24: topology.host: a star has no key "host"; did you mean hosts?',
    )
  })

  it('is as good for JSON', () => {
    const text = '{\n  "topology": {"kind": "star", "hosts": 0},\n  "workload": []\n}\n'
    expect(refusal(text).message).toBe(
      'bad.yaml:2:41: topology.hosts: 0 is too small; ' +
        'write a whole number from 2 to 65536, such as 17',
    )
  })
})

describe('a setting is refused for', () => {
  it.each([
    ['no equals sign', 'seed', '--set seed: this is not a setting; write path=value, such as '],
    ['no path', '=1', '--set =1: this is not a setting; write path=value'],
    ['a bad path', 'a b=1', '--set a b=1: "a b" is not a path; write keys with dots and list '],
    [
      'an unknown key',
      'fabric.bufer=1MB',
      '--set fabric.bufer=1MB: fabric.bufer: the fabric has no',
    ],
    ['a bad value', 'run.until=5', "--set run.until=5: run.until: '5' has no unit"],
    [
      'an unknown parameter',
      'scheme.params.h=1',
      '--set scheme.params.h=1: scheme.params.h: dcqcn has no parameter "h"',
    ],
    [
      'an index beyond a list',
      'workload[1].flows=[]',
      '--set workload[1].flows=[]: workload: there is no item 1 in this list; its only item is [0]',
    ],
    [
      'a key inside a number',
      'seed.x=1',
      '--set seed.x=1: seed: 1 has no keys of its own; set seed as a whole',
    ],
    [
      'a value nested too deep',
      `run=${'['.repeat(900)}`,
      `--set run=${'['.repeat(56)}: the value is nested too deep to be read; `,
    ],
    ['a value that is no YAML', 'run={', '--set run={: the value cannot be read: '],
  ])('%s', (_, setting, sentence) => {
    const { message } = refusal(`seed: 1\n${T}${W}`, [setting])
    expect(message.slice(0, sentence.length)).toBe(sentence)
    expect(message).not.toContain('\n')
  })
})
