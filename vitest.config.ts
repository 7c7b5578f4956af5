import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { schemePagesText } from './scripts/scheme-pages.mjs'

const root = dirname(fileURLToPath(import.meta.url))

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
    testTimeout: 30_000,
  },
})

// vitest reads its configuration from the default export: the one file where there must be one.
// eslint-disable-next-line no-restricted-syntax -- vitest asks for a default export.
export default config
