/** Graphs and questions that the tests of routings share. */
import { buildGraph, NodeNames } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import { portTo } from './ports.ts'

export function leafSpine(leaves: number, spines: number, hostsPerLeaf: number): Graph {
  return buildGraph({
    kind: 'leaf-spine',
    leaves,
    spines,
    hostsPerLeaf,
    hostRateBps: 25e9,
    hostDelayPs: 1e6,
    fabricRateBps: 100e9,
    fabricDelayPs: 1e6,
  })
}

export function torus(...dimensions: number[]): Graph {
  return buildGraph({
    kind: 'torus',
    dimensions,
    rateBps: 10e9,
    delayPs: 1e5,
    injectionRateBps: 10e9,
    injectionDelayPs: 0,
  })
}

/** The nodes that a path leads to, by name. */
export function stops(graph: Graph, path: readonly number[]): string[] {
  const names = new NodeNames(graph)
  return path.map((port) => names.name(portTo(graph, port)))
}

/** Pearson's statistic of counts against equal shares. */
export function chiSquare(counts: readonly number[]): number {
  const share = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return counts.reduce((sum, count) => sum + ((count - share) * (count - share)) / share, 0)
}
