/**
 * The rules of taste that a linter can see (STYLE section 8); scripts/tidy.test.ts has the others.
 * Below apps/ a run is a pure function of its spec: no clock, no chance of its own, and no function
 * whose last digit the language leaves to the engine.
 */
import tseslint from 'typescript-eslint'

const layers = [
  'engine',
  'fabric',
  'routing',
  'theory',
  'rack',
  'schemes',
  'workloads',
  'metrics',
  'sim',
  'store',
  'cluster',
  'library',
]

/** These may do I/O and ask for the time: they hold no simulation. */
const outerLayers = ['store', 'cluster']

const inexact = [
  ['log', 'ln'],
  ['exp', 'exp'],
  ['pow', 'pow'],
  ...['log2', 'log10', 'log1p', 'expm1', 'cbrt', 'hypot', 'sin', 'cos', 'tan'].map((f) => [f]),
  ...['asin', 'acos', 'atan', 'atan2', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'].map(
    (f) => [f],
  ),
].map(([property, instead]) => ({
  object: 'Math',
  property,
  message: instead
    ? `its last digit differs between browsers: use ${instead} of @weir/engine.`
    : 'its last digit differs between browsers: build it from ln, exp and pow of @weir/engine.',
}))

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'one idea, one name: export it by name.',
}

const noPowerOperator = {
  // Powers of two, of whole numbers written out, and of bigints are exact.
  selector:
    ':matches(BinaryExpression, AssignmentExpression)[operator=/^\\*\\*=?$/]' +
    ':not([left.value=2]):not([left.type="Literal"][right.type="Literal"]):not([left.bigint])',
  message: 'its last digit differs between browsers: multiply, or use pow of @weir/engine.',
}

/** Every eslint-disable says why, after `--`. */
const requireDescription = {
  meta: { type: 'problem', messages: { why: 'say why after `--`: {{ comment }}' }, schema: [] },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const text = comment.value.trim()
        if (!/^eslint-disable/.test(text) || /\s--\s+\S/.test(text)) continue
        context.report({ loc: comment.loc, messageId: 'why', data: { comment: text } })
      }
    },
  }),
}

const layerRules = layers.map((layer, index) => ({
  files: [`packages/${layer}/src/**/*.ts`],
  ignores: ['**/*.test.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...layers.slice(index + 1).map((upper) => ({
            group: [`@weir/${upper}`, `@weir/${upper}/*`],
            message: `${layer} is below ${upper}: imports point one way.`,
          })),
          { group: ['@weir/cli', '@weir/lab'], message: 'no package imports an app.' },
          ...(layer === 'engine'
            ? [{ group: ['@weir/*'], message: 'engine depends on nothing.' }]
            : []),
          ...(outerLayers.includes(layer) || layer === 'rack'
            ? []
            : [{ group: ['node:*'], message: 'packages below apps run in browsers too.' }]),
        ],
      },
    ],
  },
}))

export default tseslint.config(
  {
    ignores: ['**/node_modules/', '**/dist/', 'results/', 'coverage/', 'docs/', 'examples/'].concat(
      '.stryker-tmp/',
    ),
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: {
      '@typescript-eslint': tseslint.plugin,
      weir: { rules: { 'require-description': requireDescription } },
    },
    rules: {
      'weir/require-description': 'error',
      'no-restricted-syntax': ['error', noDefaultExport],
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      eqeqeq: 'error',
      'no-debugger': 'error',
      'no-unreachable': 'error',
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-self-assign': 'error',
      'no-dupe-else-if': 'error',
      'no-duplicate-case': 'error',
      'no-fallthrough': 'error',
      'no-sparse-arrays': 'error',
      'no-loss-of-precision': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  {
    files: ['packages/**/*.ts'],
    ignores: ['**/*.test.ts', ...outerLayers.map((layer) => `packages/${layer}/**`)],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'Date', message: 'pass `now` in: a run knows only simulated time.' },
        { name: 'performance', message: 'pass `now` in: a run knows only simulated time.' },
        { name: 'process', message: 'packages below apps run in browsers too.' },
        { name: 'Buffer', message: 'packages below apps run in browsers too: use Uint8Array.' },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'pass a `Random` stream in.' },
        ...inexact,
      ],
      'no-restricted-syntax': ['error', noDefaultExport, noPowerOperator],
    },
  },
  ...layerRules,
  {
    files: ['*.config.ts', 'scripts/**/*.ts'],
    languageOptions: { parserOptions: { projectService: false } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-misused-promises': 'off',
    },
  },
)
