import js from '@eslint/js';

const names = (/** @type {string} */ list) => Object.fromEntries(list.split(' ').map((name) => [name, 'readonly']));

/** What Node 20 and browsers both have. */
const both = names('AbortController AbortSignal Blob Response TextDecoder TextEncoder URL WebAssembly atob btoa fetch performance queueMicrotask structuredClone setTimeout clearTimeout');

export default [
  { ignores: ['dist/', 'node_modules/'] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: 'module', globals: both },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'consistent-return': 'off', // tsc checks it, with types
      'curly': 'error',
      'eqeqeq': 'error',
      'func-style': ['error', 'declaration', { allowArrowFunctions: true }],
      'no-else-return': 'error',
      'no-empty-function': 'off',
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
      'strict': 'off',
    },
  },
  // What the module runs on may not look at the clock, at chance or at the environment.
  {
    files: ['src/**'],
    rules: {
      'no-restricted-globals': ['error', 'process', 'crypto', 'performance', 'Date', 'setTimeout', 'setInterval', 'localStorage', 'navigator'],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
    },
  },
  { files: ['src/page.js', 'src/browser.js', 'src/inline.js', 'example/**', 'test/page/http.js'], languageOptions: { globals: names('FormData Worker document') } },
  { files: ['bin/**', 'test/*.js', 'test/support/**', '*.mjs'], languageOptions: { globals: names('Buffer console process') } },
  // Functions in it run in the page.
  { files: ['test/page.test.js'], languageOptions: { globals: names('crypto document') } },
  { files: ['test/page/harness.js'], languageOptions: { sourceType: 'script' } },
];
