import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { schemePagesText } from './scripts/scheme-pages.mjs'

const root = dirname(fileURLToPath(import.meta.url))

/**
 * Files that take a minute or more go first: on a fresh clone vitest knows no times, and one of
 * them at the end would keep one core busy for minutes while the other has nothing left.
 */
const LONG =
  /experiments\/(infiniband|accurate|lecture|pacc|theory|r2c2)|lab\.test|golden|own\.test/u

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const config: ViteUserConfig = defineConfig({
  define: { WEIR_SCHEME_PAGES: schemePagesText(root) },
  test: {
    environment: 'node',
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts'].concat(
      'experiments/**/*.test.ts',
      'hdl/**/*.test.ts',
      'bench/**/*.test.ts',
    ),
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'threads',
    // Two are right for the two cores of the smallest machine this is tested on.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    testTimeout: 30_000,
  },
})

// vitest reads its configuration from the default export: the one file where there must be one.
// eslint-disable-next-line no-restricted-syntax -- vitest asks for a default export.
export default config
