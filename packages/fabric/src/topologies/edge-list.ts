/**
 * A graph from the text of an edge list, the form in which most tools can write a topology:
 *
 *     # a comment
 *     host client server     these are hosts whatever their names
 *     switch hub             this is a switch, although it begins with h
 *     h0 leaf0 25Gbps 1us    a link: two nodes, then rate and delay if not the usual ones
 *     leaf0 spine0
 *
 * A node is a host if it is listed so, or if its name (after the last dot: `leaf0.h3`) begins with
 * `h`; everything else is a switch. Hosts are counted in order of appearance. The result is
 * what the kind `graph` takes, so that a spec can hold it.
 */
import { parseRate, parseTime } from '@weir/engine'
import type { ExplicitGraphParams } from './explicit-graph.ts'

/** Throws a sentence that begins with the line's number. */
export function parseEdgeList(
  text: string,
  defaults: { readonly rateBps: number; readonly delayPs: number },
): ExplicitGraphParams {
  const kinds = new Map<string, 'host' | 'switch'>()
  const appeared = new Set<string>()
  const links: { a: string; b: string; rateBps: number; delayPs: number }[] = []

  text.split(/\r\n|\n|\r/).forEach((line, i) => {
    const words = line.replace(/#.*/, '').trim().split(/\s+/)
    const [first = '', ...rest] = words
    if (first === '') return
    if (first === 'host' || first === 'switch') {
      if (rest.length === 0) throw at(i, `"${first}" names no node: write "${first} <name>"`)
      for (const name of rest) {
        if (kinds.has(name) && kinds.get(name) !== first)
          throw at(i, `"${name}" is listed as a host and as a switch: keep one of the two lines`)
        kinds.set(name, first)
        appeared.add(name)
      }
      return
    }

    const [b, rate, delay, ...more] = rest
    if (b === undefined)
      throw at(i, `"${first}" stands alone: write "<node> <node> [rate] [delay]"`)
    if (more.length > 0)
      throw at(i, `there is "${more[0]}" after the delay: write "<node> <node> [rate] [delay]"`)
    if (first === b) throw at(i, `the link joins "${b}" with itself: name two nodes`)
    appeared.add(first).add(b)
    links.push({
      a: first,
      b,
      rateBps: rate === undefined ? defaults.rateBps : read(i, rate, parseRate),
      delayPs: delay === undefined ? defaults.delayPs : read(i, delay, parseTime),
    })
  })

  const isHost = (name: string): boolean =>
    (kinds.get(name) ?? (/(^|\.)h[^.]*$/.test(name) ? 'host' : 'switch')) === 'host'
  return {
    hosts: [...appeared].filter(isHost),
    switches: [...appeared].filter((name) => !isHost(name)),
    links,
  }
}

function at(line: number, sentence: string): Error {
  return new Error(`line ${line + 1}: ${sentence}`)
}

function read(line: number, word: string, parse: (text: string) => number): number {
  try {
    return parse(word)
  } catch (error) {
    throw at(line, (error as Error).message)
  }
}
