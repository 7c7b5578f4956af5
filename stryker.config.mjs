/**
 * Mutation testing (docs/mutation.md): `npm run mutation -- <path>` sets the three variables. Not a
 * part of the everyday checks.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
const config = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation-reporter.mjs'],
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // What is evaluated once, as a module is loaded, would cost all tests for each mutant.
  ignoreStatic: true,
  mutate: (process.env.WEIR_MUTATE ?? 'packages/theory/src/*.ts').split(','),
  ignorePatterns: ['/apps', '/bench', '/dist', '/docs', '/examples', '/experiments', '/results'],
  tempDirName: '.stryker-tmp',
  reporters: ['json', 'lines', 'progress-append-only'],
  jsonReporter: { fileName: process.env.WEIR_MUTATION_REPORT ?? 'results/mutation/report.json' },
  concurrency: Number(process.env.WEIR_MUTATION_CONCURRENCY ?? 2),
  // A machine that does other work, too, needs more: what times out counts as killed.
  timeoutMS: Number(process.env.WEIR_MUTATION_TIMEOUT_MS ?? 8_000),
  timeoutFactor: 2,
  disableTypeChecks: false,
}

export default config
