/**
 * The solver of delay equations against solutions in closed form, and what its control of steps is
 * worth.
 *
 * E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", II.17: the
 * method of steps gives y' = -y(t - 1) as a sum, and Hutchinson's logistic y' = r y (1 - y(t - 1))
 * by an integral. All that is said of fluids rests on this. To 1e-6 is what was asked for; equal
 * steps are as many evaluations of the right-hand side as the adaptive ones took.
 *
 * Pure theory: nothing is simulated, and quick and full are the same.
 */
import { solve } from '@weir/theory'
import type { DelayProblem } from '@weir/theory'
import { linearDelay, linearExact, logisticDelay, logisticExact } from '@weir/theory/testing'
import { worstError } from '@weir/theory/testing'
import type { Check, Figure, FigureResult } from '../figure.ts'
import { inRange } from '../figure.ts'

const ASKED = 1e-6
const TOLERANCE = 1e-8
/** At r = 3 populations burst and all but die: spikes of 8 between stretches near zero. */
const BURSTS = logisticDelay(3, 0.5, 30)
const LOGISTICS = [
  [0.5, 0.1],
  [1.4, 0.5],
  [2.5, 1.6],
] as const

export const solver: Figure = {
  id: 'theory/solver',
  title: 'The solver of delay equations: closed forms, and its steps',
  cite: 'Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", II.17',
  claimant: 'What was asked of it',
  claim:
    'Linear (over ten delays) and logistic equations (over three, r = 0.5 to 2.5) are solved to ' +
    '1e-6, and the control of steps counts: at r = 3, which is drawn, errors over thirty delays ' +
    'are larger, and many times as large with equal steps.',
  reproduce: () => Promise.resolve(reproduceWith(TOLERANCE, false)),
  switches: [
    {
      name: 'a small tolerance',
      reproduce: () => Promise.resolve(reproduceWith(1, false)),
      breaks: ["y' = -y(t - 1)", 'logistic'],
    },
    {
      name: 'the control of steps',
      reproduce: () => Promise.resolve(reproduceWith(TOLERANCE, true)),
      breaks: ['equal steps over adaptive'],
    },
  ],
}

function reproduceWith(tolerance: number, isEqual: boolean): FigureResult {
  const adaptive = solve(BURSTS, { tolerance: 1e-7 })
  const stepFixed = (30 * 6) / adaptive.evaluations
  const equal = solve(BURSTS, { stepFixed })
  const reference = solve(BURSTS, { tolerance: 1e-12 })
  const exact = (time: number): number => reference.value(0, time)
  const errors = [worstError(equal, exact, 30), worstError(isEqual ? equal : adaptive, exact, 30)]
  return {
    draws: 'nothing is drawn',
    checks: [
      errorCheck("y' = -y(t - 1), 10 delays", linearDelay, linearExact, tolerance),
      ...LOGISTICS.map(([r, y0]) =>
        errorCheck(
          `logistic, r = ${r}, from ${y0}, 3 delays`,
          logisticDelay(r, y0, 3),
          (time) => logisticExact(r, y0, time),
          tolerance,
        ),
      ),
      inRange(
        'equal steps over adaptive ones, errors of as many evaluations',
        'step control matters (at least ten times)',
        errors[0]! / errors[1]!,
        [10, Infinity],
        'times',
        `${adaptive.evaluations} and ${equal.evaluations} evaluations of the logistic at r = 3, ` +
          `whose populations burst: errors of ${errors[1]!.toExponential(1)} and ` +
          errors[0]!.toExponential(1),
      ),
    ],
    plots: [
      {
        title: 'The logistic with delay at r = 3, and the steps of the solver',
        kind: 'lines',
        x: { label: 'time', unit: 'delays' },
        y: { label: 'population, and step', unit: '', scale: 'log' },
        curves: [
          {
            ...{ name: 'population', isExpected: true },
            x: Array.from({ length: 601 }, (_, i) => i / 20),
            y: Array.from({ length: 601 }, (_, i) => Math.max(1e-9, exact(i / 20))),
          },
          {
            name: 'step',
            x: Array.from(adaptive.times.slice(1)),
            y: Array.from(adaptive.times.slice(1), (time, i) => time - adaptive.times[i]!),
          },
        ],
      },
    ],
    notes: ["The exact course at r = 3 is the solver's own with a tolerance of 1e-12."],
  }
}

function errorCheck(
  name: string,
  problem: DelayProblem,
  exact: (time: number) => number,
  tolerance: number,
): Check {
  const solution = solve(problem, { tolerance })
  const error = worstError(solution, exact, problem.end)
  return inRange(
    `${name}: largest error`,
    'to 1e-6',
    error,
    [0, ASKED],
    '',
    `tolerance ${tolerance.toExponential(0)}, ${solution.times.length - 1} steps, ` +
      `${solution.rejected} taken back`,
  )
}
