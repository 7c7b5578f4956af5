import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { bundledTests } from './scripts/bundled-tests.mjs'
import { noPicture } from './scripts/no-picture.ts'
import { schemePagesText } from './scripts/scheme-pages.mjs'

const root = dirname(fileURLToPath(import.meta.url))

/**
 * Figures, and the longest test of the page, go first: on a fresh clone vitest knows no times, and
 * a file of three minutes at the end would keep one core busy while the other has nothing left.
 * The page comes before the figures, so that it is not beside those who build the same folder.
 */
const FIRST = [/apps\/lab\/src\/lab\.test/u, /\/experiments\/infiniband/u, /\/experiments\//u]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = FIRST.findIndex((pattern) => pattern.test(moduleId))
      return place < 0 ? FIRST.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

const config: ViteUserConfig = defineConfig({
  plugins: [bundledTests()],
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
    retry: { count: 1, condition: noPicture },
  },
})

// vitest reads its configuration from the default export: the one file where there must be one.
// eslint-disable-next-line no-restricted-syntax -- vitest asks for a default export.
export default config
