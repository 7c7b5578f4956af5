/**
 * What `mutation-quick.mjs` puts in vitest's place: it collects tests once and runs them again and
 * again in one thread, each time with another mutant switched on. `expect` is vitest's own.
 */
import { ASYMMETRIC_MATCHERS_OBJECT, JestAsymmetricMatchers } from '@vitest/expect'
import { chai, GLOBAL_EXPECT, JestChaiExpect, JestExtend, setState } from '@vitest/expect'
import fc from 'fast-check'
import process from 'node:process'

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

export const expect = (value, message) => {
  setState({ assertionCalls: 0 }, expect)
  return chai.expect(value, message)
}
Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT])
expect.unreachable = (message) => chai.assert.fail(`unreachable: ${message ?? ''}`)
globalThis[GLOBAL_EXPECT] = expect
setState({ assertionCalls: 0 }, expect)

// That a property fails is all that is asked here, not by which case of all the smallest.
fc.configureGlobal({ endOnFailure: true })

/** CPU time of a test, in us, that is said: it is one for mutation-long.ts. */
const SLOW_US = 500_000

const tests = []
let suite = { names: [], before: [] }

export function describe(name, ...rest) {
  const outer = suite
  suite = { names: [...outer.names, name], before: [...outer.before] }
  rest.find((one) => typeof one === 'function')()
  suite = outer
}

export function it(name, ...rest) {
  const body = rest.find((one) => typeof one === 'function')
  tests.push({ name: [...suite.names, name].join(' '), body, before: suite.before })
}

export function beforeEach(body) {
  suite.before.push(body)
}

export function afterAll() {}

const each =
  (one) =>
  (rows) =>
  (name, ...rest) => {
    const at = rest.findIndex((part) => typeof part === 'function')
    for (const [i, row] of rows.entries()) {
      const args = Array.isArray(row) ? row : [row]
      const body = () => rest[at](...args)
      one(`${name} #${i}`, ...rest.slice(0, at), body, ...rest.slice(at + 1))
    }
  }
describe.each = each(describe)
it.each = each(it)
it.skip = () => {}

/** True if it passes. */
async function passes({ body, before }) {
  try {
    for (const one of before) await one()
    await body()
    return true
  } catch {
    return false
  }
}

/**
 * Runs the tests once, then for each mutant those that reach it, the shortest first, up to the
 * first that fails. `tell` hears what each test costs without a mutant, and each mutant's status;
 * it is awaited, since what is sent and not yet taken is lost with the process.
 * `known`: what another process has seen of the tests, in JSON; undefined: they are looked at here.
 */
export async function run({ ids, from, long, underUs, known, tell }) {
  const ns = (globalThis.__stryker__ ??= {})
  const seen = known === undefined ? await look(ns, long, underUs) : JSON.parse(known)
  if (known === undefined) await tell({ seen: JSON.stringify(seen) })
  const usable = seen.usable.map((one) => ({ ...one, ...tests[one.number] }))
  for (const id of ids.slice(from)) {
    const reaching = usable.filter(({ reached }) => reached[id] > 0)
    let status = reaching.length > 0 ? 'Survived' : seen.atLoad[id] > 0 ? 'Ignored' : 'NoCoverage'
    for (const test of reaching) {
      await tell({ costUs: test.cost })
      ns.activeMutant = id
      ns.hitCount = 0
      ns.hitLimit = 1000 + 100 * test.reached[id]
      const isGood = await passes(test)
      ns.activeMutant = undefined
      if (isGood) continue
      status = ns.hitCount > ns.hitLimit ? 'Timeout' : 'Killed'
      await tell({ id, status })
      // A test that fails without the mutant too would kill all that come: a new process goes on.
      if (!(await passes(test))) return
      break
    }
    if (status !== 'Killed' && status !== 'Timeout') await tell({ id, status })
  }
}

/** What each test costs and reaches without a mutant. */
async function look(ns, long, underUs) {
  const usable = []
  const failed = []
  const slow = []
  for (const [number, test] of tests.entries()) {
    if (long.some((part) => test.name.includes(part))) continue
    ns.currentTestId = `t${number}`
    const start = process.cpuUsage().user
    const isGood = await passes(test)
    const cost = process.cpuUsage().user - start
    const reached = { ...ns.mutantCoverage?.perTest[`t${number}`] }
    // The first time it is compiled, too, which takes longer than to run it.
    if (cost > 4 * underUs) continue
    const startAgain = process.cpuUsage().user
    // One that passes only once, for what it leaves in its module, would kill every mutant.
    const isGoodAgain = isGood && (await passes(test))
    if (process.cpuUsage().user - startAgain > underUs) continue
    if (isGoodAgain) usable.push({ number, cost, reached })
    else failed.push(isGood ? `${test.name} (the second time)` : test.name)
    if (cost > SLOW_US) slow.push(`${(cost / 1e6).toFixed(1)} s: ${test.name}`)
  }
  ns.currentTestId = undefined
  usable.sort((a, b) => a.cost - b.cost)
  return { usable, failed, slow, atLoad: ns.mutantCoverage?.static ?? {} }
}
