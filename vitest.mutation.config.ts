/**
 * The tests that mutants have to pass (docs/mutation.md): those of the three packages, and of the
 * simulator those that are short. Stryker copies the tree and links node_modules, whose links lead
 * back to the sources as they are: here a package's name leads to the copy.
 */
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = dirname(fileURLToPath(import.meta.url))

/**
 * The shortest files first: a mutant is killed by the first test that fails, and most are by units.
 */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => this.#tookMs(a) - this.#tookMs(b))
  }

  #tookMs({ project, moduleId }: TestSpecification): number {
    const key = `${project.name}:${relative(this.ctx.config.root, moduleId)}`
    return this.ctx.cache.getFileTestResults(key)?.duration ?? 0
  }
}

const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: [
      {
        find: /^@weir\/sim\/testing$/,
        replacement: join(root, 'packages/sim/src/testing/index.ts'),
      },
      { find: /^@weir\/([\w-]+)$/, replacement: join(root, 'packages/$1/src/index.ts') },
    ],
  },
  test: {
    environment: 'node',
    include: (process.env.WEIR_MUTATION_TESTS ?? 'packages/theory/**/*.test.ts').split(','),
    pool: 'threads',
    isolate: false,
    sequence: { sequencer: ShortestFirst },
    setupFiles: ['./scripts/mutation-setup.ts'],
    testTimeout: 60_000,
  },
})

// vitest reads its configuration from the default export.
// eslint-disable-next-line no-restricted-syntax -- vitest asks for a default export.
export default config
