/**
 * Which hosts a person means by names and ranges: `h3`, `h0..h15`, `leaf0.h0..leaf1.h3`. Ends that
 * differ only in their last number are counted (`h2..h4` is h2, h3, h4 in any list of hosts); other
 * ends mean all hosts between them in the order of the topology. A host named twice counts once.
 */
import { WorkloadError } from './contract.ts'

export interface NamedHost {
  readonly name: string
  readonly aliases?: readonly string[]
}

/** Indices of the hosts by name and by alias. A name goes before another host's alias. */
export function indexHosts(hosts: readonly NamedHost[]): Map<string, number> {
  const indices = new Map<string, number>()
  hosts.forEach((host, i) => host.aliases?.forEach((alias) => indices.set(alias, i)))
  hosts.forEach((host, i) => indices.set(host.name, i))
  return indices
}

/** Indices into `hosts` in the order of the selectors; no selectors: every host. */
export function selectHosts(
  hosts: readonly NamedHost[],
  selectors: readonly string[],
  indices: ReadonlyMap<string, number> = indexHosts(hosts),
): number[] {
  if (selectors.length === 0) return hosts.map((_, i) => i)
  const selected = new Set<number>()
  for (const selector of selectors) {
    const ends = selector.split('..')
    if (ends.length === 1) selected.add(hostIndex(hosts, indices, selector.trim()))
    else if (ends.length === 2) {
      for (const i of range(hosts, indices, ends[0]!.trim(), ends[1]!.trim())) selected.add(i)
    } else {
      throw new WorkloadError(
        `'${selector}' is no range of hosts; write two ends, as in 'h0..h15'.`,
      )
    }
  }
  return [...selected]
}

/** The host of this name or alias; throws with the names there are. */
export function hostIndex(
  hosts: readonly NamedHost[],
  indices: ReadonlyMap<string, number>,
  name: string,
): number {
  const index = indices.get(name)
  if (index === undefined) {
    throw new WorkloadError(`There is no host '${name}'; ${namesOf(hosts)}.`)
  }
  return index
}

function* range(
  hosts: readonly NamedHost[],
  indices: ReadonlyMap<string, number>,
  first: string,
  last: string,
): Generator<number> {
  const from = hostIndex(hosts, indices, first)
  const to = hostIndex(hosts, indices, last)
  const [firstStem, firstNumber] = split(first)
  const [lastStem, lastNumber] = split(last)
  const counted = firstStem === lastStem && firstNumber >= 0 && lastNumber >= 0
  if (counted ? firstNumber > lastNumber : from > to) {
    throw new WorkloadError(
      `The range of hosts '${first}..${last}' runs backwards; write '${last}..${first}'.`,
    )
  }
  if (counted) {
    for (let n = firstNumber; n <= lastNumber; n++) yield hostIndex(hosts, indices, firstStem + n)
  } else {
    for (let i = from; i <= to; i++) yield i
  }
}

/** The name without its last number, and that number; -1 if it has none. */
function split(name: string): [stem: string, number: number] {
  const match = /^(.*?)(0|[1-9]\d*)$/u.exec(name)
  return match === null ? [name, -1] : [match[1]!, Number(match[2])]
}

function namesOf(hosts: readonly NamedHost[]): string {
  if (hosts.length === 0) return 'the topology has no hosts'
  const first = hosts[0]!
  const last = hosts.at(-1)!
  const names = `the ${hosts.length} hosts are ${first.name} to ${last.name}`
  const alias = first.aliases?.[0]
  const lastAlias = last.aliases?.[0]
  return alias && lastAlias ? `${names}, or ${alias} to ${lastAlias}` : names
}
