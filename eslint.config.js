import { defineConfig, globalIgnores } from 'eslint/config';
import { configs } from 'typescript-eslint';

/** Rules of the strict set that are off, and why. */
const OFF = {
  // Matters of taste.
  'no-confusing-void-expression': 'off',
  'no-meaningless-void-operator': 'off',
  'use-unknown-in-catch-callback-variable': 'off',
  // The compiler says so.
  'no-unused-vars': 'off',
  // Numbers and null are told as such; no-base-to-string finds what cannot be told.
  'restrict-template-expressions': 'off',
  // Options and handlers are interfaces whose methods use no `this`.
  'unbound-method': 'off',
  // An interface says that an answer may take a while, not each of its implementations.
  'require-await': 'off',
  // What older browsers lack, and what changes while something is awaited, cannot be for all that it knows.
  'no-unnecessary-boolean-literal-compare': 'off',
  'no-unnecessary-condition': 'off',
  // They give lists of arguments their types.
  'no-unnecessary-type-parameters': 'off',
  // Libraries declare less of sockets and streams than Node.js gives.
  'no-unsafe-class-instance-assignment': 'off',
};

const named = rules =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [`@typescript-eslint/${name}`, rule]));

/** Names of kinds of sessions, which only their own folders compare: what differs elsewhere is a capability. */
const KIND_NAMES = '/^(chromium|nes|snes|n64|ps1|android)$/';
const noKindNames = {
  selector: ['BinaryExpression[operator=/^[!=]==$/]', 'SwitchCase']
    .map(comparison => `${comparison} > Literal[value=${KIND_NAMES}]`)
    .join(', '),
  message: 'Ask for a capability of the kind (src/server/model/kinds, src/agent/kinds), not for its name.',
};

/** Names that were replaced by standard terms; words that stand for nothing else are in .cspell.config.yaml. */
const GIVEN_UP = ['clocks', 'hands', 'lasting', 'lastWords', 'LastWords', 'madeAhead', 'order', 'turnAway'];

const noClockSteps = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Use new Date(clock.now()): no steps.',
};

/** Rules that find bugs; what only asks for another style is left to Prettier, or to the writer. */
export default defineConfig(
  globalIgnores(['dist/', 'coverage/', '.tap/', '.berth/', '**/generated/', 'examples/', 'images/', 'src/web/static/']),
  {
    files: ['**/*.ts'],
    extends: [...configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // One thought, one file.
      'max-lines': ['error', 400],
      'id-denylist': ['error', ...GIVEN_UP],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
      ...named({
        ...OFF,
        'switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
        'prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true, allowThrowingAny: true }],
        // What something is made with is its options.
        'naming-convention': [
          'error',
          { selector: 'typeLike', format: null, custom: { regex: 'Parts$', match: false } },
        ],
      }),
    },
  },
  {
    // Parts of queries can be awaited, which nobody does.
    files: ['src/server/store/**/*.ts'],
    rules: named({ 'no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }] }),
  },
  {
    files: ['src/{agent,server}/**/*.ts'],
    ignores: ['src/agent/kinds/*.ts'],
    rules: { 'no-restricted-syntax': ['error', noKindNames] },
  },
  {
    files: ['src/server/**/*.ts'],
    ignores: [
      // It compares both.
      'src/server/machine-clock.ts',
      // Times that others take from the machine's clock, or compare with theirs: files,
      'src/server/profiles/storage.ts',
      'src/server/games/cache.ts',
      // containers and Pods,
      'src/server/engines/docker/helper.ts',
      'src/server/engines/kubernetes/prober.ts',
      'src/server/engines/kubernetes/canary.ts',
      'src/server/sessions/recovery/ownership.ts',
      'src/server/sessions/recovery/departures.ts',
      // the library that says when a limit ends, and receivers of signatures.
      'src/server/http/middleware/rate-limit.ts',
      'src/server/webhooks/send.ts',
      'src/server/lib/line-time.ts',
    ],
    rules: {
      'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: 'Use clock.now(): no steps.' }],
      'no-restricted-syntax': ['error', noClockSteps, noKindNames],
    },
  },
  {
    files: ['src/server/model/kinds/*.ts'],
    rules: { 'no-restricted-syntax': ['error', noClockSteps] },
  },
  {
    // JSON Schema has values of any type.
    files: ['src/server/http/openapi/**/*.ts'],
    rules: named({ 'no-base-to-string': 'off' }),
  },
  {
    files: ['{test,bench}/**/*.ts'],
    rules: named({
      // tap waits for its tests itself.
      'no-floating-promises': [
        'error',
        { allowForKnownSafePromises: [{ from: 'package', package: '@tapjs/core', name: 'PromiseWithSubtest' }] },
      ],
      // Answers of the service are looked at as they come: an assertion fails where they are not what is expected.
      'no-base-to-string': 'off',
      'no-explicit-any': 'off',
      'no-non-null-assertion': 'off',
      'no-unsafe-argument': 'off',
      'no-unsafe-assignment': 'off',
      'no-unsafe-call': 'off',
      'no-unsafe-member-access': 'off',
      'no-unsafe-return': 'off',
      // What is deprecated goes on working.
      'no-deprecated': 'off',
    }),
  },
);
